"""What is found in a document: mistakes, with which it is of no use, and warnings."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from deniable.base.errors import DeniableError

Kind = Literal["mistake", "warning"]


@dataclass(frozen=True)
class Finding:
    """One sentence about one line, and what to do about it."""

    line: int
    kind: Kind
    message: str
    hint: str = ""
    file: str = ""
    """Where the line is not the document's own, but of a file that it names."""

    def at(self, document: object) -> str:
        """Give the place of the line, as editors find it."""
        return f"{self.file or document}:{self.line}"

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class Findings:
    """Everything that is found, in the order in which it was; or an error at the first mistake."""

    def __init__(self, error: type[DeniableError] | None = None) -> None:
        self._found: list[Finding] = []
        self._error = error

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)

    @property
    def wrong(self) -> int:
        """How many mistakes there are so far."""
        return sum(finding.kind == "mistake" for finding in self._found)

    def add(self, finding: Finding) -> None:
        """Note a finding; the same one from two sides, such as a shared anchor, counts once."""
        if self._error is not None and finding.kind == "mistake":
            raise self._error(finding.message, hint=finding.hint)
        if finding not in self._found:
            self._found.append(finding)

    @property
    def mistakes(self) -> list[Finding]:
        """Findings that must be mended, in the order of the lines."""
        return [finding for finding in self.in_order() if finding.kind == "mistake"]

    def in_order(self) -> list[Finding]:
        """All findings in the order of the lines; the document's own come first."""
        return sorted(self._found, key=lambda finding: (finding.file, finding.line))
