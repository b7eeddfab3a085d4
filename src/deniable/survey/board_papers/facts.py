"""What the papers say of a survey: its questions, the rules of its disguise, what was measured."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isinf

from deniable.base.wording import (
    as_chance,
    epsilon_bound,
    joined,
    people,
    percent,
    points,
    times,
)
from deniable.channel.channel import exact
from deniable.design import Group
from deniable.privacy.measures.influence import influences
from deniable.privacy.measures.single_answer import entry_matrix
from deniable.privacy.measures.standard_error import margin
from deniable.privacy.report.figures import PrivacyFigures, PrivacyReport
from deniable.survey.board_papers.rule_sentences import (
    PHRASES,
    law_sentence,
    outcome_sentence,
    together,
)
from deniable.survey.export.variables import Variable, variables_of
from deniable.survey.questionnaire import Survey

_GERMAN = str.maketrans(".,", ",.")
_AND = {"de": "und"}

KEPT_TOGETHER = "\N{NO-BREAK SPACE}"
"""Between a figure and its sign."""


@dataclass(frozen=True)
class Numbers:
    """Figures as a language writes them."""

    language: str

    def own(self, text: str) -> str:
        """A figure that was written in English."""
        return text.translate(_GERMAN) if self.language == "de" else text

    def percent(self, share: float) -> str:
        """A share that was counted or estimated."""
        return self.own(percent(share)).replace(" %", f"{KEPT_TOGETHER}%")

    def chance(self, chance: float | Fraction) -> str:
        """A probability that somebody chose."""
        return self.own(as_chance(chance))

    def points(self, half: float) -> str:
        """A margin in percentage points, rounded up."""
        return self.own(points(half))

    def whole(self, number: int) -> str:
        """A count."""
        return self.own(f"{number:,}")

    def joined(self, words: Sequence[str]) -> str:
        """Words in a sentence."""
        return joined(words, _AND.get(self.language, "and"))


@dataclass(frozen=True)
class DeviceRule:
    """What a group's device does."""

    questions: tuple[str, ...]
    kind: str
    sentence: str


@dataclass(frozen=True)
class Risk:
    """What one report tells a reader about an answer, or about all of them."""

    name: str
    before: str
    after: str
    attacked: str
    epsilon: str
    times: str
    """How many times likelier a report may be under one truth than under another; "": no bound."""


@dataclass(frozen=True)
class Precision:
    """Half the width of a 95 % interval, by the number of answers."""

    name: str
    halves: tuple[str, ...]


def rules_of(survey: Survey, language: str) -> list[DeviceRule]:
    """The rule of each group, in the words of its first question."""
    labels = _labels(survey, language)
    return [_rule(group, labels, language) for group in survey.design.groups]


def _rule(group: Group, labels: Mapping[str, Variable], language: str) -> DeviceRule:
    numbers, phrases = Numbers(language), PHRASES[language]
    words = labels[group.names[0]].words
    chances = [(numbers.chance(o.chance), o) for o in group.channel.outcomes() if o.chance]
    if chances:
        beside = [labels[name].question.personal for name in group.names]
        asked = [each.text[language] for each in beside if each is not None]
        sentence = outcome_sentence(chances, words, phrases, asked)
    else:
        law = [
            (
                word,
                [(words[code], numbers.chance(c)) for code, c in enumerate(column) if c],
            )
            for word, column in zip(words, group.channel.exact_columns(), strict=True)
        ]
        sentence = law_sentence(law, phrases)
    questions = (labels[name].question.text[language] for name in group.names)
    return DeviceRule(
        tuple(dict.fromkeys(questions)), group.channel.kind, together(group, sentence, phrases)
    )


def certain_reports(survey: Survey, language: str) -> list[tuple[str, str]]:
    """Answers whose being sent leaves no doubt, with their questions: only one truth sends them."""
    found = []
    for group in survey.design.groups:
        for name in group.names:
            variable = _labels(survey, language)[name]
            for code, chances in enumerate(entry_matrix(group, name)):
                if (chances > 0).sum() == 1:
                    found.append((" ".join(variable.text.split()), variable.words[code]))
    return found


def risks_of(
    survey: Survey, report: PrivacyReport, language: str
) -> tuple[list[Risk], Risk | None]:
    """What a reader finds out of each disguised answer, and of the whole record if several are."""
    labels = _labels(survey, language)
    each = [
        _risk(labels[name].text, figures, language) for name, figures in report.attributes.items()
    ]
    whole = _risk("", report.record, language) if len(each) > 1 else None
    return each, whole


def _risk(name: str, figures: PrivacyFigures, language: str) -> Risk:
    numbers = Numbers(language)
    attacked = ""
    if figures.measured is not None:
        half = margin(figures.measured.std_error)
        attacked = f"{numbers.percent(figures.measured.success)} ± {numbers.points(half)}".replace(
            " ", KEPT_TOGETHER
        )
    ratio = "" if isinf(figures.epsilon) else numbers.own(times(figures.epsilon))
    return Risk(
        " ".join(name.split()),
        _of_100(figures.before, numbers),
        _of_100(figures.guess, numbers),
        attacked,
        numbers.own(epsilon_bound(figures.epsilon)),
        ratio,
    )


def _of_100(share: float | None, numbers: Numbers) -> str:
    if share is None:
        return "–"
    if numbers.language == "de":
        said = people(share)
        return {"none": "0", "fewer than 1": "unter 1", "more than 99": "über 99"}.get(said, said)
    return people(share)


def precision_of(
    survey: Survey, report: PrivacyReport, language: str, planned: Sequence[int]
) -> Iterator[Precision]:
    """How well the shares of each disguised question will be known; the worst of its answers."""
    labels, numbers = _labels(survey, language), Numbers(language)
    for group in survey.design.groups:
        for name in group.names:
            prior = report.attributes[name].prior
            halves = tuple(
                numbers.points(margin(max(i.std_error for i in influences(group, name, prior, n))))
                for n in (round(many * (1 - (survey.direct or 0))) for many in planned)
            )
            yield Precision(" ".join(labels[name].text.split()), halves)


def known_of(survey: Survey, language: str) -> list[tuple[str, str, str]]:
    """Control items: the question, its known shares, and how they are known."""
    found = []
    for question in survey.reported:
        if question.known:
            words = {option.value: option.text[language] for option in question.options}
            shares = (f"{words[v]} {exact(s)}" for v, s in question.known.shares.items())
            found.append((question.text[language], ", ".join(shares), question.known.source))
    return found


def _labels(survey: Survey, language: str) -> dict[str, Variable]:
    return {variable.name: variable for variable in variables_of(survey, language)}
