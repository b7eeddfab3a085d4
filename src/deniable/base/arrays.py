"""Kinds of arrays that everybody passes around, and what counts as rounding error in them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
"""Positions of values in their domains, and other whole numbers."""

AnyCodes = NDArray[np.integer[Any]]
"""The same, in whatever integers save room."""

Floats = NDArray[np.float64]

Mask = NDArray[np.bool_]

ROUNDING = 1e-12
"""Relative size below which a sum of floating-point numbers is rounding error."""
