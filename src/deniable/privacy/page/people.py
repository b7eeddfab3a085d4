"""A hundred people: as many filled in as a guess is right for."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from deniable.privacy.hundred import of_100, whole_people
from deniable.privacy.page.markup import Html, fragment, tag

SIDE = 10
WIDE, HIGH = 10, 12

Role = Literal["before", "after", "attacker"]


class Hundred(NamedTuple):
    """One picture: whom it counts, and what is said below."""

    share: float
    role: Role
    caption: str
    note: str = ""


def picture(hundred: Hundred) -> Html:
    """Draw people, ten to a row; the count is in the title and below, not in the colour alone."""
    filled = whole_people(hundred.share)
    label = f"{of_100(hundred.share)} people {hundred.caption}"
    drawing = tag(
        "svg",
        tag("title", label),
        *_crowd(range(filled), "in"),
        *_crowd(range(filled, SIDE * SIDE), "out"),
        viewBox=f"0 0 {SIDE * WIDE} {SIDE * HIGH}",
        role="img",
        aria_label=label,
        data_people=filled,
    )
    count = [of_100(hundred.share), *([tag("small", f" {hundred.note}")] if hundred.note else [])]
    words = tag("figcaption", tag("strong", *count), f" {hundred.caption}")
    return tag("figure", drawing, words, class_=f"hundred {hundred.role}")


def pictures(hundreds: Sequence[Hundred]) -> Html:
    """Draw several side by side."""
    shown = fragment(picture(hundred) for hundred in hundreds)
    return tag("div", shown, class_=f"hundreds of-{len(hundreds)}")


def _crowd(places: range, kind: str) -> list[Html]:
    """Heads and shoulders: short strokes with round ends, which every browser draws small."""
    at = [(place % SIDE * WIDE + WIDE // 2, place // SIDE * HIGH) for place in places]
    heads = "".join(f"M{x} {y + 2.6}h.01" for x, y in at)
    bodies = "".join(f"M{x} {y + 7.2}v1.4" for x, y in at)
    if not at:
        return []
    return [
        tag("path", d=heads, class_=f"{kind} head"),
        tag("path", d=bodies, class_=f"{kind} body"),
    ]
