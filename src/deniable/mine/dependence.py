"""Which attributes depend on each other: Chow & Liu's tree, as far as the noise lets one see.

Among all trees the one with the largest sum of mutual information, over its edges, fits the records
best (Chow & Liu 1968). Through a disguise two things go wrong with that, and the noise of every
count is known, so both can be mended:

- Noise looks like dependence: mutual information is estimated too large, and the more so the
  stronger a pair's disguise and the more values it has. What noise alone is expected to give is
  subtracted, so that edges of different noise are ranked fairly.
- A tree links everything, independent or not. Every pair is tested first, and only pairs that
  depend on each other beyond the noise may become edges: the result is a forest.

The test is a G-test of N̂ + c against E + c. E is what independence expects in a cell, and c the
disguise's variance there, taken as that many more records of pure noise: with no disguise it is the
G-test as ever, with a strong one a sum of squared standard scores. Rao & Scott's (1981) first-order
correction, by the statistic's mean under independence, makes it χ². Measured with independent
attributes, at 5 %: the G-statistic of the projected table, corrected alike, rejects 0 to 10 % of
the time through a disguise, mostly next to never, because the projection eats the noise that it is
corrected for; this one 2 to 8 % (11 % where 500 records meet 150 cells), and at 0.1 % no more than
0.5 %.

All of it is about the population; sampling is noise too, disguised or not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import ModelError
from deniable.base.wording import plural
from deniable.mine.chance import EVIDENT
from deniable.mine.draw.link_drawing import forest_dot, forest_svg, forest_text
from deniable.mine.model import Model, counted_tables, require_totals
from deniable.oracle.api import Function, TotalOracle, noise_target
from deniable.oracle.simplex import onto_simplex
from deniable.schema import Schema


@dataclass(frozen=True)
class Edge:
    """Two attributes that depend on each other."""

    a: str
    b: str
    bits: float
    """Mutual information, less what noise alone is expected to give; rarely, below 0."""

    std_error: float
    """Of the bits, disguise and sampling together (delta method)."""

    p_value: float
    """Of independence, adjusted (Holm) for having looked at every pair."""


@dataclass(frozen=True, eq=False)
class DependenceTree(Model):
    """A forest of dependences between attributes; those in no edge stand alone."""

    kind: ClassVar[str] = "dependence"

    schema: Schema
    n: int
    level: float
    """Chance, at most, that any two independent attributes are in one tree."""

    edges: tuple[Edge, ...]
    """The strongest first."""

    def body(self) -> dict[str, Any]:
        """Write the edges."""
        return {"n": self.n, "level": self.level, "edges": [asdict(edge) for edge in self.edges]}

    @classmethod
    def read(cls, schema: Schema, body: Mapping[str, Any]) -> Self:
        """Build from what `body` gave."""
        edges = tuple(_read_edge(schema, entry) for entry in body["edges"])
        return cls(schema, int(body["n"]), float(body["level"]), edges)

    def text(self) -> str:
        """Draw as indented text."""
        return f"{self._caption}\n\n{forest_text(self.schema.names, self.edges)}"

    def dot(self) -> str:
        """Write for Graphviz."""
        return forest_dot(self.schema.names, self.edges, self._caption)

    def svg(self) -> str:
        """Draw as a picture that needs nothing else."""
        return forest_svg(self.schema.names, self.edges, self._caption)

    @property
    def _caption(self) -> str:
        return (
            f"{plural(len(self.edges), 'dependence')} among {len(self.schema)} attributes that "
            f"noise does not explain (level {self.level:g}, {self.n:,} records)"
        )


def mine_dependence(
    oracle: TotalOracle, *, attributes: Iterable[str] | None = None, level: float = EVIDENT
) -> DependenceTree:
    """Find the maximum spanning forest of some attributes' dependences (default: all attributes).

    ``level`` bounds the chance that attributes which are independent in the population end up in
    one tree, however many pairs there are (Holm's step-down over all pairs).

    >>> from deniable import ExactOracle
    >>> people = {"smokes": ["no", "yes"] * 50, "coughs": ["no", "yes"] * 48 + ["yes", "no"] * 2,
    ...           "reads": ["no", "no", "yes", "yes"] * 25}
    >>> schema = Schema.of({name: ["no", "yes"] for name in people})
    >>> print(mine_dependence(ExactOracle(people, schema)).text())
    1 dependence among 3 attributes that noise does not explain (level 0.03, 100 records)
    <BLANKLINE>
    smokes
    └─ coughs  0.750 ± 0.090 bits
    <BLANKLINE>
    alone: reads
    """
    names = _checked(oracle, attributes, level)
    schema = oracle.schema.select(names)
    pairs = list(combinations(names, 2))
    # The nearest possible tables: logarithms are taken of them.
    found = counted_tables(oracle, pairs, of="population")
    tables = [onto_simplex(v.ravel(), oracle.n).reshape(v.shape) for v, _ in found]
    tested = [_tested(oracle, pair, table) for pair, table in zip(pairs, tables, strict=True)]
    bits, p_values = np.array(tested).T
    adjusted = _holm(p_values)
    kept = np.flatnonzero(adjusted <= level)
    ends = np.array([[names.index(name) for name in pairs[k]] for k in kept]).reshape(-1, 2)
    edges = [
        Edge(
            a=pairs[k][0],
            b=pairs[k][1],
            bits=float(bits[k]),
            std_error=_std_error(oracle, pairs[k], tables[k]),
            p_value=float(adjusted[k]),
        )
        for k in kept[_spanning(len(names), ends, bits[kept])]
    ]
    return DependenceTree(schema, oracle.n, level, tuple(edges))


def _checked(
    oracle: TotalOracle, attributes: Iterable[str] | None, level: float
) -> tuple[str, ...]:
    if not 0 < level < 1:
        raise ModelError(f"level = {level} is not a level of a test.", hint="Use one such as 0.05.")
    names = oracle.schema.names if attributes is None else tuple(dict.fromkeys(attributes))
    schema = oracle.schema.select(names)
    if len(schema) < 2:  # noqa: PLR2004
        raise ModelError(
            "A dependence needs two attributes.", hint="Name at least two, or leave them all in."
        )
    require_totals(oracle, "A test of dependence")
    return names


def _tested(oracle: TotalOracle, pair: tuple[str, str], table: Floats) -> tuple[float, float]:
    """Mutual information less its expected noise, in bits, and the p-value of independence."""
    from scipy.special import chdtrc, kl_div  # slow to load, and only needed here

    n = oracle.n
    rows, columns = table.sum(axis=1) / n, table.sum(axis=0) / n
    df = (np.count_nonzero(rows) - 1) * (np.count_nonzero(columns) - 1)
    if df == 0:
        return 0.0, 1.0
    of = noise_target(oracle)
    found = oracle.total(pair, _residuals(rows, columns), of=of)
    present = np.outer(rows, columns).ravel() > 0
    residual, disguise = found.value[present], np.square(found.std_error)[present]
    expected = n * np.outer(rows, columns).ravel()[present]
    sampling = expected * np.outer(1 - rows, 1 - columns).ravel()[present]
    if of == "population":  # the error found holds sampling already
        disguise = np.maximum(disguise - sampling, 0.0)
    spread = np.sqrt(sampling + disguise)
    # Possible tables of these marginals are no further apart than Fréchet's bounds.
    least = n * np.maximum(np.add.outer(rows, columns) - 1, 0.0).ravel()[present]
    most = n * np.minimum.outer(rows, columns).ravel()[present]
    by_noise = _by_noise(expected, spread, least, most)
    bits = (kl_div(table.ravel()[present], expected).sum() - by_noise) / n / np.log(2)
    blurred = expected + disguise
    # An estimate may undercut even its own noise; nothing is further from E + c than 0 records.
    half_g = kl_div(np.maximum(blurred + residual, 0.0), blurred).sum()
    p_value = chdtrc(df, df * half_g / _by_noise(blurred, spread))
    return float(bits), float(p_value)


def _residuals(rows: Floats, columns: Floats) -> Function:
    """For each cell the function whose total is the count less what independence expects there."""

    def residuals(codes: Codes) -> Floats:
        a = (codes[:, :1] == np.arange(len(rows))) - rows
        b = (codes[:, 1:] == np.arange(len(columns))) - columns
        product: Floats = (a[:, :, np.newaxis] * b[:, np.newaxis, :]).reshape(len(codes), -1)
        return product

    return residuals


def _by_noise(
    expected: Floats, spread: Floats, least: Floats | float = 0.0, most: Floats | float = np.inf
) -> float:
    """Give the mean divergence of noisy counts: an error of one s.d. up, or down, equally likely.

    About Σ variance / (2·expected), as the χ² approximation has it, where errors are small; but
    true to size as well where a count is smaller than its error.
    """
    from scipy.special import kl_div

    up, down = np.minimum(expected + spread, most), np.maximum(expected - spread, least)
    return float((kl_div(up, expected) + kl_div(down, expected)).sum() / 2)


def _holm(p_values: Floats) -> Floats:
    """Adjust p-values so that those up to a level hold no false one but with that chance."""
    order = np.argsort(p_values, kind="stable")
    steps = np.maximum.accumulate(p_values[order] * np.arange(len(order), 0, -1))
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def _spanning(nodes: int, ends: Codes, bits: Floats) -> Codes:
    """Rows of the maximum spanning forest's edges, the strongest first."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    strongest_first = np.argsort(-bits, kind="stable")
    # Only the order counts: its places are costs that are never 0, which would mean no edge.
    cost = np.empty(len(bits))
    cost[strongest_first] = np.arange(1, len(bits) + 1)
    graph = csr_array((cost, (ends[:, 0], ends[:, 1])), shape=(nodes, nodes))
    chosen = np.sort(minimum_spanning_tree(graph).data).astype(np.int64)
    rows: Codes = strongest_first[chosen - 1]
    return rows


def _std_error(oracle: TotalOracle, pair: tuple[str, str], table: Floats) -> float:
    """Mutual information is the mean of log p(a, b) / p(a)p(b); so is, nearly, its error."""
    n = oracle.n
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    ratio = np.divide(table, expected, out=np.ones_like(table), where=table > 0)
    logs = np.log2(ratio)
    found = oracle.total(pair, lambda codes: logs[codes[:, 0], codes[:, 1], None], of="population")
    return float(found.std_error[0] / n)


def _read_edge(schema: Schema, entry: Mapping[str, Any]) -> Edge:
    numbers = (float(entry[name]) for name in ("bits", "std_error", "p_value"))
    return Edge(schema[entry["a"]].name, schema[entry["b"]].name, *numbers)
