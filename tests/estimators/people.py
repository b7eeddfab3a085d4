"""What the estimators' tests share: people whose illness depends on what else is known of them."""

from typing import Any

import numpy as np
import pandas as pd

from deniable import (
    DisguisedClassifier,
    DisguisedForestClassifier,
    DisguisedGroupwiseClassifier,
    DisguisedLogisticRegression,
    DisguisedNaiveBayes,
    DisguisedTreeClassifier,
)
from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.source.disguise import disguise_records
from deniable.source.randomness import SeededBits

DESIGN = Design.of(
    {
        "attributes": {
            "age": ["young", "old"],
            "smokes": ["no", "yes"],
            "region": ["north", "south", "west"],
            "owns": ["no", "yes"],
            "ill": ["no", "yes"],
        },
        "groups": [
            {"attributes": ["age", "smokes"], "channel": "related", "theta": "17/20"},
            {"attributes": ["region"], "channel": "keep-or-uniform", "theta": "4/5"},
            {"attributes": ["ill"], "channel": "related", "theta": "9/10"},
        ],
    }
)
FEATURES, TARGET = list(DESIGN.schema.names[:-1]), "ill"

ESTIMATORS: dict[str, Any] = {
    "tree": DisguisedTreeClassifier(DESIGN),
    "faithful": DisguisedTreeClassifier(DESIGN, growth="faithful"),
    "forest": DisguisedForestClassifier(DESIGN, n_estimators=10),
    "groupwise": DisguisedGroupwiseClassifier(DESIGN, n_estimators=5),
    "best": DisguisedClassifier(DESIGN, n_estimators=5),
    "bayes": DisguisedNaiveBayes(DESIGN),
    "logistic": DisguisedLogisticRegression(DESIGN),
}


def people(n: int, seed: int) -> Records:
    """Whoever is old and smokes is often ill, and so are some in the south."""
    rng = np.random.default_rng(seed)
    age, smokes, owns = rng.integers(0, 2, (3, n))
    region = rng.integers(0, 3, n)
    ill = rng.random(n) < 0.1 + 0.6 * (age & smokes) + 0.2 * (region == 1)
    return Records.from_codes([age, smokes, region, owns, ill], DESIGN.schema)


def disguised(raw: Records, seed: int) -> Records:
    return disguise_records(raw, None, DESIGN, SeededBits(seed))


def frame(records: Records) -> pd.DataFrame:
    """The same as a pandas table of words."""
    return records.to_arrow().to_pandas().astype(str)
