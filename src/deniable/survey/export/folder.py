"""One folder with everything: tables in the chosen formats, codebook, design, README."""

import json
import secrets
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from deniable.base.errors import DataError, nearest
from deniable.base.files import sync, whole_folder
from deniable.compliance.check_sentences import sentences
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.expression import Conjunction
from deniable.survey.export.codebook import MEANING, as_markdown, codebook
from deniable.survey.export.not_asked import (
    marked,
    partly_asked,
    who_was_asked,
    with_value,
    with_words,
)
from deniable.survey.export.plain_values import changed_values, with_plain_values
from deniable.survey.export.variables import Variable, variables_of
from deniable.survey.export.writers import WRITERS
from deniable.survey.protocol import ARMS
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.control_answers import checked
from deniable.survey.reports import shuffled

FORMATS = tuple(WRITERS)

FORMAT_USES = {
    "csv": "text, for everything",
    "parquet": "for `deniable` and for Python and R; knows its design",
    "sav": "for SPSS, labelled",
    "dta": "for Stata, labelled",
}
EXPORTED_NAMES = (
    *("README.md", "codebook.md", "codebook.json", "design.yaml", "direct.yaml"),
    *(f"{arm}.{ending}" for arm in ARMS for ending, _ in WRITERS.values()),
)
"""Every file that an export may have."""

BEST = ("parquet", "csv")
"""Which file `deniable` reads, the better one first."""


@dataclass(frozen=True)
class Exported:
    """What was written."""

    folder: Path
    files: tuple[str, ...]
    answers: Mapping[str, int]
    """How many there are, by arm."""


def export(
    survey: Survey,
    arms: Mapping[str, Records],
    folder: str | Path,
    *,
    formats: Collection[str] = FORMATS,
    language: str | None = None,
) -> Exported:
    """Write the answers of each arm, "disguised" and maybe "direct", into a new folder.

    The folder appears with all its files, or not at all. Direct answers are kept apart, in files
    of their own with a design of their own: read as disguised ones, they would be undone twice.
    """
    language = _language(survey, language)
    for name in formats:
        if name not in WRITERS:
            raise DataError(f"There is no format {name!r}.", hint=nearest(name, WRITERS))
    told = {arm: records for arm, records in arms.items() if len(records)}
    if "disguised" not in told:
        raise DataError(
            "There are no answers to export yet.",
            hint=f"They are released once there are {survey.after}, or when the survey is closed.",
        )
    plain = with_plain_values(survey)
    partly = partly_asked(survey)
    design = with_value(plain.design, partly)
    schema = design.schema
    designs = {"disguised": design, "direct": Design.truthful(schema)}
    variables = with_words(variables_of(plain, language), partly)
    tables = []
    with whole_folder(folder) as new:
        for arm, records in told.items():
            chance = np.random.default_rng(secrets.randbits(128))
            mixed = shuffled(records.select(survey.design.schema), chance)
            mixed = marked(mixed, schema, who_was_asked(survey, mixed))
            columns = variables if arm == "disguised" else [v.told() for v in variables]
            for ending, write in (WRITERS[name] for name in WRITERS if name in formats):
                tables.append(f"{arm}.{ending}")
                write(new / tables[-1], mixed, designs[arm], columns)
        answers = {arm: len(records) for arm, records in told.items()}
        book = {
            **codebook(plain, variables, language, answers),
            "survey_fingerprint": survey.fingerprint,
            "design_fingerprint": design.fingerprint,
            "plain_values": changed_values(survey),
            "controls": _controls(plain, told["disguised"].select(survey.design.schema)),
        }
        texts = {
            "README.md": _readme(
                plain, design, language, variables, tables, directly="direct" in told
            ),
            "codebook.md": as_markdown(book),
            "codebook.json": [json.dumps(book, ensure_ascii=False, indent=2)],
        }
        for name, lines in texts.items():
            (new / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        design.save(new / "design.yaml")
        if "direct" in told:
            designs["direct"].save(new / "direct.yaml")
        for path in new.iterdir():
            sync(path)
        files = tuple(sorted(path.name for path in new.iterdir()))
    return Exported(Path(folder), files, answers)


def _controls(plain: Survey, disguised: Records) -> dict[str, object] | None:
    """What control items say of these answers, in figures and in words."""
    check = checked(plain, Records(plain.design.schema, disguised.columns))
    if check is None:
        return None
    found = asdict(check)
    for kind in found["kinds"]:  # JSON has no infinity: where all sent the same, nobody knows
        kind["moved"] = kind["moved"] if isfinite(kind["moved"]) else None
    return {**found, "sentences": list(sentences(check, len(disguised)))}


def _language(survey: Survey, language: str | None) -> str:
    if language is not None and language not in survey.languages:
        raise DataError(
            f"The survey is not in {language!r}.", hint=nearest(language, survey.languages)
        )
    return language or survey.languages[0]


def _readme(
    survey: Survey,
    design: Design,
    language: str,
    variables: Sequence[Variable],
    tables: Sequence[str],
    *,
    directly: bool,
) -> Iterator[str]:
    """Say what lies in the folder, and what to type next."""
    yield f"# {' '.join(survey.title[language].split())}"
    yield from ("", MEANING, "", "## Files", "")
    for name in tables:
        yield f"- `{name}`: {FORMAT_USES[name.rpartition('.')[2]]}."
    yield "- `codebook.md`, `codebook.json`: every question, its options, how it was disguised."
    yield "- `design.yaml`: how answers were disguised; needed to estimate anything."
    yield f"  Its fingerprint is `{design.fingerprint}`."
    if directly:
        yield "- `direct.yaml`: the same columns, undisguised: the design of `direct.*`."
    kind = next((kind for kind in BEST if f"disguised.{kind}" in tables), None)
    if kind is None:
        yield from ("", "## Next", "")
        yield "Export CSV or Parquet as well: `deniable` counts through the disguise in them."
        return
    yield from ("", "## Next", "", "In this folder:", "", "```sh")
    yield from _commands(variables, kind, directly=directly)
    yield "```"


def _commands(variables: Sequence[Variable], kind: str, *, directly: bool) -> Iterator[str]:
    target = next((v for v in variables if v.disguise), variables[0])
    other = next((v for v in variables if v.name != target.name), None)
    table = f"disguised.{kind}"
    asked = [{target.name: target.attribute.values[-1]}]
    if other is not None:
        asked.append({**asked[0], other.name: other.attribute.values[0]})
    expressions = [shlex.quote(str(Conjunction.of(terms))) for terms in asked]
    yield f"deniable estimate {table} {' '.join(expressions)} --design design.yaml"
    if other is not None:
        yield f"deniable table {table} {target.name} {other.name} --design design.yaml"
        yield f"deniable mine tree {table} --target {target.name} --design design.yaml"
    yield "deniable privacy design.yaml"
    if directly:
        yield f"deniable estimate direct.{kind} {expressions[0]} --design direct.yaml  # to compare"
