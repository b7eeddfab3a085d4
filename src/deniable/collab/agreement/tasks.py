"""What is mined: the miner, and the options that it takes in a collaboration.

The miners check their options themselves, but only once they run, at the end of a long way. Here
they are checked while the file is read, so that nobody approves what cannot be done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, Literal, cast, get_args

from deniable.base.entries import Entry
from deniable.base.errors import nearest, shortened
from deniable.mine.bayes import Constraint
from deniable.mine.models.model import checked_features, checked_target
from deniable.mine.rules.apriori import Items
from deniable.mine.rules.association_rules import Conclusions
from deniable.mine.tree.decision_tree import Growth
from deniable.mine.tree.noise_rule import MOST_FOLDS
from deniable.oracle.api import Target
from deniable.schema import Schema

Kind = Literal["tree", "rules", "bayes"]
Mode = Literal["collect", "pool", "counts", "secure", "hybrid"]
Reader = Callable[[Entry, Schema], Any]

HINTS: Mapping[Kind, str] = {
    "tree": "Write tree: {target: column}.",
    "rules": "Write rules: {min_support: 0.1, min_confidence: 0.6}.",
    "bayes": "Write bayes: {target: column}.",
}
TASK_REQUIRED: Mapping[Kind, tuple[str, ...]] = {
    "tree": ("target",),
    "rules": ("min_support", "min_confidence"),
    "bayes": ("target",),
}


@dataclass(frozen=True)
class Task:
    """A miner and its options, ready to be called with: ``mine_tree(oracle, **options)``."""

    kind: Kind
    options: Mapping[str, Any] = field(hash=False)

    @property
    def target(self) -> str | None:
        """The column that is predicted, if one is."""
        target: str | None = self.options.get("target")
        return target


def read_task(entry: Entry, mode: Mode, schema: Schema) -> Task:
    """Read the ``mine`` entry of a collaboration over some columns."""
    hint = "Write one of tree, rules and bayes: mine: {tree: {target: column}}."
    chosen = entry.entries(hint, get_args(Kind))
    if len(chosen) > 1:
        raise entry.mistake("A collaboration mines one model.", "Keep one of them.")
    ((key, inner),) = chosen.items()
    kind = cast(Kind, key)
    readers = OPTIONS[kind]
    given = inner.entries(HINTS[kind], tuple(readers), TASK_REQUIRED[kind])
    options = {name: readers[name](each, schema) for name, each in given.items()}
    if kind != "rules":
        with inner.judged():
            named = checked_features(options.get("features"), options["target"], schema)
        if named == (options["target"],):
            raise inner.mistake(
                f"There is no column to predict {options['target']!r} from.", "Name at least one."
            )
    if mode == "hybrid" and kind == "bayes":
        raise inner.mistake(
            "Naive Bayes has no candidates to confirm, so hybrid would count everything twice.",
            "Use mode: secure or mode: collect, or mine a tree or rules.",
        )
    if kind == "tree":
        options = _tree_options(inner, options, mode)
    if kind == "rules":
        _check_items(inner, options, schema)
    return Task(kind, options)


def _tree_options(entry: Entry, options: dict[str, Any], mode: Mode) -> dict[str, Any]:
    """Fill in what the mode leaves no doubt about, and refuse what it has no use for."""
    if mode == "hybrid":
        options.setdefault("window", "adaptive")
    elif "window" in options:
        raise entry.mistake(
            "A window says how many candidates are confirmed by secure counts, and only hybrid "
            "does both.",
            "Use mode: hybrid, or leave the window out.",
        )
    # Exact counts need no softening, and sites that give counts only cannot be divided into folds.
    plain = mode in {"secure", "hybrid"} or (mode == "counts" and "strength" not in options)
    growth = options.setdefault("growth", "faithful" if plain else "noise-aware")
    softening = sorted({"cv", "random_state", "strength"} & set(options))
    if growth == "faithful" and softening:
        raise entry.mistake(
            f"A faithful tree is not softened, so {softening[0]} has no use.",
            "Leave it out, or add growth: noise-aware.",
        )
    if mode == "counts" and growth == "noise-aware" and "strength" not in options:
        raise entry.mistake(
            "Sites that give counts only cannot be divided into folds to find the strength.",
            "Add strength: 1, or use growth: faithful.",
        )
    return options


def _check_items(entry: Entry, options: Mapping[str, Any], schema: Schema) -> None:
    items, target = Items.of(schema, options.get("items", "all")), options.get("target")
    if target is not None and schema.position(target) not in items.attribute:
        raise entry.mistake(
            f"By this choice, no item is a value of the target {target!r}.",
            "Choose items of the target too.",
        )


def _target(entry: Entry, schema: Schema) -> str:
    name = entry.text("Name a column.")
    if name not in schema:
        raise entry.mistake(f"There is no column {name!r}.", nearest(name, schema.names))
    with entry.judged():
        return checked_target(name, schema)


def _features(entry: Entry, schema: Schema) -> list[str]:
    return list(entry.chosen(schema.names, "column"))


def _items(entry: Entry, schema: Schema) -> str | list[str]:
    if not isinstance(entry.value, list):
        return entry.choice(("all", "yes"))
    found = [item.text("Write it as smokes=yes.") for item in entry.items("", least=0)]
    with entry.judged():
        Items.of(schema, found)
    return found


def _window(entry: Entry, schema: Schema) -> int | str | None:
    if entry.value == "full":
        return None
    return _whole(1)(entry, schema) if str(entry.value).isdigit() else entry.choice(("adaptive",))


def _tolerance(entry: Entry, schema: Schema) -> float | str:
    return "derived" if entry.value == "derived" else _number(0, 1)(entry, schema)


def _number(
    least: float, most: float = inf, *, above: bool = False, below: bool = False
) -> Callable[[Entry, Schema], float]:
    """Read a number within limits; `above` or `below` shuts out the limit itself."""

    def read(entry: Entry, _: Schema) -> float:
        word = entry.text("Write a number, as 0.5.")
        try:
            number = float(word)
        except ValueError:
            raise entry.mistake(
                f"{shortened(word)} is not a number.", "Write one, as 0.5."
            ) from None
        inside = (number > least if above else number >= least) and (
            number < most if below else number <= most
        )
        if not (inside and isfinite(number)):
            lower = f"{'above' if above else 'at least'} {least:g}"
            upper = "" if most == inf else f" and {'below' if below else 'at most'} {most:g}"
            raise entry.mistake(f"{word} is out of range.", f"Give {lower}{upper}.")
        return number

    return read


def _whole(least: int, most: int | None = None) -> Callable[[Entry, Schema], int]:
    return lambda entry, _: entry.whole(least, most)


def _one_of(known: object) -> Callable[[Entry, Schema], str]:
    return lambda entry, _: entry.choice(get_args(known))


OPTIONS: Mapping[Kind, Mapping[str, Reader]] = {
    "tree": {
        "target": _target,
        "features": _features,
        "window": _window,
        "growth": _one_of(Growth),
        "max_depth": _whole(0),
        "strength": _number(0),
        "cv": _whole(2, MOST_FOLDS),
        "random_state": _whole(0),
    },
    "rules": {
        "min_support": _number(0, 1, above=True),
        "min_confidence": _number(0, 1),
        "min_lift": _number(0),
        "target": _target,
        "conclusions": _one_of(Conclusions),
        "max_len": _whole(1),
        "items": _items,
        "tolerance": _tolerance,
        "of": _one_of(Target),
        "level": _number(0.5, 1, above=True, below=True),
    },
    "bayes": {
        "target": _target,
        "features": _features,
        "alpha": _number(0, above=True),
        "constraint": _one_of(Constraint),
    },
}
"""What each miner takes: all of its options but `confirm`, which the mode decides."""
