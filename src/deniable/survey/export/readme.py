"""The README of an export: what lies in the folder, and what to type next."""

import shlex
from collections.abc import Iterator, Sequence

from deniable.expression import Conjunction
from deniable.survey.export.codebook import MEANING
from deniable.survey.export.variables import Variable
from deniable.survey.questionnaire import Survey

FORMAT_USES = {
    "csv": "text, for everything",
    "parquet": "for `deniable` and for Python and R; knows its design",
    "sav": "for SPSS, labelled",
    "dta": "for Stata, labelled",
}
BEST = ("parquet", "csv")
"""Which file `deniable` reads, the better one first."""


def readme(
    survey: Survey,
    language: str,
    variables: Sequence[Variable],
    files: Sequence[str],
    arms: Sequence[str],
) -> str:
    """Write it."""
    return "\n".join(_lines(survey, language, variables, files, arms)) + "\n"


def _lines(
    survey: Survey,
    language: str,
    variables: Sequence[Variable],
    files: Sequence[str],
    arms: Sequence[str],
) -> Iterator[str]:
    yield f"# {' '.join(survey.title[language].split())}"
    yield from ("", MEANING, "", "## Files", "")
    for name in files:
        yield f"- `{name}`: {FORMAT_USES[name.rpartition('.')[2]]}."
    yield "- `codebook.md`, `codebook.json`: every question, its options, how it was disguised."
    yield "- `design.yaml`: how answers were disguised; needed to estimate anything."
    yield f"  Its fingerprint is `{survey.design.fingerprint}`."
    if "direct" in arms:
        yield "- `direct.yaml`: the same columns, undisguised: the design of `direct.*`."
    kind = next((kind for kind in BEST if f"disguised.{kind}" in files), None)
    if kind is None:
        yield from ("", "## Next", "")
        yield "Export CSV or Parquet as well: `deniable` counts through the disguise in them."
        return
    yield from ("", "## Next", "", "In this folder:", "", "```sh")
    yield from _commands(variables, kind, arms)
    yield "```"


def _commands(variables: Sequence[Variable], kind: str, arms: Sequence[str]) -> Iterator[str]:
    target = next((v for v in variables if v.disguise), variables[0])
    other = next((v for v in variables if v.name != target.name), None)
    table = f"disguised.{kind}"
    asked = [{target.name: target.attribute.values[-1]}]
    if other is not None:
        asked.append({**asked[0], other.name: other.attribute.values[0]})
    expressions = " ".join(shlex.quote(str(Conjunction.of(terms))) for terms in asked)
    yield f"deniable estimate {table} {expressions} --design design.yaml"
    if other is not None:
        yield f"deniable table {table} {target.name} {other.name} --design design.yaml"
        yield f"deniable mine tree {table} --target {target.name} --design design.yaml"
    yield "deniable privacy design.yaml"
    if "direct" in arms:
        first = shlex.quote(str(Conjunction.of(asked[0])))
        yield f"deniable estimate direct.{kind} {first} --design direct.yaml  # to compare"
