"""Surveys of one bit for tests: people try a model on harmless answers."""

from pathlib import Path
from typing import Any

import numpy as np
import yaml

from deniable.mine.forest import mine_forest
from deniable.mine.model import Classifier
from deniable.mine.models.model_files import save_model
from deniable.oracle.exact import ExactOracle
from deniable.schema import Schema

SCHEMA = Schema.of(
    {"lake": ["no", "yes"], "hair": ["dark", "fair", "red"], "spring": ["no", "yes"]}
)
"""As the model lists the values; the survey lists those of `hair` the other way round."""


def _question(name: str) -> dict[str, Any]:
    values = SCHEMA[name].values
    order = values[::-1] if name == "hair" else values
    return {
        "text": {"en": name.title(), "de": name.upper()},
        "options": {value: {"en": value, "de": value.upper()} for value in order},
    }


BASE: dict[str, Any] = {
    "survey": "try-it",
    "languages": ["en", "de"],
    "title": {"en": "One bit", "de": "Ein Bit"},
    "consent": {"en": "We test a guess.", "de": "Wir prüfen eine Vermutung."},
    "contact": "research@university.example",
    "invitations": "no",
    "results": {"after": "10", "every": "2"},
    "questions": {name: _question(name) for name in ("spring", "lake", "hair")},
    "bit": {
        "model": "model.json",
        "text": {"en": "Is the guess right?", "de": "Stimmt die Vermutung?"},
        "options": {"no": {"en": "No", "de": "Nein"}, "yes": {"en": "Yes", "de": "Ja"}},
    },
}


def try_it(folder: Path, **changes: Any) -> tuple[Path, Classifier]:
    """Write a survey and the forest that it tries, which predicts `spring`."""
    rng = np.random.default_rng(4)
    lake, hair = rng.integers(2, size=400), rng.integers(3, size=400)
    spring = np.where(rng.random(400) < 0.8, lake ^ (hair == 1), rng.integers(2, size=400))
    people = {
        name: [SCHEMA[name].values[code] for code in codes]
        for name, codes in (("lake", lake), ("hair", hair), ("spring", spring))
    }
    model = mine_forest(ExactOracle(people, SCHEMA), "spring", n_estimators=5, max_features=1.0)
    save_model(model, folder / "model.json")
    document = {k: v for k, v in {**BASE, **changes}.items() if v is not None}
    path = folder / "survey.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False, allow_unicode=True), "utf-8")
    return path, model
