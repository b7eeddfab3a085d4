"""An oracle asked in the codes of another schema, which lists the same values in another order."""

from collections.abc import Iterable, Sequence

from deniable.base.errors import SchemaError
from deniable.expression import Expression, Family
from deniable.oracle.api import CountOracle, Estimates, Target
from deniable.schema import Schema


class RecodedOracle:
    """The same counts for the codes of a given schema."""

    def __init__(self, oracle: CountOracle, schema: Schema) -> None:
        self._oracle = oracle
        self.schema = schema

    @property
    def n(self) -> int:
        """How many records there are."""
        return self._oracle.n

    def count(
        self, expressions: Iterable[Expression] | Family, *, of: Target = "sample"
    ) -> Estimates:
        """Count, in the other oracle's codes."""
        family = Family.of(expressions, self.schema)
        return self._oracle.count(family.recoded(self.schema, self._oracle.schema), of=of)


def aligned(oracle: CountOracle, schema: Schema, names: Sequence[str], where: str) -> CountOracle:
    """Give an oracle that understands the schema's codes of some attributes, or refuse."""
    used = schema.select(names)
    for name in names:
        if name not in oracle.schema:
            raise SchemaError(
                f"{where} has no attribute {name!r}.", hint="Use records of the same design."
            )
    theirs = oracle.schema.select(names)
    if theirs == used:
        return oracle
    used.require_same_domains(theirs, where)
    return RecodedOracle(oracle, used)
