"""Points of P-256 by their x-coordinate, against the curve's own equation and plain arithmetic."""

import hashlib

import numpy as np
import pytest

from deniable.collab.session import hidden_points
from deniable.collab.session.hidden_points import (
    DOMAIN,
    ORDER,
    HidingNumber,
    hashed,
    read_point,
    read_points,
    tries_for,
)

FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
BASE = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296

# X of small multiples of the base point, as every list of test vectors of P-256 has them.
MULTIPLES = {
    1: BASE,
    2: 0x7CF27B188D034F7E8A52380304B51AC3C08969E277F21B35A60B48FC47669978,
    3: 0x5ECBE4D1A6330A44C8F7EF951D4BF165E6C6B721EFADA985FB41661BC6E7FD6C,
}


def is_on_the_curve(x: int) -> bool:
    """Whether x³ − 3x + b is a square, by Euler."""
    return x < FIELD and pow(x**3 - 3 * x + B, (FIELD - 1) // 2, FIELD) == 1


def coordinate(point: hidden_points.Point) -> int:
    return point.public_numbers().x


def multiplied(number: int, x: int) -> int:
    return int.from_bytes(HidingNumber(number).times([read_point(x.to_bytes(32, "big"))]), "big")


def test_multiples_are_those_of_the_standard() -> None:
    for number, x in MULTIPLES.items():
        assert multiplied(number, BASE) == x
        assert multiplied(ORDER - number, BASE) == x, "a point and its negative"


def test_two_numbers_commute_and_the_inverse_takes_one_off() -> None:
    one, two = HidingNumber.of(b"1" * 32), HidingNumber.of(b"2" * 32)
    points = list(hashed(["ann", "bob"], "digest"))
    both = one.times(read_points(two.times(points)))
    assert both == two.times(read_points(one.times(points)))
    assert one.inverse.times(read_points(both)) == two.times(points)


def test_what_is_not_on_the_curve_is_refused_and_nothing_else() -> None:
    generator = np.random.default_rng(3)
    for _ in range(100):
        tried = generator.bytes(32)
        if is_on_the_curve(int.from_bytes(tried, "big")):
            assert coordinate(read_point(tried)) == int.from_bytes(tried, "big")
        else:
            with pytest.raises(ValueError):  # noqa: PT011 (OpenSSL's words change)
                read_point(tried)
    with pytest.raises(ValueError):  # noqa: PT011 (OpenSSL's words change)
        read_point((FIELD + 5).to_bytes(32, "big"))  # 5 is on the curve, and has one name only


def test_an_identifier_is_the_first_hash_that_is_on_the_curve() -> None:
    names = [f"p{number}" for number in range(60)]
    for name, point in zip(names, hashed(names, "digest"), strict=True):
        tries = (
            hashlib.sha256(DOMAIN + b"digest\n" + number.to_bytes(4, "big") + name.encode())
            for number in range(1, 100)
        )
        found = next(x for x in (int(each.hexdigest(), 16) for each in tries) if is_on_the_curve(x))
        assert coordinate(point) == found


@pytest.mark.parametrize("many", [1, 20, 300])
def test_lists_of_one_length_take_the_same_number_of_tries(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the last one, which is found or not."""
    made = [0]
    read = hidden_points.read_point

    def counted(coordinate: bytes) -> hidden_points.Point:
        made[0] += 1
        return read(coordinate)

    monkeypatch.setattr(hidden_points, "read_point", counted)
    for start in range(5):
        made[0] = 0
        assert len(list(hashed([f"{start} {number}" for number in range(many)], ""))) == many
        assert tries_for(many) <= made[0] < tries_for(many) + 40
