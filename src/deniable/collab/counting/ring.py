"""The ring of secure counting: vectors as polynomials, residues as bytes, SEAL's objects as words.

A vector is cut into blocks of N = 4096. The holder's block is A(X) = Σ aᵢXⁱ, the evaluator's
B(X) = b₀ − Σ_{i≥1} bᵢX^(N−i). As X^N = −1, the constant coefficient of A·B is Σ aᵢbᵢ: no rotations,
and so no keys for them.

seal-python moves nothing between NumPy and SEAL but serialised objects. Uncompressed, these are a
fixed head (kind, parameters, size) and then 64-bit words, so a head cut from an object that SEAL
has written serves for all of its kind. Everything stays in memory: SEAL's file functions are not
used.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import seal
from numpy.typing import NDArray

from deniable.collab.counting.backend import MODULUS, Bits, malformed

Words = NDArray[np.uint64]

DEGREE = 4096
RESIDUE_SIZE = 6
"""The primes have 47, 46 and 16 bits; the two upper bytes of a 64-bit word are always zero."""

WORD_TYPE = np.dtype("<u8")

PRIME_BITS = (47, 46, 16)
"""109 bits: SEAL's limit for N = 4096 at 128-bit security. Only keys use the last prime."""

FLAT = seal.compr_mode_type.none


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


class Form:
    """One kind of SEAL object: a head, and words."""

    def __init__(self, example: bytes, words: int) -> None:
        self._head = example[: len(example) - words * WORD_TYPE.itemsize]

    def written(self, words: Words) -> bytes:
        """Serialise an object of these words, as SEAL would."""
        return self._head + words.tobytes()

    def words(self, data: bytes) -> Words:
        """Read the words that SEAL has written."""
        return np.frombuffer(data, WORD_TYPE, offset=len(self._head))


class Ring:
    """SEAL's context, its evaluator, and the forms of its objects."""

    def __init__(self) -> None:
        parameters = seal.EncryptionParameters(seal.scheme_type.bfv)
        parameters.set_poly_modulus_degree(DEGREE)
        moduli = seal.CoeffModulus.Create(DEGREE, list(PRIME_BITS))
        parameters.set_coeff_modulus(moduli)
        parameters.set_plain_modulus(MODULUS)
        self.context = seal.SEALContext(parameters)
        self.evaluator = seal.Evaluator(self.context)
        self.level = self.context.first_parms_id()
        self.key_primes = tuple(int(modulus.value()) for modulus in moduli)
        self.primes = self.key_primes[:-1]
        key = seal.KeyGenerator(self.context).create_public_key()
        zero = seal.Encryptor(self.context, key).encrypt_zero()
        self._keys = Form(key.to_string(), 2 * len(self.key_primes) * DEGREE)
        self._ciphers = Form(zero.to_string(FLAT), 2 * len(self.primes) * DEGREE)
        self._plains = Form(seal.Plaintext(DEGREE).to_bytes(FLAT), DEGREE)

    def plain(self, coefficients: Words) -> Any:
        """Make a plaintext."""
        plain = seal.Plaintext()
        plain.load_bytes(self.context, self._plains.written(coefficients))
        return plain

    def constant(self, plain: Any) -> int:
        """Read a plaintext's constant coefficient."""
        return int(self._plains.words(plain.to_bytes(FLAT))[0])

    def cipher(self, residues: Words) -> Any:
        """Make a ciphertext of c0 and c1, each by prime and coefficient."""
        cipher = seal.Ciphertext()
        cipher.load_bytes(self.context, self._ciphers.written(residues))
        return cipher

    def residues(self, cipher: Any) -> Words:
        """Read c0 and c1."""
        words = self._ciphers.words(cipher.to_string(FLAT))
        return words.reshape(2, len(self.primes), DEGREE)

    def public_key(self, residues: Words) -> Any:
        """Make a public key."""
        return self.context.from_public_str(self._keys.written(residues))

    def key_residues(self, key: Any) -> Words:
        """Read a public key."""
        return self._keys.words(key.to_string())


@cache
def ring() -> Ring:
    """The ring that both sides compute in."""
    return Ring()


@contextmanager
def refusing() -> Iterator[None]:
    """Turn what SEAL refuses of the other side's into an error for people."""
    try:
        yield
    except (ValueError, RuntimeError, IndexError) as refusal:
        raise malformed(f"SEAL refuses what was received ({refusal})") from refusal
