"""`deniable predict`: a model's answers for records as they are."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import pyarrow as pa
import typer
from pyarrow import csv

from deniable.base.errors import DataError, ModelError, OutputError
from deniable.base.files import refuse_to_overwrite, whole_file
from deniable.cli.options import AsJson, ModelFile
from deniable.cli.show.output import note, print_json
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.open_table import open_table
from deniable.engine.table import Table
from deniable.mine.model import Classifier
from deniable.mine.models.model_files import load_model
from deniable.survey.spreadsheet_cells import plain_cell


def predict(
    model: ModelFile,
    data: Annotated[str, typer.Argument(help="Records as they are, not disguised.")],
    out: Annotated[
        Path | None, typer.Option(help="Write CSV or Parquet.  [default: CSV on standard output]")
    ] = None,
    json: AsJson = False,
) -> None:
    """Predict the target of undisguised records: the answer, and the chance of each class.

    In CSV, classes that a spreadsheet would run as a formula have an apostrophe before them.
    """
    classifier = load_classifier(model)
    file = open_table(data)
    refuse_disguised(file, "A model answers for records as they are.")
    refuse_to_overwrite(out, file.paths)
    is_csv = not json and (out is None or not _is_parquet(out))
    tables = _predicted(classifier, file, plain_cell if is_csv else str)
    if json and out is not None:
        raise OutputError(
            "--json prints the predictions, so there is nothing left for --out.",
            hint="Use one of them.",
        )
    if json:
        print_json([row for table in tables for row in table.to_pylist()])
    elif out is None:
        for number, table in enumerate(tables):
            options = csv.WriteOptions(include_header=number == 0)
            sink = pa.BufferOutputStream()
            csv.write_csv(table, sink, options)
            typer.echo(sink.getvalue().to_pybytes().decode(), nl=False)
    else:
        note(f"wrote {_written(tables, out):,} predictions to {out}")


def load_classifier(path: Path) -> Classifier:
    """Read a model that predicts."""
    found = load_model(path)
    if not isinstance(found, Classifier):
        raise ModelError(
            f"{path} holds {found.kind}, which predict nothing.",
            hint="Mine a tree, forest, bayes or logistic model.",
        )
    return found


def refuse_disguised(file: Table, hint: str) -> None:
    """Refuse reports where records as they are were asked for."""
    if file.fingerprint is not None:
        raise DataError(f"{file.name} holds disguised records.", hint=hint)


def _predicted(
    classifier: Classifier, file: Table, word: Callable[[str], str]
) -> Iterator[pa.Table]:
    features = classifier.schema.select(classifier.features)
    values = classifier.schema[classifier.target].values
    headings = [f"P({value})" for value in values]
    if classifier.target in headings:  # a target may be called anything
        headings = [f"chance of {value}" for value in values]
    found = False
    for records in file.records(features):
        found = True
        codes = np.array(records.columns, dtype=np.int64).reshape(len(features), len(records)).T
        chances = classifier.probabilities(codes)
        answer = np.asarray(list(map(word, values)), dtype=object)[chances.argmax(axis=1)]
        arrays = [pa.array(answer, pa.string()), *map(pa.array, chances.T)]
        yield pa.table(arrays, names=[word(classifier.target), *map(word, headings)])
    file.require_some(found)


def _written(tables: Iterator[pa.Table], out: Path) -> int:
    with whole_file(out) as temporary:
        if _is_parquet(out):
            return write_parquet(temporary, tables)
        everything = pa.concat_tables(tables)
        csv.write_csv(everything, temporary)
        return int(everything.num_rows)


def _is_parquet(out: Path) -> bool:
    return out.suffix.lower() == ".parquet"
