"""Release policy: which counts may be told at all, given those that were told before."""

from deniable.collab.policy.judge import Judge
from deniable.collab.policy.policy import Noise, Policy

__all__ = ["Judge", "Noise", "Policy"]
