"""Which values are too rare to stand for themselves: by records, or by a share of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from deniable.base.errors import SchemaError
from deniable.base.wording import plural


@dataclass(frozen=True)
class Rare:
    """What fewer than so many records hold, or fewer than such a share of them.

    >>> Rare.of("10").least(1000), Rare.of("1%").least(1000), Rare.of("0.0015").least(1000)
    (10, 10, 2)
    """

    word: str
    records: int = 0
    share: Fraction = Fraction(0)

    @classmethod
    def of(cls, word: str) -> "Rare":
        """Read a whole number of records, or a share such as 0.01 or 1%."""
        text = word.strip()
        try:
            share = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except (ValueError, ZeroDivisionError):
            share = Fraction(0)
        if text.isascii() and text.isdigit() and int(text) > 1:
            return cls(word, records=int(text))
        if not 0 < share < 1:
            raise SchemaError(
                f"{word!r} does not say which values are rare.",
                hint="Write 10 for fewer than 10 records, or 1% (or 0.01) for fewer than such a "
                "share of them.",
            )
        return cls(word, share=share)

    def least(self, records: int) -> int:
        """How many records a value needs not to be rare."""
        return max(self.records, -(-self.share.numerator * records // self.share.denominator))

    def parted(self, counts: Mapping[str, int], records: int) -> tuple[dict[str, int], int]:
        """Give the values that stay, and how many are rare."""
        least = self.least(records)
        kept = {value: count for value, count in counts.items() if count >= least}
        return kept, len(counts) - len(kept)

    def __str__(self) -> str:
        if self.records:
            return f"fewer than {plural(self.records, 'record')}"
        return f"fewer than {self.word} of the records"
