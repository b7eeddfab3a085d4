"""How the errors of counts go together, exactly: as total functions of the record, or site by site.

An oracle that only counts does not say. `deniable.mine.rules.count_errors` has what can be known of
it from counts alone.
"""

from functools import partial

import numpy as np

from deniable.base.arrays import Codes, Floats
from deniable.base.errors import EstimateError
from deniable.expression import ANY, Family
from deniable.oracle.api import CountOracle, Covarying, Target, TotalOracle


def covariance(oracle: CountOracle, family: Family, of: Target) -> Floats:
    """Give the covariance matrix of the errors of some counts, or refuse."""
    if isinstance(oracle, Covarying):
        return oracle.covariance(family, of=of)
    if isinstance(oracle, TotalOracle):
        return oracle.total(family.columns, partial(indicators, family), of=of).covariance
    raise EstimateError("This oracle counts conjunctions only.", hint="Ask it for counts.")


def indicators(family: Family, codes: Codes) -> Floats:
    """``[record, conjunction]``: 1 where a record satisfies it."""
    fits = np.ones((len(codes), len(family)), dtype=bool)
    for column, wanted in zip(codes.T, family.codes.T, strict=True):
        fits &= (wanted == ANY) | (column[:, None] == wanted)
    return fits.astype(np.float64)
