"""What the respondent's page shows of each group: all of it said by the group's channel.

It is part of what is asked, and so of the survey's fingerprint: everybody is shown the same.
"""

import json
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import deniable.survey
from deniable.channel import named
from deniable.channel.channel import exact
from deniable.design import Group
from deniable.schema import Attribute
from deniable.survey.protocol import SKIPPED
from deniable.survey.questionnaire.by_hand import earlier_by_hand, group_by_hand, told

PRACTICE = Attribute("practice", ("no", "yes"))
"""The harmless question on which the first group's device is tried."""

BROWSER = Path(deniable.survey.__file__).with_name("browser")
"""The respondent's page, as it is shipped."""


@cache
def page_channels(browser: Path = BROWSER) -> tuple[str, ...]:
    """Channels whose devices the page has: it was built with them (web/build.mjs)."""
    return tuple(json.loads((browser / "channels.json").read_text(encoding="utf-8")))


def shown(
    group: Group, name: str, beside: Collection[str], boxes: Collection[str] = ()
) -> dict[str, Any]:
    """What is shown of a group, by the attribute that is pictured."""
    place, channel = group.names.index(name), group.channel
    values = group.attributes[place].values
    named = [value for value in values if value != SKIPPED]
    usual = values.index("yes") if "yes" in values else values.index(named[-1])
    return {
        "law": [
            [exact(chance) for chance in column]
            for column in channel.marginal([place]).exact_columns()
        ],
        "outcomes": [
            {"chance": exact(outcome.chance), **told(outcome, group)}
            for outcome in channel.outcomes()
        ],
        "byHand": group_by_hand(group, beside, boxes),
        "personal": channel.paired is not None and set(group.names) <= set(beside),
        "sensitive": usual if channel.trait is None else channel.trait,
    }


def guessed(group: Group) -> dict[str, Any]:
    """How sure a reader can be of one answer of a group, by the answer that is easiest to guess.

    As `deniable.privacy.measures.single_answer.guess_if_even` has it, in exact numbers: all values
    equally common, and nothing else known. A harmless answer that nobody else sends is certain.
    """
    best, certain = (Fraction(0), Fraction(1)), None
    for place, attribute in enumerate(group.attributes):
        reports = list(zip(*group.channel.marginal([place]).exact_columns(), strict=True))
        right = sum(map(max, reports), Fraction(0)) / attribute.size
        best = max(best, (right, Fraction(1, attribute.size)))
        for report, chances in enumerate(reports):
            if sum(chance > 0 for chance in chances) == 1:
                certain = report
    after, before = best
    return {"before": exact(before), "after": exact(after), "certain": certain}


def practised(group: Group, *, personal: bool) -> dict[str, Any] | None:
    """The same device on a harmless question, and what is shown of it; None: there is no such."""
    options = group.channel.practice(PRACTICE)
    if options is None:
        return None
    entry = {"attributes": [PRACTICE.name], "channel": group.channel.kind, **options}
    same, beside = _rehearsed(entry, personal=personal)
    return {"group": entry, "shown": shown(same, PRACTICE.name, beside)}


def practised_before(entry: Mapping[str, Any], *, personal: bool) -> dict[str, Any] | None:
    """The rule by hand of what is practised, as versions before had it."""
    return earlier_by_hand(*_rehearsed(entry, personal=personal))


def _rehearsed(entry: Mapping[str, Any], *, personal: bool) -> tuple[Group, list[str]]:
    options = {key: value for key, value in entry.items() if key not in {"attributes", "channel"}}
    same = Group((PRACTICE,), named(entry["channel"]).read([PRACTICE], options))
    return same, [PRACTICE.name] if personal else []
