"""Reading the groups: which questions one random device disguises together."""

from collections.abc import Mapping
from math import inf, prod

from deniable.base.entries import Entry
from deniable.base.errors import DeniableError, nearest, shortened
from deniable.base.wording import joined
from deniable.channel.channel import patterns
from deniable.design import Group, read_group
from deniable.privacy.measures.single_answer import entry_matrix, tells_all
from deniable.schema import Schema
from deniable.survey.protocol import SKIPPED
from deniable.survey.questionnaire.group_on_page import page_channels
from deniable.survey.questionnaire.questions import AskedQuestions, columns_of
from deniable.survey.questionnaire.skipping import USE_WITH_SKIP, why_skip_shows

MOST_PROVED = 1 << 12
"""Patterns of a group up to which reports of several answers are looked through for proofs."""

GROUP = "Write - {attributes: [NAME, …], channel: related, theta: 4/5}."


def read_groups(
    node: Entry | None, asked: Mapping[str, AskedQuestions]
) -> list[tuple[Group, Entry]]:
    """Read all groups that can be; a question is in one of them at most."""
    found: list[tuple[Group, Entry]] = []
    homes: dict[str, int] = {}
    for item in [] if node is None else node.items(GROUP):
        named = _read_names(item, asked, homes)
        if named and all(one.sound for one in named) and (group := _read_group(item, named)):
            found.append((group, item))
    _check_personal(found, asked)
    _check_control_items(found, asked)
    for name, one in asked.items():
        if "personal" in one.entries and name not in homes and not one.question.several:
            one.entries["personal"].mistake(
                "The question is in no group, so it needs no personal question beside it.",
                "Add a group with channel: unrelated, or remove this.",
            )
    return found


def _read_names(
    item: Entry, asked: Mapping[str, AskedQuestions], homes: dict[str, int]
) -> list[AskedQuestions]:
    """Look up a group's questions; nothing where some cannot be."""
    entries = item.entries(GROUP, required=("attributes",))
    if "attributes" not in entries:
        return []
    named = []
    before = item.findings.wrong
    parts = {column: one for one in asked.values() for column in columns_of(one.question)}
    for child in entries["attributes"].items("Write attributes: [NAME, NAME]."):
        name = child.text()
        if name in asked and name not in homes:
            named.append(asked[name])
            homes[name] = item.line
        elif name in asked:
            child.mistake(
                f"{name!r} is in the group of line {homes[name]} already.",
                "A question is disguised once; take it out of one of them.",
            )
        elif name in parts:
            whole = parts[name].question.name
            child.mistake(
                f"{name!r} is one of the answers to {whole!r}.",
                f"They are disguised together: write {whole}.",
            )
        elif name:
            child.mistake(f"There is no question {shortened(name)}.", nearest(name, asked))
    return named if item.findings.wrong == before else []


def _read_group(item: Entry, named: list[AskedQuestions]) -> Group | None:
    schema = Schema(tuple(a for one in named for a in one.question.attributes))
    entry = item.value
    assert isinstance(entry, dict)
    try:
        group = read_group({**entry, "attributes": list(schema.names)}, schema)
    except DeniableError as error:
        message = error.message[0].upper() + error.message[1:]
        skips = any(one.question.skip for one in named)
        item.mistake(
            message, f"{error.hint or ''} {USE_WITH_SKIP}".strip() if skips else error.hint
        )
        return None
    reason = _why_unfit(group) or why_skip_shows(group, [one.question for one in named])
    if reason is not None:
        item.mistake(*reason)
        return None
    return group


def _why_unfit(group: Group) -> tuple[str, str] | None:
    """Say why a survey cannot have such a group, with a hint; None if it can."""
    if group.channel.kind not in page_channels():
        return (
            f"The respondent's page has no device for the channel {group.channel.kind!r}.",
            "Build the page with its TypeScript entry: make web CHANNELS=ENTRY.ts.",
        )
    if group.needs_second_sample:
        return (
            "The distribution of the personal answers is unknown, and a survey has one sample.",
            "Write personal: {NAME: {VALUE: probability, …}}.",
        )
    if tells_all(group):
        return (
            "This disguises nothing, and the page would say that it does.",
            "Take the questions out of the groups: then the page marks them as sent as they are.",
        )
    if (proof := _proof(group)) is not None:
        return (
            f"Whoever sends {proof} has said so for certain, and the page would say otherwise.",
            USE_WITH_SKIP
            if proof.endswith(f"={SKIPPED}")
            else "Let others send it, too: choose another channel, or other probabilities.",
        )
    return None


def _proof(group: Group) -> str | None:
    """A report that one truth only can give, but for the harmless answer: the first one."""
    for attribute in group.attributes:
        trait = group.channel.trait
        harmless = 0 if trait is None else 1 - trait
        possible = (entry_matrix(group, attribute.name) > 0).sum(axis=1)
        for code, value in enumerate(attribute.values):
            if code != harmless and possible[code] == 1:
                return f"{attribute.name}={value}"
    return _proof_together(group)


def _proof_together(group: Group) -> str | None:
    """Answers that leave one truth only if they are sent together.

    Only a distribution of whole personal patterns can do that: it may have none of a pattern.
    """
    sizes = group.channel.sizes
    if len(sizes) == 1 or prod(sizes) > MOST_PROVED or group.channel.ratio() != inf:
        return None
    every = patterns(sizes)
    for report, truths in zip(every, group.channel.matrix(range(len(sizes))) > 0, strict=True):
        if any(len({*values}) == 1 for values in every[truths].T.tolist()):
            told = zip(group.attributes, report.tolist(), strict=True)
            return joined(f"{attribute.name}={attribute.values[code]}" for attribute, code in told)
    return None


def _check_control_items(
    groups: list[tuple[Group, Entry]], asked: Mapping[str, AskedQuestions]
) -> None:
    """Whoever knows one true answer of a related group knows how its coin fell."""
    for group, item in groups:
        known = [name for name in group.names if name in asked and asked[name].question.known]
        if known and group.channel.shares_coin:
            item.mistake(
                f"The true answer to {known[0]!r} is known, and shares its coin with others: a "
                "report would show how the coin fell.",
                "Give the control item a group of its own, like those of the others.",
            )


def _check_personal(groups: list[tuple[Group, Entry]], asked: Mapping[str, AskedQuestions]) -> None:
    """Personal questions stand beside all questions of an unrelated group, or beside none."""
    for group, item in groups:
        beside = [one for name in group.names if (one := asked.get(name)) and one.question.personal]
        if group.channel.paired is None:
            for one in beside:
                one.entries["personal"].mistake(
                    f"The channel {group.channel.kind!r} asks no personal question.",
                    "Use channel: unrelated, or remove this.",
                )
        elif beside and len(beside) < len(group.names):
            names = [name for name in group.names if name not in {b.question.name for b in beside}]
            item.mistake(
                f"{shortened(names[0])} has no personal question beside it, as others here have.",
                "Add personal: {text: …, source: …} to it, or remove those of the others.",
            )
