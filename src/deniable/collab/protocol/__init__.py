"""Every verb of the wire: what it says, what answers it, who may ask it and when."""

from deniable.collab.protocol import (  # each enters its verbs into QUESTIONS
    alignment_verbs,
    record_verbs,
    run_verbs,
    secure_count_verbs,
)
from deniable.collab.protocol.body import QUESTIONS

__all__ = ["QUESTIONS", "alignment_verbs", "record_verbs", "run_verbs", "secure_count_verbs"]
