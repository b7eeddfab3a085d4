"""What all parties bring to a run, and agree on before anything is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deniable.base.errors import AnswerError
from deniable.base.fingerprint import digest_of_json
from deniable.collab.policy import Policy


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
                policies = {name: Policy.of(policy).document() for name, policy in given.items()}
                return cls(agreement, policies, {name: str(each) for name, each in bound.items()})
        raise AnswerError("The terms cannot be read.", hint="Use one version.")

    @cached_property
    def digest(self) -> str:
        """Hash that stands in every message once all have agreed."""
        return digest_of_json(self.document(), spaced=True)
