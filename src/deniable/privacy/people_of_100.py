"""Shares as people say them: so many of 100."""

NEARLY_WHOLE = 1e-9
"""What rounding may leave of an exact 0 or 1."""


def whole_people(share: float) -> int:
    """How many of 100, rounded, but never all or none of them where that is not so.

    >>> [whole_people(share) for share in (0.0, 0.008, 0.637, 0.996, 1.0)]
    [0, 0, 64, 99, 100]
    """
    if share < 0.01:  # noqa: PLR2004
        return 0
    return 100 if share > 1 - NEARLY_WHOLE else min(round(share * 100), 99)


def people(share: float) -> str:
    """How many of 100, in words.

    >>> [people(share) for share in (0.0, 0.003, 0.637, 0.996, 1.0)]
    ['none', 'fewer than 1', '64', 'more than 99', '100']
    """
    if share < NEARLY_WHOLE:
        return "none"
    if share < 0.01:  # noqa: PLR2004
        return "fewer than 1"
    return "more than 99" if 0.99 < share < 1 - NEARLY_WHOLE else str(whole_people(share))  # noqa: PLR2004


def of_100(share: float) -> str:
    """How many of 100, with the 100."""
    return f"{people(share)} of 100"
