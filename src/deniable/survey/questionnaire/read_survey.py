"""From the file's nodes to a `Survey`; every mistake on the way is noted."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from deniable.base.entries import Entries, Entry
from deniable.base.errors import nearest, shortened
from deniable.channel.group_options import fraction
from deniable.design import Design, Group
from deniable.schema import Schema
from deniable.survey.protocol import DEVICES
from deniable.survey.questionnaire.by_hand import group_by_hand, paired, ticked
from deniable.survey.questionnaire.conditions import read_conditions
from deniable.survey.questionnaire.expectations import NOTHING_EXPECTED, read_expected
from deniable.survey.questionnaire.groups import read_groups
from deniable.survey.questionnaire.languages import read_languages, read_words
from deniable.survey.questionnaire.personal_bit import read_bit
from deniable.survey.questionnaire.questions import AskedQuestions, read_questions
from deniable.survey.questionnaire.skipping import read_skipping
from deniable.survey.questionnaire.survey import Survey
from deniable.survey.words.own_words import read_own_words, tell_of_languages
from deniable.survey.words.page_words import Words

PAGE_DEVICE, OWN_DEVICE = DEVICES

AFTER, EVERY = 100, 50
"""When results are shown, unless the file says otherwise."""

FEWEST_AFTER, FEWEST_EVERY = 10, 2

LONGEST_NAME = 40

SURVEY_REQUIRED = {
    "survey": "Write survey: student-life.",
    "title": "Write title: {en: Student life, de: Studentenleben}.",
    "languages": "Write languages: [en, de].",
    "consent": "Say who asks, why, and what happens with the answers.",
    "contact": "Write contact: research@university.example.",
    "invitations": "Write yes (one answer for each invitation) or no (an open link).",
    "questions": "Write questions: {NAME: {text: …, options: …}}.",
}
"""What a survey must have, and how to write it."""

SURVEY_OPTIONAL = (
    "may_skip",
    "devices",
    "direct",
    "results",
    "quotas",
    "groups",
    "bit",
    "words",
    "expected",
)

_SURVEY_NAME = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Places:
    """Where the parts of a survey stand in its file."""

    root: Entry
    entries: Entries
    asked: Mapping[str, AskedQuestions]
    groups: tuple[Entry, ...]


def read(root: Entry, folder: Path) -> tuple[Survey, Places] | None:
    """Read a survey; None where there is any mistake. A model is looked for from the folder."""
    entries = root.entries("Start with deniable survey new.", (*SURVEY_REQUIRED, *SURVEY_OPTIONAL))
    for key, hint in SURVEY_REQUIRED.items():
        if entries and key not in entries:
            root.mistake(f"{key!r} is missing.", hint)
    languages = entries.read("languages", read_languages, ())
    said = entries.read(
        "words", partial(read_own_words, languages=languages, folder=folder), dict[str, Words]()
    )
    if languages:
        tried = entries["words"].value if "words" in entries else ()
        tell_of_languages(entries["languages"], languages, said, tried)
    words = partial(read_words, languages=languages)
    skipping = read_skipping(entries, languages, said)
    reading = partial(read_questions, languages=languages, skipping=skipping)
    asked = entries.read("questions", reading, {})
    groups = read_groups(entries.get("groups"), asked)
    asked = read_conditions(asked, [group for group, _ in groups])
    hidden = {name for group, _ in groups for name in group.names}
    after, every = entries.read("results", _read_results, (AFTER, EVERY))
    design = Design(Schema(()), ())
    questions = {name: one.question for name, one in asked.items()}
    bit = read_bit(entries, questions, folder, words)
    if not root.findings.wrong:
        reported = questions.values() if bit is None else [bit.question]
        attributes = (a for one in reported for a in one.attributes)
        design = Design(Schema(tuple(attributes)), tuple(group for group, _ in groups))
    survey = Survey(
        name=entries.read("survey", _read_name, ""),
        title=entries.read("title", words, {}),
        languages=languages,
        consent=entries.read("consent", words, {}),
        contact=entries.read("contact", Entry.text, ""),
        questions=tuple(questions.values()),
        design=design,
        devices=_read_devices(entries, groups, asked),
        direct=entries.read("direct", _read_direct, None),
        invitations=entries.read("invitations", Entry.switch, otherwise=True),
        after=after,
        every=every,
        expected=entries.read("expected", partial(read_expected, asked=asked), NOTHING_EXPECTED),
        quotas=entries.read("quotas", partial(_read_quotas, asked=asked, hidden=hidden), {}),
        bit=bit,
        words=said,
    )
    if root.findings.wrong:
        return None
    return survey, Places(root, entries, asked, tuple(node for _, node in groups))


def _read_name(node: Entry) -> str:
    name = node.text(SURVEY_REQUIRED["survey"])
    if name and (not _SURVEY_NAME.fullmatch(name) or len(name) > LONGEST_NAME):
        node.mistake(
            f"{shortened(name)} is no short name.",
            f"Use letters, digits and hyphens, {LONGEST_NAME} at most; the title may be longer.",
        )
    return name


def _read_results(node: Entry) -> tuple[int, int]:
    entries = node.entries("Write results: {after: 100, every: 50}.", ("after", "every"))
    return (
        entries.read("after", partial(Entry.whole, least=FEWEST_AFTER), AFTER),
        entries.read("every", partial(Entry.whole, least=FEWEST_EVERY), EVERY),
    )


def _read_direct(node: Entry) -> Fraction:
    before, share = node.findings.wrong, Fraction(0)
    if word := node.text("Write a fraction, as 1/10."):
        with replace(node, place="").judged():  # what is refused names it already
            share = fraction(word, node.place)
    if share in {0, 1} and node.findings.wrong == before:
        node.mistake(
            f"{share} is no share of the respondents to be asked directly.",
            "Write a fraction, as 1/10, or leave this out: then nobody is.",
        )
    return share


def _read_devices(
    entries: Entries, groups: list[tuple[Group, Entry]], asked: Mapping[str, AskedQuestions]
) -> tuple[str, ...]:
    """Read whose coins are offered; by default both, where some group can be done by hand."""
    questions = [one.question for one in asked.values()]
    beside, boxes = paired(questions), ticked(questions)
    hard = [node for group, node in groups if not group_by_hand(group, beside, boxes)]
    never = bool(hard) and len(hard) == len(groups)
    if "devices" not in entries:
        return (PAGE_DEVICE,) if never else DEVICES
    hint = "Write devices: [page, own], or one of them."
    node = entries["devices"]
    alone = isinstance(node.value, list) and PAGE_DEVICE not in node.value
    found: list[str] = []
    for item in entries["devices"].items(hint):
        device = item.text(hint)
        if device and device not in DEVICES:
            item.mistake(f"There is no device {shortened(device)}.", nearest(device, DEVICES))
        elif device in found:
            item.mistake(f"{device!r} stands twice.", "Remove one of them.")
        elif device == OWN_DEVICE and (never or (hard and alone)):
            item.mistake(
                f"The group of line {hard[0].line} cannot be done by hand.",
                "Write devices: [page]; or see in the reference which groups can."
                if never
                else "Write devices: [page, own]: the page then disguises it for everybody.",
            )
        found.append(device)
    return tuple(found)


def _read_quotas(
    node: Entry, asked: Mapping[str, AskedQuestions], hidden: Collection[str]
) -> dict[str, dict[str, int]]:
    """Read how many answers are wanted, by the values of questions that are told as they are."""
    hint = "Write quotas: {age: {under 30: 500}}."
    found = {}
    for name, child in node.entries(hint).items():
        if name not in asked:
            child.mistake("There is no such question.", nearest(name, asked))
            continue
        question = asked[name].question
        if name in hidden or question.several:
            child.mistake(
                "A quota needs a question with one answer that is told as it is: of disguised "
                "answers nobody can count a single one.",
                "Choose a question that is in no group.",
            )
        elif question.condition:
            child.mistake(
                "A quota needs a question that everybody is asked.", "Choose one without if."
            )
        values = [option.value for option in question.options]
        quotas = child.entries(hint)
        for value, number in quotas.items():
            if value not in values:
                number.mistake(f"{name!r} has no such value.", nearest(value, values))
        found[name] = {value: number.whole(1) for value, number in quotas.items()}
    return found
