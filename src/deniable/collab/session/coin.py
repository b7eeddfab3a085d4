"""A leader drawn by a coin that all parties toss together.

Each commits to a random number, then all reveal; a hash of all numbers decides. Nobody can choose
the outcome after seeing another's number, and a number is fixed for the whole run, so that tossing
again gives the same. Whoever reveals last may still walk away when it does not like what comes;
then there is no run, and the others see who broke off.
"""

import hmac
import json
from collections.abc import Mapping

from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of
from deniable.collab.session.run import Run
from deniable.collab.session.run_folder import RunFile


class CoinToss:
    """One party's share in the toss."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    def _number(self) -> str:
        return self.run.derived("coin").hex()

    @property
    def commitment(self) -> str:
        """Binds the party to its number."""
        return committed(self.run.name, self._number)

    def reveal(self, commitments: Mapping[str, str]) -> str:
        """Give the number, once everybody is bound; to one set of commitments only."""
        if (
            set(commitments) != set(self.run.agreement.names)
            or commitments[self.run.name] != self.commitment
        ):
            raise AnswerError(
                "The commitments of the toss are not those of all parties.",
                hint="Begin the run again.",
            )
        document = json.dumps(dict(commitments), sort_keys=True).encode()
        before = self.run.folder.read(RunFile.COMMITMENTS)
        if before is not None and before != document:
            raise AnswerError(
                "Somebody wants to toss the coin a second time, with another number.",
                hint="A coin is tossed once for a collaboration.",
            )
        if before is None:
            self.run.folder.write(RunFile.COMMITMENTS, document)
        return self._number

    def note(self, numbers: Mapping[str, str]) -> str:
        """Check all numbers against their commitments, and remember who was drawn."""
        before = self.run.folder.read(RunFile.COMMITMENTS)
        bound = {} if before is None else json.loads(before)
        if set(numbers) != set(bound) or any(
            not hmac.compare_digest(committed(name, number), bound[name])
            for name, number in numbers.items()
        ):
            raise AnswerError(
                "A number of the toss is not the one that was committed to.",
                hint="Do not go on with whoever changed it.",
            )
        leader = drawn(list(self.run.agreement.names), numbers)
        self.run.folder.write(RunFile.DRAWN_LEADER, leader.encode())
        return leader


def committed(name: str, number: str) -> str:
    """Hash of a party's name and number."""
    return digest_of(f"deniable coin\n{name}\n{number}")


def drawn(names: list[str], numbers: Mapping[str, str]) -> str:
    """Whom all numbers together fall on.

    256 bits decide, so that among up to a hundred parties no one is favoured by more than 2⁻²⁴⁹.
    """
    return names[int(digest_of(json.dumps(sorted(numbers.items()))), 16) % len(names)]
