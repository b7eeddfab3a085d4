"""From raw tables to attributes with few values, and the same again for new data.

One pass over the file counts the distinct values of every column, from which a recipe per column
is learned; a second pass applies the recipes. Memory grows with distinct values, not with records.
The schema file holds the attributes, as design.yaml wants them, and all the recipes. It tells
what was seen in the raw data: every nominal value, and where the numbers were split.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from deniable.base.documents import read_yaml, to_yaml
from deniable.base.entries import Entries, Entry
from deniable.base.errors import DataError, OutputError, SchemaError, listed, placed
from deniable.base.files import refuse_to_overwrite, whole_file, write_whole
from deniable.base.findings import Findings
from deniable.base.pipeline import stage
from deniable.engine.files.write_parquet import require_parquet_name, row_groups, write_parquet
from deniable.engine.memory.records import Records, stamped_undisguised
from deniable.engine.table import Table
from deniable.schema import Schema
from deniable.source.prepare.choices import (
    check_choices,
    check_together,
    listed_words,
    read_by_column,
    require_kept,
)
from deniable.source.prepare.column_values import ColumnValues
from deniable.source.prepare.preparation_notes import notes_of, warnings_of
from deniable.source.prepare.raw_cells import DEFAULT_NA, RawBlock, blocks, open_raw
from deniable.source.prepare.recipe import Recipe, codes_of, read_recipe

RECIPE_VERSION = "2"
EARLIER_VERSIONS = ("1",)
"""Those without dates, rare values and missing answers that are joined with others."""

WRITTEN = "Name a schema file that `deniable prepare` wrote."

NA_IN_PARQUET = (
    "Words for missing (--na) are looked for in CSV only; in Parquet, nulls and NaN are missing.",
)

_HEADER = """\
# Written by `deniable prepare`. Copy `attributes` into a design; prepare new data alike with
# `deniable prepare NEW --out PARQUET --like THIS_FILE`.
"""


@dataclass(frozen=True)
class PreparedCount:
    """How many records were written, and how many were dropped for a missing value."""

    records: int
    dropped: int


@dataclass(frozen=True)
class Preparation:
    r"""A recipe per column, and what counts as missing.

    >>> from tempfile import TemporaryDirectory
    >>> import pyarrow.parquet as pq
    >>> with TemporaryDirectory() as folder:
    ...     raw, out = Path(folder, "raw.csv"), Path(folder, "out.parquet")
    ...     _ = raw.write_text("age,smokes\n20,yes\n37,no\n41,?\n")
    ...     plan = Preparation.learn(raw)
    ...     count = plan.apply(raw, out)
    ...     rows = pq.read_table(out).to_pylist()
    >>> count, rows[0]
    (PreparedCount(records=3, dropped=0), {'age': '<=37', 'smokes': 'yes'})
    >>> plan.schema["smokes"].values
    ('no', 'yes', 'missing')
    """

    recipes: Mapping[str, Recipe]
    bins: tuple[str, ...] = ("median",)
    nominal: str = "keep"
    missing: str = "category"
    na: tuple[str, ...] = DEFAULT_NA
    dropped: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What was decided that whoever learns the preparation should know; not saved."""

    warnings: tuple[str, ...] = field(default=(), compare=False)
    """What looks wrong; not saved."""

    @classmethod
    def learn(
        cls,
        raw: str | Path,
        bins: str | Sequence[str] = "median",
        nominal: str = "keep",
        missing: str | None = None,
        na: Sequence[str] = DEFAULT_NA,
        drop: Sequence[str] = (),
        rare: str | Sequence[str] = (),
    ) -> "Preparation":
        """Look at every value of a CSV or Parquet file and settle what becomes of it.

        ``bins`` and ``rare`` are a word for all columns, or a list, as ``["median", "age=5"]`` or
        ``["city=1%"]``. With ``missing="drop"`` the records that miss a value do not count for the
        bins either; ``"join"``, the default with ``nominal="binary"``, joins missing with one of a
        binary column's two values; ``"category"``, the default elsewhere, keeps it apart.
        """
        bins, rare = listed_words(bins), listed_words(rare)
        binned, merged = read_by_column(bins, rare)
        if missing is None:
            missing = "join" if nominal == "binary" else "category"
        check_choices({"nominal": nominal, "missing": missing})
        check_together(nominal, missing, rare)
        file = open_raw(raw)
        file.require([*drop, *binned.named, *merged.named])
        names = _kept_columns(file, drop)
        require_kept(names, {"bins": binned, "rare": merged})
        tallies = [ColumnValues(file, name, binned[name]) for name in names]
        records = dropped = 0
        with _blocks_of(file, names, na, missing) as blocks_read:
            for block in blocks_read:
                records += len(block.rows)
                dropped += block.dropped
                for tally, cells in zip(tallies, block.columns, strict=True):
                    tally.add(cells, block.rows)
        _require_records(file, records, dropped)
        recipes = {}
        for tally in tallies:
            if tally.name in binned.named:
                tally.check_named()
            rule = merged[tally.name]
            recipes[tally.name] = tally.recipe(nominal, rule, join=missing == "join")
        unread = NA_IN_PARQUET if file.types is not None and tuple(na) != DEFAULT_NA else ()
        said = (
            (*notes_of(tallies, recipes, nominal, merged), *unread),
            tuple(w for tally in tallies for w in warnings_of(tally, recipes[tally.name], records)),
        )
        left_out = tuple(dict.fromkeys(drop))
        return cls(recipes, bins, nominal, missing, tuple(na), left_out, rare, *said)

    @cached_property
    def schema(self) -> Schema:
        """The attributes that come out."""
        return Schema.of({name: recipe.values for name, recipe in self.recipes.items()})

    def apply(
        self, raw: str | Path, out: str | Path, schema: str | Path | None = None
    ) -> PreparedCount:
        """Prepare a CSV or Parquet file into a Parquet file, the whole file or nothing.

        If a place for the schema file is named, both files appear or neither does.
        """
        file = open_raw(raw)
        _check_outputs(file, out, schema)
        file.require(self.recipes)
        dropped: list[int] = []
        with ExitStack() as files:
            if schema is not None:
                files.enter_context(whole_file(schema)).write_text(self.to_yaml(), encoding="utf-8")
            temporary = files.enter_context(whole_file(out))
            read = files.enter_context(_blocks_of(file, tuple(self.recipes), self.na, self.missing))
            tables = stage(self._tables(file, read, dropped), apart=file.any_thread)
            records = write_parquet(temporary, files.enter_context(tables))
            _require_records(file, records, sum(dropped))
        return PreparedCount(records, sum(dropped))

    def _tables(
        self, file: Table, read: Iterable[RawBlock], dropped: list[int]
    ) -> Iterator[pa.Table]:
        for records in row_groups(self._records(file, read, dropped)):
            yield stamped_undisguised(records.to_arrow())

    def _records(
        self, file: Table, read: Iterable[RawBlock], dropped: list[int]
    ) -> Iterator[Records]:
        for block in read:
            dropped.append(block.dropped)
            columns = [
                codes_of(recipe, cells, (file.name, name, block.rows))
                for (name, recipe), cells in zip(self.recipes.items(), block.columns, strict=True)
            ]
            yield Records(self.schema, tuple(columns))

    def document(self) -> dict[str, Any]:
        """Return what the schema file holds."""
        columns = {}
        for name, recipe in self.recipes.items():
            apart = {} if recipe.missing is None else {"missing": recipe.missing}
            columns[name] = {**recipe.entry(), **apart}
        return {
            "attributes": {attribute.name: list(attribute.values) for attribute in self.schema},
            "preparation": {
                "version": RECIPE_VERSION,
                "bins": self.bins[0] if len(self.bins) == 1 else list(self.bins),
                "nominal": self.nominal,
                "missing": self.missing,
                "na": list(self.na),
                "dropped": list(self.dropped),
                "rare": list(self.rare),
                "columns": columns,
            },
        }

    def to_yaml(self) -> str:
        """Write the schema file's text."""
        return _HEADER + to_yaml(self.document())

    def save(self, path: str | Path) -> None:
        """Write the schema file."""
        write_whole(path, self.to_yaml())

    @classmethod
    def load(cls, path: str | Path) -> "Preparation":
        """Read a schema file."""
        with placed(path):
            return cls.of(read_yaml(path))

    @classmethod
    def of(cls, document: object) -> "Preparation":
        """Build from the document that a schema file holds."""
        sections = _entries(Entry(document, Findings(SchemaError)), "attributes", "preparation")
        attributes, steps = _entries(sections["attributes"]), sections["preparation"]
        version = _entries(steps, "version")["version"].value
        if version not in {RECIPE_VERSION, *EARLIER_VERSIONS}:
            raise SchemaError(
                f"its preparation is of version {version}, not {RECIPE_VERSION}.",
                hint="Use the deniable that wrote it, or prepare the raw data again.",
            )
        parts = _entries(steps, "bins", "nominal", "missing", "na", "dropped", "columns")
        columns = _entries(parts["columns"])
        if list(columns) != list(attributes):
            odd = sorted(set(columns) ^ set(attributes))
            raise SchemaError(
                "attributes and columns of the preparation differ"
                + (f": {listed(odd)}." if odd else " in order."),
                hint="Name the same ones in both.",
            )
        recipes = {}
        for name, entry in columns.items():
            with placed(entry.place):
                recipes[name] = read_recipe(entry, attributes[name].words(WRITTEN))
        nominal, missing = (parts[key].text() for key in ("nominal", "missing"))
        lists = {
            key: parts[key].words(f"Write {key}: [text, text].")
            for key in ("na", "dropped", "rare")
            if key in parts
        }
        bins = parts["bins"]
        chosen = (bins.text(),) if bins.is_text() else bins.words("Write bins: [median, age=5].")
        rare = lists.get("rare", ())
        read_by_column(chosen, rare)
        check_choices({"nominal": nominal, "missing": missing})
        plan = cls(recipes, chosen, nominal, missing, lists["na"], lists["dropped"], rare)
        _ = plan.schema  # refuses values that stand twice
        return plan


