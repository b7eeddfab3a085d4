"""Records written as CSV, Parquet, SPSS and Stata."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deniable.design import Design
from deniable.engine.files.labelled_files import file_label
from deniable.engine.files.write_parquet import write_parquet
from deniable.engine.memory.records import DESIGN_STAMP, Records, stamped
from deniable.survey.export.variables import Variable, cut

if TYPE_CHECKING:
    import pandas as pd

SPSS_LABEL, SPSS_WORD = 256, 120
"""Bytes of a variable's label and of a value's in SPSS."""

STATA_LABEL = 80
"""Characters of a variable's label in Stata; bytes, to be safe."""

STATA_WORD = 32_000

Writer = Callable[[Path, Records, Design, Sequence[Variable]], None]


def write_csv(path: Path, records: Records, design: Design, variables: Sequence[Variable]) -> None:
    """Write the values in words, as the design lists them."""
    import pyarrow as pa
    from pyarrow import csv

    text = pa.schema([(name, pa.string()) for name in records.schema.names])
    csv.write_csv(records.to_arrow().cast(text), path)


def write_parquet_file(
    path: Path, records: Records, design: Design, variables: Sequence[Variable]
) -> None:
    """Write the values in words, with the design's fingerprint."""
    write_parquet(path, [stamped(records.to_arrow(), design.fingerprint)])


def write_spss(path: Path, records: Records, design: Design, variables: Sequence[Variable]) -> None:
    """Write labelled numbers for SPSS."""
    import pyreadstat

    pyreadstat.write_sav(
        _numbered(records, variables),
        path,
        file_label=_file_label(design),
        note=f"{DESIGN_STAMP.decode()}={design.fingerprint}",
        column_labels={v.name: v.label(SPSS_LABEL) for v in variables},
        variable_value_labels=_value_labels(variables, SPSS_WORD),
        variable_measure={v.name: "nominal" for v in variables},
        variable_format={v.name: "F8.0" for v in variables},
        row_compress=True,
    )


def write_stata(
    path: Path, records: Records, design: Design, variables: Sequence[Variable]
) -> None:
    """Write labelled numbers for Stata 14 and later."""
    import pyreadstat

    pyreadstat.write_dta(
        _numbered(records, variables),
        path,
        file_label=_file_label(design),
        column_labels={v.name: v.label(STATA_LABEL) for v in variables},
        variable_value_labels=_value_labels(variables, STATA_WORD),
    )


WRITERS: Mapping[str, tuple[str, Writer]] = {
    "csv": ("csv", write_csv),
    "parquet": ("parquet", write_parquet_file),
    "spss": ("sav", write_spss),
    "stata": ("dta", write_stata),
}
"""How each format ends a file's name, and who writes it."""


def _numbered(records: Records, variables: Sequence[Variable]) -> "pd.DataFrame":
    import pandas as pd

    columns = {
        variable.name: np.array(variable.codes, dtype=np.int32)[column]
        for variable, column in zip(variables, records.columns, strict=True)
    }
    return pd.DataFrame(columns)


def _value_labels(variables: Sequence[Variable], longest: int) -> dict[str, dict[int | float, str]]:
    return {
        v.name: {code: cut(word, longest) for code, word in zip(v.codes, v.words, strict=True)}
        for v in variables
    }


def _file_label(design: Design) -> str:
    told = "disguised answers" if design.groups else "direct answers"
    return file_label(told, design.fingerprint)
