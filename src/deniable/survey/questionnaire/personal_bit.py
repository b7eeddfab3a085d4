"""A survey of one bit: whether a given classifier is right about answers that stay on the device.

Zhan and Matwin (2007, §3.4) score a classifier on disguised reports with the help of respondents
who try it on their personal answers. A bit beside a report would unmask it
(`docs/decisions/0031-personal-bits.md`); so these are other people, and the bit is all they send.

The page gets no model, but what the model predicts for each pattern of answers, one sign per
pattern: any kind of model is tried in the same way, exactly as here, and a page need know none.
"""

from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path

import numpy as np

from deniable.base.arrays import Codes
from deniable.base.entries import Entries, Entry
from deniable.base.errors import DeniableError, listed, nearest
from deniable.schema import Attribute, Schema
from deniable.survey.protocol import REPORT_LETTERS
from deniable.survey.questionnaire.questions import Words
from deniable.survey.questionnaire.survey import NO_YES, AnswerOption, PersonalBit, Question

BIT = "right"
"""The column of the answers: whether the model is right."""

MOST_PREDICTIONS = 1 << 16
"""Patterns of answers, each a sign that every respondent's page fetches."""

BIT_ENTRIES = ("model", "text", "options")


def read_bit(
    entries: Entries, asked: Mapping[str, Question], folder: Path, words: Words
) -> PersonalBit | None:
    """Read the entry `bit`; every mistake is noted at its line."""
    if "bit" not in entries:
        return None
    node = entries["bit"]
    for key in ("groups", "direct", "quotas"):
        if key in entries:
            entries[key].mistake(
                "In a survey of one bit the answers stay on the device.",
                "Leave this out, or make it a survey of its own, for other people.",
            )
    inner = node.entries(
        "Write bit: {model: bayes.json, text: …, options: …}.", BIT_ENTRIES, BIT_ENTRIES
    )
    text, options = inner.read("text", words, {}), inner.read("options", _options(words), ())
    if node.findings.wrong or "model" not in inner:
        return None
    question = Question(BIT, text, options)
    with inner["model"].judged():
        return _tried(inner["model"], folder, asked, question)
    return None


def _options(words: Words) -> Callable[[Entry], tuple[AnswerOption, ...]]:
    def read(node: Entry) -> tuple[AnswerOption, ...]:
        entries = node.entries("Write options: {no: …, yes: …}.", NO_YES, NO_YES)
        return tuple(AnswerOption(v, words(entries[v])) for v in NO_YES if v in entries)

    return read


def _tried(
    node: Entry, folder: Path, asked: Mapping[str, Question], question: Question
) -> PersonalBit | None:
    """Let the model answer all patterns, and refuse one that asks for something else."""
    # Loaded here: other surveys have no model, and start without all that miners need.
    from deniable.mine.model import Classifier
    from deniable.mine.models.model_files import load_model

    model = load_model(folder / node.text("Name a file, such as bayes.json."))
    if not isinstance(model, Classifier):
        raise DeniableError(
            f"It holds {model.kind}, which predict nothing.", hint="Mine a classifier."
        )
    own = {name: one.attributes[0] for name, one in asked.items()}
    if (problem := _misfit(model.schema, asked, own)) is not None:
        raise DeniableError(problem[0], hint=problem[1])
    sizes = [own[name].size for name in model.features]
    if prod(sizes) > MOST_PREDICTIONS:
        raise DeniableError(
            f"Its {len(sizes)} features have {prod(sizes):,} patterns, and the page is sent a sign "
            f"for each: {MOST_PREDICTIONS:,} at most.",
            hint="Mine a model of fewer features.",
        )
    patterns = np.indices(sizes).reshape(len(sizes), -1).T
    theirs = [_codes(own[name], model.schema[name]) for name in model.features]
    codes = np.column_stack([c[p] for c, p in zip(theirs, patterns.T, strict=True)])
    values = model.schema[model.target].values
    signs = [REPORT_LETTERS[own[model.target].code(value)] for value in values]
    predicted = "".join(signs[code] for code in model.predict(codes).tolist())
    return PersonalBit(question, model.features, model.target, predicted)


def _codes(ours: Attribute, theirs: Attribute) -> Codes:
    return np.array([theirs.code(value) for value in ours.values], dtype=np.int64)


def _misfit(
    schema: Schema, asked: Mapping[str, Question], own: Mapping[str, Attribute]
) -> tuple[str, str] | None:
    """Say what the questions lack of the model, or have beside it."""
    for name, one in asked.items():
        if name not in schema:
            return f"The model does not read {name!r}.", nearest(name, schema.names)
        if one.several or one.personal or one.known or one.skip or one.condition:
            return (
                f"{name!r} is more than a question with one answer.",
                "Leave several, personal, known, may_skip and if out.",
            )
    for name in schema.names:
        if name not in own:
            return f"The model reads {name!r}, which is not asked.", nearest(name, own)
        if set(own[name].values) != set(schema[name].values):
            return (
                f"The model knows {name!r} as {listed(schema[name].values)}.",
                "Give the question the same values as options.",
            )
    return None
