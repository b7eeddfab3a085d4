"""All that is worrying about reports: the design's own flaws, and what a reader would find out."""

from collections.abc import Iterator

import numpy as np

from deniable.base.wording import of_100, people, percent, points
from deniable.privacy.measures.breach import Suspicion
from deniable.privacy.measures.single_answer import best_guess
from deniable.privacy.measures.standard_error import margin
from deniable.privacy.report.design_warnings import OPEN, PrivacyWarning, design_warnings
from deniable.privacy.report.figures import AttributePrivacy, PrivacyReport

GAIN = 0.1
"""What must be added to a guess to be called out."""

UNIQUE = 0.05
"""Share of people alone with their public attributes, above which it is called out."""

UNCERTAIN_GUESS = 0.05
"""Standard error of a share above which guesses that rest on it are called uncertain."""

WHOEVER = {
    "shares": "Whoever knows the given shares",
    "records": "Whoever knows how common each combination is",
    "reports": "Whoever estimates from the reports how common each combination is",
}


def report_warnings(report: PrivacyReport) -> list[str]:
    """Give the sentences, the most serious first."""
    found = [*design_warnings(report.design), *_of_readers(report)]
    return [concern.sentence for concern in sorted(found, key=lambda concern: -concern.weight)]


def _of_readers(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    """What somebody who knows the population would find out."""
    if report.population.source == "even":
        return
    yield from _uncertain_shares(report)
    yield from _open_records(report)
    yield from _open_answers(report)
    yield from _given_away_in_public(report)
    yield from _breaches(report)
    yield from _alone_in_public(report)


def _uncertain_shares(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    """Shares that were estimated from reports too few, or too disguised, to be believed."""
    if report.population.source != "reports":
        return
    errors = [
        (influence.std_error, attribute.name)
        for attribute in report.attributes.values()
        for influence in attribute.influences
    ]
    error, name = max(errors, default=(0.0, ""))
    if error > UNCERTAIN_GUESS:
        yield PrivacyWarning(
            99,
            f"From these reports the shares of {name} are known to ± {points(margin(error))} "
            "points only: what a reader expects to guess says little about what they can.",
        )


def _open_records(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    before, guess = report.record.before, report.record.guess
    if len(report.attributes) < 2 or before is None or guess is None:  # noqa: PLR2004
        return
    if guess > before + GAIN and guess > min(OPEN, max(2 * before, 0.5)):
        yield PrivacyWarning(
            97 if guess >= OPEN else 93,
            f"{WHOEVER[report.population.source]} reads the whole record of {of_100(guess)} people "
            f"right ({people(before)} without a report).",
        )


def _open_answers(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    """Answers that the rest of a report gives away; the worst is named."""
    exposed = [attribute for attribute in report.attributes.values() if _is_exposed(attribute)]
    if exposed:
        worst = max(exposed, key=lambda attribute: attribute.guess or 0.0)
        yield PrivacyWarning(
            70,
            f"{worst.name} is guessed right for {of_100(worst.guess or 0)} people from the whole "
            f"report: {people(worst.guess_alone)} from its own answer, {people(worst.before or 0)} "
            "without any report.",
        )


def _is_exposed(attribute: AttributePrivacy) -> bool:
    before, guess = attribute.before, attribute.guess
    if before is None or guess is None or guess <= before + GAIN:
        return False
    return guess >= OPEN or guess > attribute.guess_alone + GAIN


def _given_away_in_public(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    for attribute in report.attributes.values():
        before = attribute.before
        if before is not None and before >= OPEN and before > best_guess(attribute.prior) + GAIN:
            yield PrivacyWarning(
                68,
                f"The public attributes alone give {attribute.name} away for {of_100(before)} "
                "people: the disguise cannot help them.",
            )


def _breaches(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    """Suspicions that some report turns around; where truths are excluded, that was said before."""
    low, high = report.breach
    finite = {name for group in report.groups if group.epsilon < np.inf for name in group.names}
    found = [
        (suspicion.before <= low, abs(_after(suspicion, low) - suspicion.before), name, suspicion)
        for name, attribute in report.attributes.items()
        for suspicion in attribute.suspicions
        if name in finite and suspicion.breached(low, high)
    ]
    if found:
        lifted, _, name, worst = max(found, key=lambda each: each[:2])
        more = f" ({len(found) - 1} more values jump like that)" if len(found) > 1 else ""
        yield PrivacyWarning(
            66,
            f"Some report {'lifts' if lifted else 'drops'} {name}={worst.value} from "
            f"{percent(worst.before)} to {percent(_after(worst, low))} likely{more}.",
        )


def _after(suspicion: Suspicion, low: float) -> float:
    return suspicion.highest if suspicion.before <= low else suspicion.lowest


def _alone_in_public(report: PrivacyReport) -> Iterator[PrivacyWarning]:
    """People whom their public attributes single out: their report is no secret, only disguised."""
    names, everybody = report.design.public, report.population
    blocks = [block for block in everybody.blocks if set(names) <= set(block.names)]
    if not names or not blocks or everybody.n is None:
        return
    _, place = blocks[0].distinct(names)
    counts = np.bincount(place, blocks[0].shares * everybody.n)
    alone = float((counts.round() == 1).sum()) / everybody.n
    if alone > UNIQUE:
        yield PrivacyWarning(
            55,
            f"{of_100(alone)} people are the only one with their public attributes: whoever knows "
            "these finds their report.",
        )
