"""Vectors as polynomials, and residues as bytes.

A vector is cut into blocks of N = 4096. The holder's block is A(X) = Σ aᵢXⁱ, the evaluator's
B(X) = b₀ − Σ_{i≥1} bᵢX^(N−i). As X^N = −1, the constant coefficient of A·B is Σ aᵢbᵢ: no rotations,
and so no keys for them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deniable.collab.counting.backend import Bits, malformed

Words = NDArray[np.uint64]

DEGREE = 4096
RESIDUE_SIZE = 6
"""The primes have 47, 46 and 16 bits; the two upper bytes of a 64-bit word are always zero."""

WORD_TYPE = np.dtype("<u8")


def block_count(records: int) -> int:
    """Number of blocks of a vector.

    >>> block_count(4096), block_count(4097)
    (1, 2)
    """
    return -(-records // DEGREE)


def forward(values: Bits | Words) -> Words:
    """Coefficients of A(X), one row per block."""
    return _blocks(values).astype(WORD_TYPE)


def mirrored(bits: Bits, modulus: int) -> Words:
    """Coefficients of B(X) modulo t, one row per block.

    >>> mirrored(np.array([True, True, False]), modulus=8)[0, [0, 1, 4095]].tolist()
    [1, 0, 7]
    """
    blocks = _blocks(bits)
    polynomials = np.empty(blocks.shape, WORD_TYPE)
    polynomials[:, 0] = blocks[:, 0]
    # Multiplied, not selected: the time must not depend on the bits.
    np.multiply(blocks[:, :0:-1], WORD_TYPE.type(modulus - 1), out=polynomials[:, 1:])
    return polynomials


def packed(residues: Words) -> bytes:
    """Six bytes for each residue.

    >>> packed(np.array([1, 256], dtype="<u8")).hex()
    '010000000000000100000000'
    """
    octets = np.ascontiguousarray(residues, WORD_TYPE).view(np.uint8)
    return octets.reshape(-1, WORD_TYPE.itemsize)[:, :RESIDUE_SIZE].tobytes()


def unpacked(data: bytes, primes: Sequence[int], degree: int = DEGREE) -> Words:
    """Read residues as polynomials × primes × coefficients; refuse any that is not reduced."""
    octets = np.zeros((len(data) // RESIDUE_SIZE, WORD_TYPE.itemsize), np.uint8)
    octets[:, :RESIDUE_SIZE] = np.frombuffer(data, np.uint8).reshape(-1, RESIDUE_SIZE)
    residues = octets.view(WORD_TYPE).reshape(-1, len(primes), degree)
    if (residues >= np.array(primes, WORD_TYPE)[:, None]).any():
        raise malformed("a residue that is not below its prime")
    return residues


def _blocks(values: Bits | Words) -> NDArray[np.generic]:
    blocks = np.zeros((block_count(len(values)), DEGREE), values.dtype)
    blocks.reshape(-1)[: len(values)] = values
    return blocks
