"""Two hospitals disguise with designs of their own; the counts pool."""

import numpy as np

from deniable import Design, PooledOracle, RandomizedOracle, Records, disguise, joint_table

rng = np.random.default_rng(1)
domains = {"hiv": ["no", "yes"], "treated": ["no", "yes"], "ward": ["a", "b", "c"]}


def design(theta: str) -> Design:
    """Both answers about illness share a coin; the ward is public."""
    group = {"attributes": ["hiv", "treated"], "channel": "related", "theta": theta}
    return Design.of({"attributes": domains, "groups": [group]})


def patients(n: int, plan: Design) -> Records:
    """Invented patients; two in a hundred are ill, most of those are treated."""
    hiv = rng.random(n) < 0.02
    treated = hiv & (rng.random(n) < 0.8)
    return Records.from_codes([hiv, treated, rng.integers(0, 3, n)], plan.schema)


careful, bold = design("3/4"), design("9/10")
sites = [
    RandomizedOracle(disguise(patients(40_000, plan), plan, random_state=seed), plan)
    for seed, plan in enumerate((careful, bold))
]
print("together:", PooledOracle(sites).count(["hiv=yes", "hiv=yes & treated=no"], of="population"))
table = joint_table(sites, ["hiv", "treated"])
for cell, likely in zip(table.cells, table.maximum.counts, strict=True):
    print(dict(zip(table.schema.names, cell, strict=True)), round(float(likely)))
