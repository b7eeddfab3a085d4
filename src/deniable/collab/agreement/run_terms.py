"""What all parties bring to a run, and agree on before anything is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deniable.base.errors import AnswerError, DeniableError, shortened
from deniable.base.fingerprint import digest_of_json
from deniable.collab.policy import Policy


def policy_of(name: str, document: object) -> Policy:
    """Read a party's policy as it came over the wire; what is wrong with it is that party's."""
    try:
        if isinstance(document, Mapping):
            return Policy.of(document)
    except (DeniableError, ValueError, TypeError):
        pass
    raise AnswerError(
        f"The policy that {shortened(name)} is said to have cannot be read.",
        hint="All parties must use the same version.",
    )


@dataclass(frozen=True)
class RunTerms:
    """What every party brings: its policy, and a commitment to its data; by name."""

    agreement: str
    policies: Mapping[str, Mapping[str, Any]]
    commitments: Mapping[str, str]

    def document(self) -> dict[str, Any]:
        """Write it as JSON."""
        return {
            "agreement": self.agreement,
            "policies": {name: dict(policy) for name, policy in sorted(self.policies.items())},
            "commitments": dict(sorted(self.commitments.items())),
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "RunTerms":
        """Read what `document` wrote; a peer's may be anything."""
        match document:
            case {"agreement": str(agreement), "policies": dict(given), "commitments": dict(bound)}:
                policies = {name: policy_of(name, each).document() for name, each in given.items()}
                return cls(agreement, policies, {name: str(each) for name, each in bound.items()})
        raise AnswerError("The terms cannot be read.", hint="Use one version.")

    @cached_property
    def digest(self) -> str:
        """Hash that stands in every message once all have agreed."""
        return digest_of_json(self.document(), spaced=True)
