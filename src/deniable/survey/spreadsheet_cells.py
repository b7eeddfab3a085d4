"""Text that a spreadsheet would run as a formula, made plain by the usual apostrophe before it."""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""How a formula begins; and what an escaped one looks like, so that no two become the same."""

_SIGNED_DIGITS = re.compile(r"[+-][\d ().,/+-]*\d")
"""Numbers, also of telephones: a spreadsheet may write them otherwise, but runs nothing."""


def plain_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would run; leave everything else as it is.

    >>> [plain_cell(text) for text in ("yes", "-1", "+49 30 1234", "=1+1", "-", "@home", "'=1")]
    ['yes', '-1', '+49 30 1234', "'=1+1", "'-", "'@home", "''=1"]
    """
    return f"'{text}" if _FORMULA.match(text) and not _SIGNED_DIGITS.fullmatch(text) else text
