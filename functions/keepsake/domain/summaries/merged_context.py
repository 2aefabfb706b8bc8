"""The merged context: facts, the current day and the history of a person as one text, which a model writes.

The newer statement wins where the three say different things. Without a model the three are shown one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.compose_sentences import full_date
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.text import hash_texts

MAX_CONTEXT = 800
"""Characters of a merged context."""

FORM = ReplyForm({"context": MAX_CONTEXT}, {})
"""What a model answers."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory that holds, and when it was said."""

    id: UUID
    text: str
    day: date


@dataclass(frozen=True, slots=True)
class ContextInputs:
    """What a context is merged from."""

    facts: Sequence[Fact] = ()
    day: str = ""
    history: str = ""
    memory_ids: Sequence[UUID] = ()
    """The memories whose words may occur in the day and the history."""
    day_ref: SummaryRef | None = None
    history_ref: SummaryRef | None = None

    @property
    def can_be_merged(self) -> bool:
        """Whether there are facts, and something of late to merge them with."""
        return bool(self.facts and (self.day or self.history))

    @property
    def hashes(self) -> tuple[str, str, str]:
        """The hashes of the facts, the day and the history: the key of the cache."""
        return hash_texts([fact.text for fact in self.facts]), hash_texts([self.day]), hash_texts([self.history])


def build_context_prompt(inputs: ContextInputs, today: date, author: Author | None) -> SummaryPrompt:
    """The prompt for a model; ``author`` is the person, where their name may be shown."""
    in_order = sorted(inputs.facts, key=lambda one: one.day)
    texts = [Citable(one.text, full_date(one.day), one.day, "noted", memory_ids=(one.id,)) for one in in_order]
    if inputs.history:
        texts.append(_citable(inputs.history, "the days before", today, "history", inputs.history_ref))
    if inputs.day:
        texts.append(_citable(inputs.day, full_date(today), today, "today", inputs.day_ref))
    return SummaryPrompt.of("context", FORM, texts, author=author, today=full_date(today))


def _citable(text: str, day: str, on: date, kind: str, ref: SummaryRef | None) -> Citable:
    return Citable(text, day, on, kind, message_ids=ref.message_ids if ref else (), row_id=ref.id if ref else None)
