"""Scripts that compute every share of a survey from its export, in Python and in R.

The Python script needs no library, not even this one: it undoes each device by the inverse of its
matrix, so that whoever doubts our estimates has another way to them. The R script does the same,
and gives the disguised answers to RRreg as its model "custom".
"""

import json
from collections.abc import Iterator
from importlib.resources import files

from deniable.channel.channel import exact
from deniable.survey.export.not_asked import exported_design, partly_asked
from deniable.survey.export.plain_values import with_plain_values
from deniable.survey.protocol import ARMS
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.conditions import NOT_ASKED

Law = list[list[str]]
"""``law[truth][report]``, exact chances as text."""


def python_script(survey: Survey) -> str:
    """Write the script for Python."""
    text = files(__package__).joinpath("texts", "analysis.py.txt").read_text(encoding="utf-8")
    lines = [
        f"    {_quoted(name)}: ({_quoted(values)}, {_quoted(law)}),"
        for name, values, law in _columns(survey)
    ]
    return _filled(text, survey, "\n".join(lines))


def r_script(survey: Survey) -> str:
    """Write the script for R."""
    text = files(__package__).joinpath("texts", "analysis.R.txt").read_text(encoding="utf-8")
    parts = []
    for name, values, law in _columns(survey):
        chances = ", ".join(chance for column in law for chance in column)
        listed = ", ".join(map(_quoted, values))
        parts.append(
            f"  {name} = list(\n    values = c({listed}),\n"
            f"    p = matrix(c({chances}), nrow = {len(values)})\n  )"
        )
    filled = _filled(text, survey, ",\n".join(parts))
    return filled.replace("@REGRESSION@", "\n".join(_regression(survey)))


def _regression(survey: Survey) -> Iterator[str]:
    """An example of RRlog, for the first yes/no answer that is disguised, by one that is not."""
    partly = partly_asked(survey)
    columns = [column for column in _columns(survey) if column[0] not in partly]
    disguised = survey.design.disguised
    outcome = next((n for n, values, _ in columns if n in disguised and len(values) == 2), None)  # noqa: PLR2004
    public = next((n for n, _, _ in columns if n not in disguised), None)
    if outcome is None:
        yield "# No disguised answer has two values, so RRlog has nothing to do here."
        return
    by = "1" if public is None else f"factor({public})"
    yield "if (has_rrreg) {"
    yield f"  disguised$y <- codes(disguised${outcome}, rules${outcome}$values)"
    yield f'  print(summary(RRreg::RRlog(y ~ {by}, data = disguised, model = "custom",'
    yield f"                             p = rules${outcome}$p)))"
    yield "}"


def _columns(survey: Survey) -> Iterator[tuple[str, tuple[str, ...], Law]]:
    """Each column of the export with its values and its own device; told as it is, the identity."""
    design = with_plain_values(survey).design
    groups = {name: group for group in design.groups for name in group.names}
    for attribute in design.schema:
        if attribute.name in groups:
            group = groups[attribute.name]
            channel = group.channel.marginal([group.names.index(attribute.name)])
            law = [[exact(chance) for chance in column] for column in channel.exact_columns()]
        else:
            size = range(attribute.size)
            law = [[str(int(report == truth)) for report in size] for truth in size]
        yield attribute.name, attribute.values, law


def _filled(text: str, survey: Survey, rules: str) -> str:
    given = {
        "SURVEY": survey.name,
        "FINGERPRINT": survey.fingerprint,
        "DESIGN": exported_design(survey).fingerprint,
        "NOT_ASKED": NOT_ASKED,
        "ARMS": ", ".join(ARMS),
    }
    for name, words in given.items():
        text = text.replace(f"@{name}@", words)
    return text.replace("@RULES@", rules)  # last: values may hold anything


def _quoted(words: object) -> str:
    r"""Write a text, or a list of them, as Python and R both read it.

    >>> print(_quoted('say "no"\n'), _quoted(("a", "ü")))
    "say \"no\"\n" ["a", "ü"]
    """
    return json.dumps(words, ensure_ascii=False)
