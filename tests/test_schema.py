import pytest

from deniable.base.errors import SchemaError
from deniable.schema import Attribute, Schema

SCHEMA = Schema.of({"smokes": ["no", "yes"], "region": ["north", "south", "west"]})


def test_a_value_is_its_position_in_the_domain() -> None:
    assert [SCHEMA["region"].code(value) for value in ("north", "south", "west")] == [0, 1, 2]


def test_an_unknown_value_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SchemaError, match=r"'region' has no value 'nort'. Did you mean 'north'\?"):
        SCHEMA["region"].code("nort")


def test_an_unknown_attribute_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SchemaError, match=r"no attribute 'Smoke'. Did you mean 'smokes'\?"):
        SCHEMA["Smoke"]


@pytest.mark.parametrize(
    ("name", "values", "complaint"),
    [("", ("a",), "no name"), ("x", (), "no values"), ("x", ("a", "b", "a"), "'a' twice")],
)
def test_a_domain_that_makes_no_sense_is_refused(
    name: str, values: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(SchemaError, match=complaint):
        Attribute(name, values)


def test_an_attribute_listed_twice_is_refused() -> None:
    with pytest.raises(SchemaError, match="'a' is listed twice"):
        Schema((Attribute("a", ("0", "1")), Attribute("a", ("0", "1"))))


def test_a_large_domain_is_looked_up_in_constant_time() -> None:
    attribute = Attribute("zip", tuple(f"{number:05d}" for number in range(100_000)))
    assert attribute.code("99999") == 99_999


def test_sites_with_other_values_are_refused() -> None:
    other = Schema.of({"smokes": ["no", "yes"], "region": ["north", "south", "east"]})
    with pytest.raises(SchemaError, match="Site 2 gives 'region' other values"):
        SCHEMA.require_same_domains(other, "Site 2")
