"""Counting undisguised records: the randomized oracle with nothing to undo."""

from typing import Any

from deniable.design import Design
from deniable.engine.open_table import open_engine
from deniable.oracle.randomized import RandomizedOracle
from deniable.schema import Schema


class ExactOracle(RandomizedOracle):
    """Plain counts; about the records themselves every standard error is 0.

    >>> schema = Schema.of({"smokes": ["no", "yes"]})
    >>> found = ExactOracle({"smokes": ["no", "yes", "yes"]}, schema).count(["smokes=yes"])
    >>> found.value, found.std_error
    (array([2.]), array([0.]))
    """

    def __init__(self, records: Any, schema: Schema) -> None:
        # Any table is what it is: reports may be counted as reports, whatever their design.
        super().__init__(open_engine(records, schema), Design.truthful(schema))
