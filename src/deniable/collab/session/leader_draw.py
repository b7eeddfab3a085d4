"""A leader drawn by a coin that all parties toss together.

Each commits to a random number; all make sure that they saw the same commitments, without asking
whoever collected them; then all reveal, and a hash of all numbers decides. Nobody can choose
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


def number(run: Run) -> str:
    """The party's own; `commitment` binds it."""
    return run.derived("coin").hex()


def commitment(run: Run) -> str:
    """Binds the party to its number."""
    return committed(run.name, number(run))


def bind(run: Run, commitments: Mapping[str, str]) -> str:
    """Keep everybody's commitments, the first that come and no others; give their hash.

    Before a party reveals its number it shows them to all others and compares: among three or more,
    whoever collects them could else show each of them other ones, and choose by what it hears.
    """
    names = set(run.agreement.names)
    if set(commitments) != names or commitments[run.name] != commitment(run):
        raise AnswerError(
            "The commitments of the toss are not those of all parties.",
            hint="Begin the run again.",
        )
    document = json.dumps(dict(commitments), sort_keys=True).encode()
    before = run.folder.read(RunFile.COMMITMENTS)
    if before is not None and before != document:
        raise AnswerError(
            "Somebody wants to toss the coin a second time, with another number.",
            hint="A coin is tossed once for a collaboration.",
        )
    if before is None:
        run.folder.write(RunFile.COMMITMENTS, document)
    return digest_of(document)


def require_same(own: str, theirs: str, name: str) -> None:
    """Stop before the number is told if another party is bound to other commitments."""
    if own != theirs:
        raise AnswerError(
            f"{name} was shown other commitments of the toss.",
            hint="Do not go on with whoever collects them.",
        )


def note(run: Run, numbers: Mapping[str, str]) -> str:
    """Check all numbers against their commitments, and remember who was drawn."""
    bound = json.loads(run.folder.read(RunFile.COMMITMENTS) or b"{}")
    if set(numbers) != set(bound) or any(
        not hmac.compare_digest(committed(name, number), bound[name])
        for name, number in numbers.items()
    ):
        raise AnswerError(
            "A number of the toss is not the one that was committed to.",
            hint="Do not go on with whoever changed it.",
        )
    leader = drawn(list(run.agreement.names), numbers)
    run.folder.write(RunFile.DRAWN_LEADER, leader.encode())
    return leader


def committed(name: str, number: str) -> str:
    """Hash of a party's name and number."""
    return digest_of(f"deniable coin\n{name}\n{number}")


def drawn(names: list[str], numbers: Mapping[str, str]) -> str:
    """Whom all numbers together fall on.

    256 bits decide, so that among up to a hundred parties no one is favoured by more than 2⁻²⁴⁹.
    """
    return names[int(digest_of(json.dumps(sorted(numbers.items()))), 16) % len(names)]
