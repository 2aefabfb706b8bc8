"""Request and response models of ``erase-memories``."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from keepsake.contracts.wire import Request, Response

_MemoryName = Annotated[
    str, Field(pattern=r"^([Mm]-[1-9][0-9]{0,17}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$")
]


class EraseMemoriesRequest(Request):
    """What to erase, in exactly one way, and the word that confirms it; ``dry_run`` needs none and erases nothing."""

    memory_ids: Annotated[list[_MemoryName], Field(min_length=1, max_length=1000)] | None = Field(
        default=None, description="Ids, or as people see them: M-12. What these memories replaced goes with them."
    )
    subject: Annotated[str, Field(min_length=1, max_length=200, pattern=r"\w")] | None = Field(
        default=None, description="Words that all stand in a memory, or the key of an entity, as person:anna."
    )
    profile_id: UUID | None = Field(
        default=None, description="All that is remembered under one of the person's profiles."
    )
    everything: bool = Field(default=False, description="Everything remembered of the person.")
    include_messages: bool = Field(
        default=False,
        description="The person's own messages as well: all, those of the profile's chats, or those it rests on.",
    )
    dry_run: bool = Field(default=False, description="Only say what would be erased.")
    confirm: Literal["erase"] | None = Field(default=None, description="The word erase: this cannot be undone.")

    @model_validator(mode="after")
    def _check_target(self) -> Self:
        targets = (self.memory_ids, self.subject, self.profile_id, self.everything or None)
        if sum(target is not None for target in targets) != 1:
            raise ValueError("give exactly one of memory_ids, subject, profile_id, everything: true")
        if self.confirm is None and not self.dry_run:
            raise ValueError('confirm: must be "erase", for it cannot be undone')
        return self


class ErasedMemory(Response):
    """An erased memory; its text only in a dry run."""

    id: UUID
    ref: str
    status: str
    text: str | None


class EraseMemoriesResponse(Response):
    """How many rows were erased from each place (in a dry run: would be), and how many were found there afterwards."""

    dry_run: bool
    erased: dict[str, int]
    remaining: dict[str, int] | None = Field(description="Counted anew by the same list; null in a dry run.")
    memories: list[ErasedMemory]
    kept_newer: list[str] = Field(description="Memories that had replaced one of these: they stay.")
    erased_before: datetime | None = Field(description="Nothing said before this is read again.")
