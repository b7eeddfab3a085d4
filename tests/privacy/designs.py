"""Random small designs of every channel, and random populations for them."""

import numpy as np
from numpy.typing import NDArray

from deniable.design import Design
from deniable.engine.memory.records import Records
from deniable.privacy.population import Population

SINGLE = ("forced", "mangat", "kuk", "crosswise", "triangular", "matrix")
Floats = NDArray[np.float64]


def random_design(seed: int) -> Design:
    """Up to five attributes of two or three values, in groups of every channel, some public."""
    rng = np.random.default_rng(seed)
    sizes = {f"a{i}": int(rng.choice([2, 2, 3])) for i in range(rng.integers(2, 6))}
    left = list(sizes)
    groups: list[dict[str, object]] = []
    while left and len(groups) < 3:
        kind = str(rng.choice(["related", "unrelated", "keep-or-uniform", "truthful", *SINGLE]))
        take = 1 if kind in SINGLE else int(rng.integers(1, 4))
        names, left = left[:take], left[take:]
        if kind in {"mangat", "kuk", "crosswise", "triangular"} and sizes[names[0]] != 2:
            kind = "matrix"
        options = _options(kind, names, sizes, rng)
        groups.append({"attributes": names, "channel": kind, **options})
    domains = {name: [f"v{code}" for code in range(size)] for name, size in sizes.items()}
    return Design.of({"attributes": domains, "groups": groups})


def _options(
    kind: str, names: list[str], sizes: dict[str, int], rng: np.random.Generator
) -> dict[str, object]:
    theta = f"{int(rng.integers(52, 98))}/100"
    size = sizes[names[0]]
    if kind in {"related", "keep-or-uniform", "mangat", "crosswise", "triangular"}:
        return {"theta": theta}
    if kind == "unrelated":
        personal = {name: _distribution(sizes[name], rng) for name in names}
        return {"theta": theta, "personal": personal}
    if kind == "forced":
        return {"forced": {f"v{code}": f"{rng.integers(1, 10)}/100" for code in range(size)}}
    if kind == "kuk":
        return {"red": {"v0": "1/5", "v1": f"{rng.integers(50, 95)}/100"}}
    if kind == "matrix":
        columns = {}
        for truth in range(size):
            chances = rng.integers(1, 10, size)
            chances[truth] += 40
            total = int(chances.sum())
            columns[f"v{truth}"] = {f"v{r}": f"{int(c)}/{total}" for r, c in enumerate(chances)}
        return {"matrix": columns}
    return {}


def _distribution(size: int, rng: np.random.Generator) -> dict[str, str]:
    weights = rng.integers(0 if rng.random() < 0.2 else 1, 9, size)
    weights[0] += 1
    total = int(weights.sum())
    return {f"v{code}": f"{int(weight)}/{total}" for code, weight in enumerate(weights)}


def random_people(design: Design, seed: int, n: int = 40) -> Records:
    """Few people, so that many patterns do not occur, who depend on each other."""
    rng = np.random.default_rng(seed)
    hidden = rng.random(n)
    columns = [
        np.minimum((hidden + rng.random(n)) / 2 * size, size - 1).astype(np.int64)
        for size in design.schema.sizes
    ]
    return Records.from_codes(columns, design.schema)


def whole_prior(population: Population) -> Floats:
    """Shares of all patterns of the record, flat, in the order of the schema."""
    return population.table(population.schema.names).ravel()
