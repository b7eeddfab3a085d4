"""What people read of a naive Bayes model: its classes, and what speaks for and against each."""

from collections.abc import Iterator, Sequence

from deniable.base.wording import decimal, percent, plural, plus_minus
from deniable.expression import Conjunction
from deniable.mine.bayes import NaiveBayes
from deniable.mine.miner import ModelTable
from deniable.mine.speaking_values import SpeakingValue, speaking_values

SHOWN_FOR_TWO, SHOWN_FOR_EACH = 10, 6
"""Values that are listed where there are two classes; for each of several."""


def bayes_tables(model: NaiveBayes) -> Iterator[ModelTable | str]:
    """The classes, how common each is; then what speaks for them. Two classes are told at once."""
    values = model.schema[model.target].values
    about = {"sample": "these respondents", "population": "the population"}
    yield ModelTable(
        f"Naive Bayes for {model.target} from {plural(len(model.features), 'feature')}, "
        f"{model.n:,} records; standard errors are about {about[model.of]}.",
        [model.target, "#Prior", "#Estimated count", "#Std. error"],
        [
            [value, f"{prior:.3f}", decimal(count, 0), decimal(error, 0)]
            for value, prior, count, error in zip(
                values,
                model.prior,
                model.classes.value,
                model.classes.std_error,
                strict=True,
            )
        ],
    )
    if len(values) == 2:  # noqa: PLR2004 (what speaks for one speaks against the other)
        yield from _told(model, 1, values[0], SHOWN_FOR_TWO)
        return
    for label in range(len(values)):
        yield from _told(model, label, "others", SHOWN_FOR_EACH)


def _told(model: NaiveBayes, label: int, other: str, most: int) -> Iterator[ModelTable | str]:
    """The strongest values for a class and against it, and how many others there are."""
    found, own = speaking_values(model, label), model.schema[model.target].values[label]
    shown = _strongest(found.speaking, most)
    name = str(Conjunction.of({model.target: own}))
    if not shown:
        yield (
            f"No answer speaks for {name} or against it: noise and chance explain all differences, "
            f"of {plural(found.silent, 'value')}."
        )
        return
    yield ModelTable(
        f"What speaks for {name} (log-odds above 0) and against it (below), "
        "± standard error about the population.",
        ["Answer", "#Log-odds", f"#Among {own}", f"#Among {other}"],
        [
            [
                str(Conjunction.of({each.feature: each.value})),
                _odds(each),
                percent(each.share),
                percent(each.other),
            ]
            for each in shown
        ],
    )
    left, said = len(found.speaking) - len(shown), []
    if left:
        said.append(f"{plural(left, 'value speaks', 'values speak')} less strongly.")
    if found.silent:
        others = plural(found.silent, "other value tells", "other values tell")
        said.append(f"{others} nothing that noise and chance could not explain.")
    if said:
        yield " ".join(said)


def _strongest(speaking: Sequence[SpeakingValue], most: int) -> list[SpeakingValue]:
    """As many for as against, if there are; from the strongest for to the strongest against."""
    for_it = [each for each in speaking if each.log_odds > 0]
    against = [each for each in speaking if each.log_odds <= 0]
    half = max(most // 2, most - len(against))
    chosen = for_it[:half]
    chosen += against[: most - len(chosen)]
    return sorted(chosen, key=lambda each: -each.log_odds)


def _odds(each: SpeakingValue) -> str:
    if each.std_error is not None:
        return plus_minus(each.log_odds, each.std_error, 2)
    return f"{'above' if each.log_odds > 0 else 'below'} {decimal(each.log_odds, 2)}"
