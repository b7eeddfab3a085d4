"""Text that a spreadsheet would run as a formula, made plain by the usual apostrophe before it."""

import re

_SIGNS = r"=+\-@\t＝＋－＠"
_FORMULA = re.compile(
    rf"^(?='*[\r\n{_SIGNS}])|(?<=;)(?=['\"]*[\r\n{_SIGNS}])|(?<=[\r\n])(?=['\"]*[{_SIGNS}])"
)
"""Where a formula begins, or an escaped one, so that no two become the same.

Much of Europe's spreadsheets open our CSV files with a semicolon between the cells, whatever is in
quotes: what follows one within a text is a cell of its own there, and what follows the end of a
line a row of its own.
"""

_SIGNED_DIGITS = re.compile(r"[+-][\d ().,/+-]*\d")
"""Numbers, also of telephones: a spreadsheet may write them otherwise, but runs nothing."""


def plain_cell(text: str) -> str:
    r"""Put an apostrophe before what a spreadsheet would run; leave everything else as it is.

    >>> [plain_cell(text) for text in ("yes", "-1", "+49 30 1234", "=1+1", "-", "@home", "'=1")]
    ['yes', '-1', '+49 30 1234', "'=1+1", "'-", "'@home", "''=1"]
    >>> plain_cell("Ann;=1+1")
    "Ann;'=1+1"
    >>> plain_cell("Ann\n=1+1")
    "Ann\n'=1+1"
    """
    return text if _SIGNED_DIGITS.fullmatch(text) else _FORMULA.sub("'", text)
