"""What is mined: the miner, and the options that it takes in a collaboration.

The miners check their options themselves, but only once they run, at the end of a long way. Here
they are checked while the file is read, so that nobody approves what cannot be done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, Literal, get_args

from deniable.base.entries import Entry
from deniable.base.errors import nearest, shortened
from deniable.mine.miner import Miner, MinerKeyword, MinerOption
from deniable.mine.model import checked_features, checked_target
from deniable.mine.models.find_miner import find_miner, miner_names
from deniable.mine.rules.apriori import Items
from deniable.mine.rules.conclusions import Concluded, HowMany
from deniable.oracle.api import CountOracle
from deniable.schema import Schema

Mode = Literal["collect", "pool", "counts", "secure", "hybrid"]

WITH_RECORDS: frozenset[Mode] = frozenset({"collect", "pool"})
"""Modes in which the leader has disguised records, and mines these alone: by any miner."""

Reader = Callable[[Entry, Schema], Any]


@dataclass(frozen=True)
class Task:
    """A miner and its options, ready to be called with: ``mine_tree(oracle, **options)``."""

    kind: str
    options: Mapping[str, Any] = field(hash=False)

    @property
    def miner(self) -> Miner:
        """What mines."""
        return find_miner(self.kind)

    @property
    def target(self) -> str | None:
        """The column that is predicted, if one is."""
        target: str | None = self.options.get("target")
        return target


def read_task(entry: Entry, mode: Mode, schema: Schema, *, several_samples: bool = False) -> Task:
    """Read the ``mine`` entry of a collaboration over some columns.

    Where sites are several samples of an unknown personal distribution, they tell of the
    population, and have no channel by which counts could be shrunk.
    """
    hint = "Write one of tree, rules, itemsets and bayes: mine: {tree: {target: column}}."
    chosen = entry.entries(hint, miner_names())
    if len(chosen) > 1:
        raise entry.mistake("A collaboration mines one model.", "Keep one of them.")
    ((kind, inner),) = chosen.items()
    with inner.judged():
        miner = find_miner(kind)
        readers = task_readers(miner)
    if not miner.counts_only and mode not in WITH_RECORDS:
        raise inner.mistake(
            f"{miner.noun[0].upper()}{miner.noun[1:]} takes disguised records at the leader alone, "
            f"and mode: {mode} mines by counts.",
            "Use mode: collect or pool, or mine a tree or rules.",
        )
    required = {each.name: _example(each) for each in miner.keywords() if each.required}
    example = ", ".join(f"{name}: {value}" for name, value in required.items())
    given = inner.entries(f"Write {kind}: {{{example}}}.", tuple(readers), tuple(required))
    options = {name: readers[name](each, schema) for name, each in given.items()}
    if "features" in readers:
        with inner.judged():
            named = checked_features(options.get("features"), options["target"], schema)
        if named == (options["target"],):
            raise inner.mistake(
                f"There is no column to predict {options['target']!r} from.", "Name at least one."
            )
    if mode == "hybrid" and "confirm" not in miner.parameters:
        raise inner.mistake(
            f"{miner.noun[0].upper()}{miner.noun[1:]} has no candidates to confirm, so hybrid "
            "would count everything twice.",
            "Use mode: secure or mode: collect, or mine a tree or rules.",
        )
    asks_of = several_samples and "of" in miner.parameters
    if asks_of and options.setdefault("of", "population") != "population":
        raise inner.mistake(
            "With an unknown personal distribution the sites tell of the population only.",
            "Write of: population, or leave it out.",
        )
    if kind == "tree":
        if several_samples and options.setdefault("growth", "noise-aware") == "shrunk":
            raise inner.mistake(
                "With an unknown personal distribution there is no channel to shrink counts by.",
                "Use growth: noise-aware or faithful, or leave it out.",
            )
        options = _tree_options(inner, options, mode)
    if kind == "rules":
        _check_items(inner, options, schema)
    if options.get("constraint") == "likelihood" and mode not in {"collect", "pool"}:
        raise inner.mistake(
            f"A likelihood is of disguised records at the leader, and mode: {mode} has none.",
            "Use constraint: expected, or mode: collect or pool.",
        )
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
    # Exact counts need no shrinking, and sites that give counts only cannot be divided into folds.
    plain = mode in {"secure", "hybrid"} or (mode == "counts" and "strength" not in options)
    softening = sorted({"cv", "random_state", "strength"} & set(options))
    reports = "noise-aware" if softening else "shrunk"
    growth = options.setdefault("growth", "faithful" if plain else reports)
    if growth != "noise-aware" and softening:
        raise entry.mistake(
            f"A {growth} tree is not softened, so {softening[0]} has no use.",
            "Leave it out, or add growth: noise-aware.",
        )
    if growth == "shrunk" and mode in {"counts", "secure", "hybrid"}:
        raise entry.mistake(
            f"Shrunk counts are of disguised records at the leader, and mode: {mode} has none.",
            "Use growth: faithful, or mode: collect or pool.",
        )
    if mode == "counts" and growth == "noise-aware" and "strength" not in options:
        raise entry.mistake(
            "Sites that give counts only cannot be divided into folds to find the strength.",
            "Add strength: 1, or use growth: faithful.",
        )
    return options


def _check_items(entry: Entry, options: Mapping[str, Any], schema: Schema) -> None:
    items = Items.of(schema, options.get("items", "all"))
    with entry.judged():
        Concluded.of(items, options.get("conclusions", "any"), options.get("target"))


def _target(entry: Entry, schema: Schema) -> str:
    name = entry.text("Name a column.")
    if name not in schema:
        raise entry.mistake(f"There is no column {name!r}.", nearest(name, schema.names))
    with entry.judged():
        return checked_target(name, schema)


def _items(entry: Entry, schema: Schema) -> str | list[str]:
    if not isinstance(entry.value, list):
        return entry.choice(("all", "yes"))
    found = [item.text("Write it as smokes=yes.") for item in entry.items("", least=0)]
    with entry.judged():
        Items.of(schema, found)
    return found


def _conclusions(entry: Entry, schema: Schema) -> str | list[str]:
    if not isinstance(entry.value, list):
        return entry.choice(get_args(HowMany))
    found = [item.text("Write it as smokes=yes.") for item in entry.items("", least=0)]
    with entry.judged():
        Concluded.of(Items.of(schema, "all"), found, None)
    return found


def _window(entry: Entry, _: Schema) -> int | str | None:
    if str(entry.value).isdigit():
        return entry.whole(1)
    return None if (word := entry.choice(("adaptive", "full"))) == "full" else word


def _number(entry: Entry, option: MinerOption) -> float:
    """Read a number within limits; `above` or `below` shuts out the limit itself."""
    word = entry.text("Write a number, as 0.5.")
    try:
        number = float(word)
    except ValueError:
        raise entry.mistake(f"{shortened(word)} is not a number.", "Write one, as 0.5.") from None
    least, most = option.least or 0, inf if option.most is None else option.most
    inside = (number > least if option.above else number >= least) and (
        number < most if option.below else number <= most
    )
    if not (inside and isfinite(number)):
        lower = f"{'above' if option.above else 'at least'} {least:g}"
        upper = "" if most == inf else f" and {'below' if option.below else 'at most'} {most:g}"
        raise entry.mistake(f"{word} is out of range.", f"Give {lower}{upper}.")
    return number


def task_readers(miner: Miner) -> dict[str, Reader]:
    """How each option of a miner is read: all but `confirm`, which the mode decides."""
    keywords = [each for each in miner.keywords() if each.type is not CountOracle]
    return {each.name: _reader(each) for each in keywords}


def _reader(keyword: MinerKeyword) -> Reader:
    """Read an option as the miner's signature and description say, within their limits."""
    if keyword.name in PARTICULAR:
        return PARTICULAR[keyword.name]
    option, choices = keyword.option, keyword.choices

    def read(entry: Entry, _: Schema) -> Any:
        if choices and (keyword.type is str or entry.value in choices):
            return entry.choice(choices)
        if keyword.type is int:
            most = None if option.most is None else int(option.most)
            return entry.whole(int(option.least or 0), most)
        if keyword.type is float:
            return _number(entry, option)
        if keyword.type is bool:
            return entry.choice(("false", "true")) == "true"
        return entry.text("Write a word.")

    return read


def _example(keyword: MinerKeyword) -> str:
    return "column" if keyword.name == "target" else f"{keyword.default:g}"


PARTICULAR: Mapping[str, Reader] = {
    "target": _target,
    "features": lambda entry, schema: list(entry.chosen(schema.names, "column")),
    "attributes": lambda entry, schema: list(entry.chosen(schema.names, "column")),
    "items": _items,
    "conclusions": _conclusions,
    "window": _window,
}
"""What is read in its own way, as columns are."""
