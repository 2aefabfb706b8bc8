"""What the summary of a conversation is written from: messages that may be summarized, and what they became."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.screening.instructions import is_prompt_injection
from keepsake.domain.screening.screen import replace_mentions, shown_name
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.screening.sensitive_topics import is_financial_amount, is_sensitive_topic
from keepsake.domain.summaries.compose_sentences import in_quotes
from keepsake.domain.text import has_forbidden_characters

NO_NAME = "The person"
"""Who has no name that may be shown."""

_MAX_NAME = 60
_UNQUOTED_NAME = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)?(?: [^\W\d_]+(?:[-'’][^\W\d_]+)?)?")
"""One or two words of letters: a longer name could tell something in the place where people are named."""


@dataclass(frozen=True, slots=True)
class StatedMemory:
    """A memory that a message became."""

    id: UUID
    text: str
    type: MemoryType
    subtype: Subtype
    is_corrected: bool = False
    """Whether the person has put it right since."""
    is_by_model: bool = False
    """Whether a model stated it, in whole sentences."""

    @property
    def is_feeling(self) -> bool:
        """Whether it says how the person felt."""
        return self.type is MemoryType.EMOTION or self.subtype is Subtype.FEELING

    @property
    def is_plan(self) -> bool:
        """Whether it says what the person wants to do."""
        return self.type is MemoryType.GOAL


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """A person's message with the memories that it became."""

    message_id: UUID
    user_id: UUID
    text: str
    said_at: datetime
    memories: Sequence[StatedMemory] = ()
    answer: str = ""
    """The end of the assistant's answer."""


@dataclass(frozen=True, slots=True)
class ConversationSources:
    """The turns of a conversation, oldest first, and the names of those who take part."""

    turns: Sequence[ConversationTurn] = ()
    names: Mapping[UUID, str | None] = field(default_factory=dict)
    is_shared: bool = False
    """Whether several people read the summary: then it has no sensitive topics and no feelings."""

    @property
    def message_ids(self) -> list[UUID]:
        """The messages, oldest first."""
        return [turn.message_id for turn in self.turns]

    @property
    def user_ids(self) -> list[UUID]:
        """Who wrote the messages, in the order of their first."""
        return list(dict.fromkeys(turn.user_id for turn in self.turns))

    def name_of(self, user_id: UUID) -> str:
        """The name of a person, where there is one that may be shown; in quotes unless it can be nothing but a name."""
        name = " ".join((self.names.get(user_id) or "").split())
        shown = shown_name(name) if len(name) <= _MAX_NAME else None
        if shown is None:
            return NO_NAME
        return shown if shown[0].isupper() and _UNQUOTED_NAME.fullmatch(shown) else in_quotes(shown)

    def readable_memories(self, user_id: UUID) -> list[StatedMemory]:
        """The memories of a person that everybody who reads the summary may read, each once."""
        stated = {one.id: one for turn in self.turns if turn.user_id == user_id for one in turn.memories}
        return [one for one in stated.values() if not self.is_shared or not _is_private(one)]

    def replace_mentions(self, text: str) -> str:
        """The text with the names of people in the place of their ids."""
        names = {str(user_id): self.name_of(user_id) for user_id in self.names}
        return replace_mentions(text, names.get)


def is_quotable(text: str) -> bool:
    """Whether a person's words may be repeated: they give no orders to a model and contain no secret."""
    return not (
        has_forbidden_characters(text) or is_prompt_injection(text) or find_secrets(text) or is_financial_amount(text)
    )


def _is_private(memory: StatedMemory) -> bool:
    return memory.is_feeling or is_sensitive_topic(memory.text)
