"""The ring of secure counting: polynomials by SEAL, and their residues as NumPy has them.

A vector of numbers modulo t is cut into blocks, each of which fills the *slots* of a polynomial:
products of polynomials multiply slot by slot, and the sum over all slots is N times the constant
coefficient. So a dot product is one product, and one coefficient of it.

seal-python moves nothing between NumPy and SEAL but serialised objects. Uncompressed, these are a
fixed head (kind, parameters, size) and then 64-bit words, so a head cut from an object that SEAL
has written serves for all of its kind. SEAL's keys, its encryption and its randomness are not used:
what is uniform must be drawn by both sides (`sealing`), and SEAL cannot be told how.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from math import prod
from typing import Any

import numpy as np
import seal
from numpy.typing import NDArray

from deniable.collab.counting.backend import Numbers, malformed
from deniable.collab.counting.parameters import Lattice

Words = NDArray[np.uint64]

WORD = np.dtype("<u8")
FLAT = seal.compr_mode_type.none


class Form:
    """One kind of SEAL object: a head, and words."""

    def __init__(self, example: bytes, words: int) -> None:
        self._head = example[: len(example) - words * WORD.itemsize]

    def written(self, words: Words) -> bytes:
        """Serialise an object of these words, as SEAL would."""
        return self._head + words.tobytes()

    def words(self, data: bytes) -> Words:
        """Read the words that SEAL has written."""
        return np.frombuffer(data, WORD, offset=len(self._head))


class Ring:
    """SEAL's context and evaluator for one lattice and one t."""

    def __init__(self, lattice: Lattice, t: int) -> None:
        self.degree, self.t, self.residue_size = lattice.degree, t, lattice.residue_size
        given = seal.EncryptionParameters(seal.scheme_type.bfv)
        given.set_poly_modulus_degree(self.degree)
        moduli = seal.CoeffModulus.Create(self.degree, list(lattice.prime_bits))
        given.set_coeff_modulus(moduli)
        given.set_plain_modulus(t)
        self.context = seal.SEALContext(given)
        self.evaluator = seal.Evaluator(self.context)
        self._encoder = seal.BatchEncoder(self.context)
        self.level = self.context.first_parms_id()
        self.primes = tuple(int(modulus.value()) for modulus in moduli)[:-1]
        self.q = prod(self.primes)
        self._moduli = np.array(self.primes, WORD)[:, None]
        key = seal.KeyGenerator(self.context).create_public_key()
        pair = seal.Encryptor(self.context, key).encrypt_zero()
        self._plains = Form(seal.Plaintext(self.degree).to_bytes(FLAT), self.degree)
        triple = self.evaluator.square(pair)
        several = [(2, pair), (3, triple)]
        words = len(self.primes) * self.degree
        self._ciphers = {k: Form(each.to_string(FLAT), k * words) for k, each in several}
        transformed = self.evaluator.transform_to_ntt(pair)
        self._transformed = Form(transformed.to_string(FLAT), 2 * words)
        self.polynomial_size = len(self.primes) * self.degree * self.residue_size
        self.constant_size = len(self.primes) * self.residue_size

    # --- plaintexts ---

    def slots(self, values: Numbers) -> Any:
        """A plaintext of one block of numbers modulo t, one a slot."""
        centred = (values + self.t // 2) % self.t - self.t // 2
        return self._encoder.encode(centred)

    def moved(self, plain: Any) -> Any:
        """A plaintext, transformed."""
        return self.evaluator.transform_to_ntt(plain, self.level)

    def small(self, coefficients: Numbers) -> Any:
        """A plaintext whose coefficients are small numbers of either sign."""
        plain = seal.Plaintext()
        words = (coefficients % self.t).astype(WORD)
        plain.load_bytes(self.context, self._plains.written(words))
        return plain

    # --- ciphertexts ---

    def cipher(self, residues: Words) -> Any:
        """A ciphertext of two or three polynomials, each by prime and coefficient."""
        return self._read(self._ciphers[len(residues)], residues)

    def transformed(self, residues: Words) -> Any:
        """A ciphertext of two polynomials that are transformed (NTT): by prime and point."""
        return self._read(self._transformed, residues)

    def _read(self, form: Form, residues: Words) -> Any:
        cipher = seal.Ciphertext()
        cipher.load_bytes(self.context, form.written(np.ascontiguousarray(residues, WORD)))
        return cipher

    def residues(self, cipher: Any) -> Words:
        """Read the polynomials of a ciphertext, as they are: transformed or not."""
        form = self._transformed if cipher.is_ntt_form() else self._ciphers[cipher.size()]
        return form.words(cipher.to_string(FLAT)).reshape(-1, len(self.primes), self.degree)

    def forth(self, polynomials: Words) -> Words:
        """Transform polynomials."""
        return self._by_pairs(polynomials, self.cipher, self.evaluator.transform_to_ntt_inplace)

    def back(self, polynomials: Words) -> Words:
        """Transform polynomials back."""
        back = self.evaluator.transform_from_ntt_inplace
        return self._by_pairs(polynomials, self.transformed, back)

    def times(self, polynomials: Words, factor: Any) -> Words:
        """Multiply transformed polynomials by a transformed plaintext, and transform them back."""

        def multiplied(cipher: Any) -> None:
            self.evaluator.multiply_plain_inplace(cipher, factor)
            self.evaluator.transform_from_ntt_inplace(cipher)

        return self._by_pairs(polynomials, self.transformed, multiplied)

    def _by_pairs(
        self, polynomials: Words, read: Callable[[Words], Any], change: Callable[[Any], object]
    ) -> Words:
        """Change polynomials two at a time, as a ciphertext has two."""
        found = np.empty_like(polynomials)
        for start in range(0, len(polynomials), 2):
            cipher = read(polynomials[[start, min(start + 1, len(polynomials) - 1)]])
            change(cipher)
            found[start : start + 2] = self.residues(cipher)[: len(polynomials) - start]
        return found

    def sum(self, *polynomials: Words) -> Words:
        """Add polynomials."""
        total = polynomials[0].copy()
        for each in polynomials[1:]:
            total = (total + each) % self._moduli
        return total

    def lifted(self, numbers: Numbers) -> Words:
        """Numbers of either sign as residues."""
        return (numbers % self._moduli.astype(np.int64)).astype(WORD)

    def scaled(self, number: int) -> list[int]:
        """q/t times a number, rounded, as residues of a coefficient."""
        lifted = (self.q * (number % self.t) + self.t // 2) // self.t
        return [lifted % p for p in self.primes]

    def composed(self, residues: Sequence[int]) -> int:
        """The number modulo q that has these residues."""
        first, second = self.primes
        step = (residues[1] - residues[0]) * pow(first, -1, second) % second
        return (int(residues[0]) + first * step) % self.q

    # --- bytes ---

    def packed(self, residues: Words) -> bytes:
        """As few bytes as a residue needs."""
        octets = np.ascontiguousarray(residues, WORD).view(np.uint8)
        return octets.reshape(-1, WORD.itemsize)[:, : self.residue_size].tobytes()

    def unpacked(self, data: bytes, degree: int | None = None) -> Words:
        """Read residues as polynomials × primes × coefficients; refuse any that is not reduced."""
        octets = np.zeros((len(data) // self.residue_size, WORD.itemsize), np.uint8)
        octets[:, : self.residue_size] = np.frombuffer(data, np.uint8).reshape(
            -1, self.residue_size
        )
        residues = octets.view(WORD).reshape(-1, len(self.primes), degree or self.degree)
        if (residues >= self._moduli).any():
            raise malformed("a residue that is not below its prime")
        return residues


@cache
def ring(lattice: Lattice, t: int) -> Ring:
    """The ring that both sides compute in."""
    return Ring(lattice, t)


@contextmanager
def refusing() -> Iterator[None]:
    """Turn what SEAL refuses of the other side's into an error for people."""
    try:
        yield
    except (ValueError, RuntimeError, IndexError) as refusal:
        raise malformed(f"SEAL refuses what was received ({refusal})") from refusal
