"""What came of a survey that is closed: who took part, and every share, as its export has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deniable.base.errors import DataError
from deniable.compliance.check_sentences import sentences
from deniable.compliance.interval import Interval
from deniable.survey.board_papers.facts import KEPT_TOGETHER, Numbers
from deniable.survey.export.variables import Variable, variables_of
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.survey import NO_YES
from deniable.survey.results import Results, results
from deniable.survey.store.participation import Participation
from deniable.survey.store.store import Store

_NO_YES_OF = {"en": NO_YES, "de": ("nein", "ja")}


@dataclass(frozen=True)
class Fieldwork:
    """A survey that is over; dates are as the researcher gives them, for none are kept."""

    participation: Participation
    results: Results
    began: str | None = None
    ended: str | None = None


@dataclass(frozen=True)
class ResultRow:
    """One share as it is printed."""

    question: str
    answer: str
    n: str
    share: str
    low: str
    high: str
    directly: bool


def fieldwork_of(store: Store, began: str | None, ended: str | None) -> Fieldwork | None:
    """Read a survey that is closed and shows results; None while it is not over."""
    if store.is_open:
        return None
    found = results(store.survey, store.reports("disguised"), store.reports("direct"))
    if not found.shares:
        raise DataError(
            "The survey is closed, and its answers are too few to be shown.",
            hint="Write the papers without its database: move it, or name the survey's copy.",
        )
    return Fieldwork(store.participation(), found, began, ended)


def told(found: Fieldwork, survey: Survey, language: str, numbers: Numbers) -> Mapping[str, Any]:
    """Word it for the papers."""
    people, counted = found.participation, found.results
    invited, begun, finished = people.invited, people.begun, people.finished
    broken_off = begun.low - finished.low if people.over and begun and begun.exact else -1
    kept = counted.people + counted.directly
    return {
        "began": found.began,
        "ended": found.ended,
        "invited": None if invited is None else numbers.whole(invited),
        "begun": begun and numbers.own(str(begun)),
        "finished": numbers.own(str(finished)),
        "rate": numbers.percent(finished.low / invited) if invited and people.over else "",
        "broken_off": None if broken_off < 0 else numbers.whole(broken_off),
        "deleted": numbers.whole(finished.low - kept)
        if people.over and finished.low > kept
        else "",
        "disguised": numbers.whole(counted.people),
        "directly": None if survey.direct is None else numbers.whole(counted.directly),
        "rows": _rows(counted, survey, language, numbers),
        "followed": list(sentences(counted.controls, counted.people)) if counted.controls else [],
        "corrected": _corrected(counted, survey, language, numbers),
    }


def _corrected(
    found: Results, survey: Survey, language: str, numbers: Numbers
) -> list[list[str]] | None:
    """Shares as they would be if some ignore the device, below their heads; None if none seem to.

    For all kinds of such people at once where control items tell them apart, else for each alone.
    """
    check = found.controls
    if check is None or check.verdict != "seen":
        return None
    variables = {variable.name: variable for variable in variables_of(survey, language)}
    kinds = [] if check.together else list(check.kinds)
    rows = [[kind.words for kind in kinds]]
    for share in check.shares:
        variable = variables[share.attribute]
        if variable.question.known:
            continue
        alone = [share.alone.get(kind.kind) for kind in kinds]
        cells = [_span(each, numbers) for each in (alone or [share.together])]
        rows.append(
            [" ".join(variable.text.split()), _word(variable, share.value, language), *cells]
        )
    return rows


def _span(share: Interval | None, numbers: Numbers) -> str:
    if share is None:
        return "–"
    low, high = numbers.percent(share.low), numbers.percent(share.high)
    low = low.removesuffix(f"{KEPT_TOGETHER}%")
    return f"{numbers.percent(share.share)} ({low} … {high})".replace(" ", KEPT_TOGETHER)


def _word(variable: Variable, value: str, language: str) -> str:
    """An answer in the survey's words, or yes or no where several answers were possible."""
    if not variable.question.several:
        return variable.words[variable.attribute.code(value)]
    if value not in NO_YES:
        return variable.question.skip[language] if variable.question.skip else value
    return _NO_YES_OF[language.split("-", maxsplit=1)[0]][NO_YES.index(value)]


def _rows(found: Results, survey: Survey, language: str, numbers: Numbers) -> list[ResultRow]:
    variables = {variable.name: variable for variable in variables_of(survey, language)}

    def row(name: str, value: str, share: Interval, n: int | None, *, directly: bool) -> ResultRow:
        variable = variables[name]
        return ResultRow(
            " ".join(variable.text.split()),
            _word(variable, value, language),
            "–" if n is None else numbers.whole(n),
            numbers.percent(share.share),
            numbers.percent(share.low).removesuffix(f"{KEPT_TOGETHER}%"),
            numbers.percent(share.high),
            directly,
        )

    rows = []
    for share in found.shares:
        asked = found.people if share.asked is None else share.asked
        rows.append(row(share.attribute, share.value, share.estimate, asked, directly=False))
        if share.direct is not None and share.disguised:
            # How many of these were asked a question that is not for everybody, results do not say.
            n = found.directly if share.asked is None else None
            rows.append(row(share.attribute, share.value, share.direct, n, directly=True))
    return rows
