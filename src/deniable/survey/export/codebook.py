"""The codebook: what every column means, and what a disguised value does not."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from deniable.base.wording import joined, percent
from deniable.channel.channel import exact
from deniable.survey.export.variables import Variable
from deniable.survey.questionnaire import Question, Survey

MEANING = (
    "A disguised value is not the person's answer. Before it was sent, the person's own device "
    "changed some answers at random, and nobody knows which. Only counts over many people can be "
    "estimated, by the rules in design.yaml; a single row proves nothing about anyone, and "
    "plain shares or cross-tables of disguised columns are wrong."
)
DIRECT = (
    "Some people, drawn at random on their devices, were asked directly: their answers are in "
    "direct.*, as they were given."
)

SKIPS = (
    "People may skip it: `skipped` is a value like any other, disguised where the others are. "
    "Shares are of everybody. The share among those who would say is a ratio, "
    "share(value) / (1 − share(skipped)), both estimated from the same rows: its standard error "
    "needs their covariance, and the results page has it."
)
PARTLY = (
    "All others have `not_asked`, which is never disguised and tells no more than that public "
    "answer. Divide by the number of people without it for shares of those who were asked."
)

PLAIN = (
    "Values that a spreadsheet would run as a formula have an apostrophe before them, in the "
    "tables and in design.yaml."
)


def codebook(
    survey: Survey, variables: Sequence[Variable], language: str, answers: Mapping[str, int]
) -> dict[str, Any]:
    """Describe an export for programs."""
    return {
        "survey": survey.name,
        "title": survey.title[language],
        "language": language,
        "survey_fingerprint": survey.fingerprint,
        "design_fingerprint": survey.design.fingerprint,
        "answers": dict(answers),
        "disguised": MEANING,
        "questions": [
            _question(question, list(columns), survey, language)
            for question, columns in groupby(variables, key=lambda variable: variable.question)
        ],
    }


def _question(
    question: Question, columns: Sequence[Variable], survey: Survey, language: str
) -> dict[str, Any]:
    personal, known = question.personal, question.known
    return {
        "name": question.name,
        "text": question.text[language],
        "help": question.help and question.help[language],
        "several": question.several,
        "may_skip": question.skip is not None,
        "asked_if": {name: list(values) for name, values in question.condition.items()},
        "columns": [_column(variable) for variable in columns],
        "personal": personal
        and {
            "text": personal.text[language],
            "source": personal.source,
            "shares": _personal_shares(survey, question),
        },
        "known": known
        and {
            "shares": {value: exact(share) for value, share in known.shares.items()},
            "source": known.source,
        },
    }


def _column(variable: Variable) -> dict[str, Any]:
    values = zip(variable.attribute.values, variable.codes, variable.words, strict=True)
    return {
        "name": variable.name,
        "text": variable.text,
        "values": [{"value": v, "code": c, "text": w} for v, c, w in values],
        "disguise": variable.disguise,
    }


def _personal_shares(survey: Survey, question: Question) -> dict[str, dict[str, str]] | None:
    """The shares that personal answers are taken to have; None where they are known jointly."""
    names = {attribute.name for attribute in question.attributes}
    for group in survey.design.document()["groups"]:
        shares = group.get("personal")
        if names & set(group["attributes"]) and isinstance(shares, Mapping):
            if "joint" in shares:
                return None
            return {name: dict(each) for name, each in shares.items() if name in names}
    return None


def as_markdown(book: Mapping[str, Any]) -> Iterator[str]:
    """Write the codebook for people, line by line."""
    yield f"# {_plain(book['title'])}: codebook"
    yield ""
    yield f"**{MEANING}**"
    yield ""
    counted = ", ".join(f"{number:,} {arm}" for arm, number in book["answers"].items())
    yield f"- Answers: {counted}."
    yield f"- Survey: `{book['survey']}`, fingerprint `{book['survey_fingerprint']}`."
    yield f"- Design: `design.yaml`, fingerprint `{book['design_fingerprint']}`."
    yield "- CSV and Parquet hold the values; SPSS and Stata the codes, labelled by the words."
    if "direct" in book["answers"]:
        yield f"- {DIRECT}"
    if book["plain_values"]:
        yield f"- {PLAIN} So do {', '.join(f'`{_plain(v)}`' for v in book['plain_values'])}."
    for question in book["questions"]:
        yield from _about(question)
    if book["controls"]:
        yield from _followed(book["controls"])


def _followed(check: Mapping[str, Any]) -> Iterator[str]:
    """What control items say about everything else, with shares that are corrected for it."""
    headline, *more = check["sentences"]
    yield from ("", "## Do people follow the device?", "", f"**{headline}**", "")
    yield from (f"- {sentence}" for sentence in more)
    kinds = {kind["kind"]: kind["words"] for kind in check["kinds"]}
    if not kinds:
        return
    yield from ("", "Shares, corrected (95 % intervals; they hold the error of the rate, too):", "")
    at_once = ["All kinds at once"] if check["together"] else []
    yield from _table(
        ("Answer", *at_once, *(f"If they {words}" for words in kinds.values())),
        [
            (
                f"{share['attribute']} = {share['value']}",
                *(_interval(share["together"]) for _ in at_once),
                *(_interval(share["alone"].get(kind)) for kind in kinds),
            )
            for share in check["shares"]
        ],
    )


def _interval(found: Mapping[str, float] | None) -> str:
    if found is None:
        return "–"
    return f"{percent(found['share'])} ({percent(found['low'])} to {percent(found['high'])})"


def _about(question: Mapping[str, Any]) -> Iterator[str]:
    columns = question["columns"]
    yield from ("", f"## {question['name']}", "", f"> {_plain(question['text'])}", "")
    if question["help"]:
        yield from (_plain(question["help"]), "")
    if question["several"]:
        yield from ("Several answers were possible: one column for each.", "")
        yield from _table(
            ("Column", "Option", "Values"),
            [
                (
                    f"`{column['name']}`",
                    column["text"].removeprefix(question["text"]).strip(),
                    ", ".join(f"{v['code']} = {v['value']}" for v in column["values"]),
                )
                for column in columns
            ],
        )
    else:
        yield from _table(
            ("Code", "Value", "Words"),
            [(str(v["code"]), f"`{v['value']}`", v["text"]) for v in columns[0]["values"]],
        )
    disguise = columns[0]["disguise"]
    yield from ("", f"Disguise: {disguise}" if disguise else "Not disguised: sent as it is.")
    if question["may_skip"]:
        yield from ("", SKIPS)
    if question["asked_if"]:
        terms = (f"`{_plain(n)}` = {joined(v, 'or')}" for n, v in question["asked_if"].items())
        yield from ("", f"Asked only of people with {joined(terms)}. {PARTLY}")
    if question["personal"]:
        yield from _personal(question["personal"])
    if question["known"]:
        shares = _shares(question["known"]["shares"])
        yield from ("", f"Control item; true shares are known: {shares}.")
        yield from ("", f"Source: {_plain(question['known']['source'])}")


def _personal(personal: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"Asked beside it: {_plain(personal['text'])}", "")
    for name, shares in (personal["shares"] or {}).items():
        yield f"- `{name}`: {_shares(shares)}"
    if personal["shares"] is None:
        yield "- The shares of the answers are in design.yaml, jointly."
    yield from ("", f"Source of these shares: {_plain(personal['source'])}")


def _shares(shares: Mapping[str, str]) -> str:
    return ", ".join(f"{_plain(value)} {share}" for value, share in shares.items())


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield f"|{' --- |' * len(headings)}"
    for row in rows:
        cells = [_plain(cell).replace("|", r"\|") for cell in row]
        yield f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """One line."""
    return " ".join(text.split())
