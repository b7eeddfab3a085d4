"""Names that every program can use as a column: databases, SPSS and Stata."""

import re

LONGEST_NAME = 32
"""Characters of a column's name in Stata, the shortest of all."""

_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

_OWN = frozenset({"id", "arm", "report", "device", "understood"})
"""Columns that answers are kept with."""

_KEPT = re.compile(
    r"all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|using|str(\d+|l)",
    re.IGNORECASE,
)
"""Words that SPSS and Stata keep for themselves."""


def why_unusable(name: str) -> tuple[str, str] | None:
    """Say why a name cannot be a column's, with a hint; None if it can.

    >>> why_unusable("drugs")
    >>> why_unusable("2nd job")
    ("'2nd job' cannot be a column's name.", 'Begin with a letter; use letters, digits and _ only.')
    """
    if not _COLUMN.fullmatch(name):
        hint = "Begin with a letter; use letters, digits and _ only."
        return f"{name!r} cannot be a column's name.", hint
    if len(name) > LONGEST_NAME:
        hint = (
            f"Use at most {LONGEST_NAME} characters, counting the option's of a question "
            "with several."
        )
        return f"{name!r} is too long for a column's name in Stata.", hint
    if _KEPT.fullmatch(name):
        return f"{name!r} is a word that SPSS or Stata keeps for itself.", "Choose another name."
    if name.lower() in _OWN:
        return f"{name!r} is a column that answers are kept with.", "Choose another name."
    return None