@contextmanager
def _blocks_of(
    file: Table, names: Sequence[str], na: Sequence[str], missing: str
) -> Iterator[Iterator[RawBlock]]:
    """Read blocks while others are looked at."""
    found = blocks(file, names, na, drop_missing=missing == "drop")
    with stage(found, apart=file.any_thread) as read:
        yield read


def _kept_columns(file: Table, drop: Sequence[str]) -> list[str]:
    names = [name for name in file.names if name not in drop]
    if not names:
        raise DataError(f"No column of {file.name} is left.", hint="Drop fewer.")
    if "" in names:
        raise DataError(
            f"Column {file.names.index('') + 1} of {file.name} has no name.",
            hint="Name it, or leave it out: --drop ''",
        )
    return names


def _check_outputs(raw: Table, out: str | Path, schema: str | Path | None) -> None:
    require_parquet_name(out)
    for path in (out, schema):
        refuse_to_overwrite(path, raw.paths)
    if schema is not None and Path(schema).resolve() == Path(out).resolve():
        raise OutputError(f"{out} cannot hold both outputs.", hint="Name two files.")


def _require_records(file: Table, records: int, dropped: int) -> None:
    if dropped and not records:
        raise DataError(
            f"Every record of {file.name} misses a value, so none is left.",
            hint="Make missing a category, or drop the columns that miss most.",
        )
    file.require_some(records)


def _entries(entry: Entry, *required: str) -> Entries:
    return entry.entries(WRITTEN, required=required)
