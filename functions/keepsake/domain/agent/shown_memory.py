"""A memory as a call of the agent tool shows it: without its text where it is private and others read the answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.context.selection import is_private
from keepsake.domain.memory import Memory, MemoryRef, MemoryType, Status


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """What an agent gets of a memory; ``text`` is empty where others read the answer and the memory is private."""

    id: UUID
    memory_no: int
    type: MemoryType
    text: str
    confidence: float
    status: Status

    @property
    def ref(self) -> str:
        """The short name people see."""
        return str(MemoryRef(self.memory_no))


def show_memories(memories: Iterable[Memory], *, shared: bool) -> tuple[ShownMemory, ...]:
    """The memories as a call shows them; with ``shared`` others read the answer."""
    return tuple(
        ShownMemory(
            id=memory.id,
            memory_no=memory.memory_no,
            type=memory.type,
            text="" if shared and is_private(memory) else memory.text,
            confidence=memory.confidence,
            status=memory.status,
        )
        for memory in memories
    )
