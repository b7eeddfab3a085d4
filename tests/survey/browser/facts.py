"""What was so when somebody went through a survey: what the page's sentences are held to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from deniable.privacy.measures.single_answer import entry_matrix
from deniable.privacy.report.figures import PrivacyReport
from deniable.privacy.report.measure_privacy import measure_privacy
from deniable.survey.protocol import Submission, read_receipt, receipt_id, size_of
from deniable.survey.questionnaire import Survey
from deniable.survey.questionnaire.by_hand import paired


@dataclass(frozen=True)
class Facts:
    """What was so, when somebody went through a survey to its end."""

    survey: Survey
    direct: bool
    """Whether this person is asked directly."""

    device: str
    lasting: bool
    """Whether the browser keeps anything between visits."""

    truth: Mapping[str, str]
    before_agreeing: list[tuple[str, bytes]]
    """Requests that sent something, path and body, until the person agreed …"""

    before_sending: list[tuple[str, bytes]]
    """… and until they pressed Send."""

    sent: list[tuple[str, bytes]]
    """All of them."""

    kept_before: Mapping[str, Any]
    """What the device kept before sending …"""

    kept_after: Mapping[str, Any]
    receipt: str
    rows: Mapping[str, list[tuple[Any, ...]]]
    """The server's tables at the end."""

    send_button: str

    # --- The design ------------------------------------------------------------------------------

    @property
    def disguised(self) -> bool:
        return bool(self.survey.design.groups) and not self.direct

    @property
    def public(self) -> bool:
        """Whether some answers are sent as they are, beside disguised ones."""
        return bool(self.survey.design.public) and self.disguised

    @property
    def bit(self) -> bool:
        return self.survey.bit is not None

    @property
    def openly(self) -> bool:
        return not self.disguised and not self.bit

    @cached_property
    def report(self) -> PrivacyReport:
        return measure_privacy(self.survey.design)

    @property
    def one(self) -> set[tuple[float, float]]:
        """For each answer: how often it is guessed right before and after."""
        figures = self.report.attributes.values()
        return {(round(f.before or 0, 9), round(f.guess or 0, 9)) for f in figures}

    @property
    def record(self) -> tuple[float, float] | None:
        """The same for all answers at once, as shares."""
        if not self.disguised or len(self.report.attributes) == 1:
            return None
        return self.report.record.before or 0.0, self.report.record.guess or 0.0

    @property
    def knowing(self) -> list[float]:
        """How often the answers of a group are guessed by who knows one of them."""
        shared = [group for group in self.report.groups if len(group.names) > 1]
        return [max(group.knowing.values()) for group in shared] if self.disguised else []

    @property
    def certain(self) -> set[str]:
        """Values that prove a truth."""
        return {
            attribute.values[report]
            for group in self.survey.design.groups
            for attribute in group.attributes
            for report, chances in enumerate(entry_matrix(group, attribute.name))
            if (chances > 0).sum() == 1
        }

    @property
    def second(self) -> bool:
        """Whether personal questions are asked."""
        asked = paired(self.survey.questions)
        return self.disguised and any(
            group.channel.paired is not None and set(group.names) <= asked
            for group in self.survey.design.groups
        )

    # --- What happened ---------------------------------------------------------------------------

    @property
    def answer(self) -> Submission:
        return Submission.decode(dict(self.sent)["/api/answers"])

    @property
    def sent_as_given(self) -> bool:
        schema = self.survey.design.schema
        return self.answer.report == "".join(str(a.code(self.truth[a.name])) for a in schema)

    @property
    def no_answer_early(self) -> bool:
        """Before agreeing nothing is sent, and before Send nothing but an invitation."""
        early = [path for path, _ in self.before_sending]
        asked = ["/api/token"] if self.survey.invitations else []
        return not self.before_agreeing and early == asked and self.send_button == "Send"

    @property
    def stored(self) -> list[tuple[Any, ...]]:
        named = receipt_id(read_receipt(self.receipt))
        return [
            row for table in ("waiting", "answers") for row in self.rows[table] if row[0] == named
        ]

    @property
    def unlinked(self) -> bool:
        """Nothing in an invitation's row stands in an answer's, nor the other way round."""
        marks = {str(cell) for row in self.rows["invitations"] for cell in row}
        return marks.isdisjoint(str(cell) for row in self.stored for cell in row)

    @property
    def one_length(self) -> bool:
        return len(dict(self.sent)["/api/answers"]) == size_of(len(self.survey.design.schema))

    @property
    def nobody_named(self) -> bool:
        """Each row is of the kinds known: names of settings, hashes, reports, counts."""
        cells = [str(cell) for rows in self.rows.values() for row in rows for cell in row]
        return not any("127.0.0.1" in cell or "2026-" in cell for cell in cells)
