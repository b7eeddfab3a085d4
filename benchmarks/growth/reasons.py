"""Why something grows faster than what it is made of: from reading the code, and some profiles."""

from collections.abc import Mapping

TREES = ("tree", "forest", "groupwise", "best")

ROUTED = (
    "A step, and then more nodes. Trees of up to about 20 yes/no attributes are grown on a joint "
    "table, whose cells double with each; beyond, records are routed, which costs ten times as "
    "much at 100,000 records. A tree on shrunk counts then also divides the records along every "
    "path within a group (`src/deniable/oracle/shrunk/part_paths.py`): once for each path and "
    "attribute that a node adds, of which 30 attributes in groups of ten need none (a table "
    "holds all their paths), and 60 have 6,631 nodes, 100 have 8,893. The faithful tree, which "
    "does not shrink, stays below linear. What is held is row numbers: those of every path that "
    "an open node is at."
)

MORE_NODES = (
    "More records let more nodes stand out from the noise: a tree of 100 attributes has 1,249 "
    "nodes with 10,000 records and 8,893 with 100,000. Each adds a path within a group, of which "
    "the records are divided and held as row numbers."
)

MANY_VALUES = (
    "Fourteen attributes of three values have 3^14 joint patterns, with the class more than the "
    "4,194,304 cells of a table that is counted into an array: from here on reports are weighed by "
    "what of them matches, node by node. It is a step more than a slope, and one that every tree "
    "takes: the faithful one has 24,000 leaves, one for every four people, and the others "
    "shrink every one of these tables as well. More values are more leaves of fewer people."
)

PAIRS = (
    "Every pair of attributes is tested, so that it grows with their square: that is the question, "
    "not the way it is answered."
)

CELLS = (
    "A test of two attributes of k values needs the covariance of the k² cells of their table, an "
    "array of k⁴ numbers that is added up over k² patterns (`total` in "
    "`src/deniable/oracle/totals.py`). Up to 10 values that is less than what a pair costs anyway."
)

COEFFICIENTS = (
    "Up to 15 attributes nearly all joint reports occur, and their number doubles with each "
    "attribute. Each step of the score equations undoes all of them (a profile at 20 attributes "
    "has a quarter of the time there) and adds up their outer products: attributes squared."
)

NO_ROOT = (
    "With 1,000 records noise leaves the score equations without a root, and the answer is linear, "
    "at once; from 3,000 on they are solved step by step, each a pass over all reports, in "
    "which hardly two are alike, with the square of 99 coefficients for each."
)

ITEMS = (
    "All pairs of frequent items are candidates, and every one is counted: here each value of each "
    "yes/no attribute is frequent, so that candidates grow with their square. With a support that "
    "fewer items reach they are fewer."
)

OPENED = (
    "A change of hands, not a slope: up to about four million records of 15 attributes are read "
    "and counted by NumPy, more by DuckDB, which takes about three times as long for each and "
    "holds none. From ten to a hundred million the time grows linearly."
)

SHARES = (
    "Three features of k values and the class have 2·k³ joint values, and a share of each is "
    "estimated: the hidden truths grow with the cube of the values, up to the limit of 1,024."
)

REASONS: Mapping[tuple[str, str], str] = {
    **{(name, "attributes"): ROUTED for name in TREES},
    **{(name, "records of 100 attributes"): MORE_NODES for name in TREES},
    **{(name, "values"): MANY_VALUES for name in (*TREES, "faithful")},
    ("dependence", "attributes"): PAIRS,
    ("dependence", "values"): CELLS,
    ("itemsets", "attributes"): ITEMS,
    ("rules", "attributes"): ITEMS,
    ("load", "records"): OPENED,
    ("likelihood", "values"): SHARES,
    ("logistic", "attributes"): COEFFICIENTS,
    ("logistic", "records of 100 attributes"): NO_ROOT,
}


def reason(miner: str, sweep: str) -> str | None:
    """Say why, if that is known: of time and of memory alike."""
    return REASONS.get((miner, sweep))
