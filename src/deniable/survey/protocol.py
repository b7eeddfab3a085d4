"""What leaves a respondent's device: one body of fixed length, and a receipt that stays behind.

A report holds one character per attribute, the place of the reported value among the attribute's
values. Whatever was answered, the body has the same length.

What leaks: a body shows the disguised report, the arm, the device that was used and how many
comprehension questions were answered right. The last two are only added to a tally. The token
proves an invitation without saying whose.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deniable.base.errors import DataError
from deniable.base.fingerprint import digest_of
from deniable.schema import Schema

REPORT_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The codes of values in a report."""

SKIPPED = "skipped"
"""The value of whoever would rather not say."""

ARMS = ("disguised", "direct")
DEVICES = ("page", "own")
MOST_UNDERSTOOD = 2
TOKEN_LENGTH = 576

RECEIPT_BYTES = 10
RECEIPT_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: nothing that is easily misread."""

BODY_BLOCK = 1024
"""Bodies are padded to a multiple of it; everything but the report takes less than one."""

HEXADECIMAL = re.compile(r"[0-9a-f]*")
TOKEN = re.compile(r"[A-Za-z0-9_-]*")


class SubmissionError(DataError):
    """A body that no respondent's page would send."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One answer on its way, in the order in which its body is written."""

    survey: str
    id: str
    token: str
    arm: str
    device: str
    understood: int
    report: str

    def encode(self) -> bytes:
        """Write the body, padded to its size."""
        parts = (
            f'{{"survey":"{self.survey}","id":"{self.id}","token":"{self.token}","arm":"{self.arm}"'
            f',"device":"{self.device}","understood":{self.understood},"report":"{self.report}"'
            ',"padding":"'
        )
        return f"{parts:.<{size_of(len(self.report)) - len(_END)}}{_END}".encode("ascii")

    @classmethod
    def decode(cls, body: bytes) -> "Submission":
        """Read a body, and refuse any that is not written exactly so.

        Only one spelling is taken, so that nothing can be told between the lines: no other order,
        no spaces, no further keys, no other padding.
        """
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise SubmissionError("The answer is not JSON.", hint=_HINT) from None
        if not isinstance(found, dict):
            raise SubmissionError("The answer is not a JSON object.", hint=_HINT)
        found.pop("padding", None)
        _check(found)
        submission = cls(**found)
        if submission.encode() != body:
            raise SubmissionError("The answer is not written as the page writes it.", hint=_HINT)
        return submission


_END = '"}'
_HINT = "Open the survey again in its own page."


def size_of(attributes: int) -> int:
    """How long every body of a survey is, in bytes.

    >>> size_of(5), size_of(1025)
    (2048, 3072)
    """
    return BODY_BLOCK * -(-(BODY_BLOCK + attributes) // BODY_BLOCK)


def _check(found: dict[str, Any]) -> None:
    shapes: dict[str, Callable[[str], object]] = {
        "survey": lambda text: len(text) == 64 and HEXADECIMAL.fullmatch(text),  # noqa: PLR2004
        "id": lambda text: len(text) == 32 and HEXADECIMAL.fullmatch(text),  # noqa: PLR2004
        "token": lambda text: len(text) in {0, TOKEN_LENGTH} and TOKEN.fullmatch(text),
        "arm": lambda text: text in ARMS,
        "device": lambda text: text in DEVICES,
        "report": lambda text: text and set(text) <= set(REPORT_LETTERS),
    }
    if set(found) != {*shapes, "understood"}:
        raise SubmissionError("The answer has other parts than the page sends.", hint=_HINT)
    for name, fits in shapes.items():
        if not isinstance(found[name], str) or not fits(found[name]):
            raise SubmissionError(f"The answer's part {name!r} is malformed.", hint=_HINT)
    understood = found["understood"]
    if type(understood) is not int or not 0 <= understood <= MOST_UNDERSTOOD:
        raise SubmissionError("The answer's part 'understood' is malformed.", hint=_HINT)


def fits(report: str, schema: Schema) -> bool:
    """Whether a report has a value for each attribute, and no other.

    >>> fits("01", Schema.of({"smokes": ["no", "yes"], "age": ["young", "old"]}))
    True
    >>> fits("02", Schema.of({"smokes": ["no", "yes"], "age": ["young", "old"]}))
    False
    """
    return len(report) == len(schema) and all(
        REPORT_LETTERS.index(digit) < size for digit, size in zip(report, schema.sizes, strict=True)
    )


# --- Receipts ------------------------------------------------------------------------------------


def receipt_id(receipt: bytes) -> str:
    """The public name of an answer. Who knows only this cannot delete the answer."""
    return digest_of(b"deniable receipt" + receipt)[:32]


def write_receipt(receipt: bytes) -> str:
    """Write a receipt in groups of four.

    >>> write_receipt(bytes(range(10)))
    '000G-40R4-0M30-E209'
    """
    number = int.from_bytes(receipt)
    places = range(5 * (len(receipt) * 8 // 5 - 1), -1, -5)
    text = "".join(RECEIPT_DIGITS[number >> place & 31] for place in places)
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def read_receipt(text: str) -> bytes:
    """Read a receipt as people copy it: in lower case, without hyphens, with an O for a zero.

    >>> read_receipt("ooog 40r4 0m30 e209") == bytes(range(10))
    True
    """
    plain = re.sub(r"[\s-]", "", text).upper().translate(str.maketrans("OIL", "011"))
    if len(plain) != RECEIPT_BYTES * 8 // 5 or not set(plain) <= set(RECEIPT_DIGITS):
        raise DataError(
            "This is not a receipt: it has sixteen letters and digits.",
            hint="Copy it once more, such as K7QF-2M0P-X4TD-9RWB.",
        )
    number = 0
    for digit in plain:
        number = number << 5 | RECEIPT_DIGITS.index(digit)
    return number.to_bytes(RECEIPT_BYTES)
