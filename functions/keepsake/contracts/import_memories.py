"""Request and response models of ``import-memories``: a file of rows, and a report on each row."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from keepsake.contracts.wire import Response, RootRequest


class ImportedMemory(BaseModel):
    """One memory from elsewhere. A row of our own export has every column, and is restored as it was if signed."""

    model_config = ConfigDict(extra="allow", frozen=True)

    memory_text: str = Field(min_length=1, max_length=500)
    memory_type: Literal["fact", "emotion", "goal", "pattern", "relationship"] = "fact"
    subtype: str = "other"
    confidence_score: float = Field(default=0.8, ge=0, le=1, description="Kept up to 0.8.")
    importance: int = Field(default=1, ge=0, le=3)
    pinned: bool = False
    entity_refs: list[str] = []
    entity_label: str | None = None
    entity_type: str | None = None
    persona_id: str | None = None
    language: str = "en"
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    profile_id: UUID | None = None
    status: Literal["active", "superseded", "archived", "expired", "deleted"] | None = Field(
        default=None, description="A deleted row is not imported; others that are not active become history."
    )
    valid_to: datetime | None = None
    archived_at: datetime | None = None
    doubted_at: datetime | None = None
    deleted_at: datetime | None = None


class ImportDocument(BaseModel):
    """A document like that of ``export-memories``; sections this version does not know are passed over."""

    model_config = ConfigDict(extra="allow", frozen=True)

    schema_version: int | None = None
    memories: list[ImportedMemory]


class ImportMemoriesRequest(RootRequest[list[ImportedMemory] | ImportDocument]):
    """A list of memories, or an export; one memory a line and CSV are taken too."""


class ImportMemoriesQuery(BaseModel):
    """The parameters of the URL, beside the file."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    atomic: bool = False
    file_name: str | None = Field(default=None, max_length=255)
    profile_id: UUID | None = None


class ImportProblem(Response):
    """Why a row was refused: the row and line it stands in, the field, and the reason as one stable word."""

    row: int
    line: int
    field: str
    reason: str


class ImportNote(ImportProblem):
    """A note on one or many rows, with the first of them."""

    rows: int


class ImportMemoriesResponse(Response):
    """The result of the import; ``undo_operation`` takes all of it back by its ``operation_id``."""

    status: Literal["imported", "unchanged", "refused"]
    operation_id: UUID | None
    profile_id: UUID = Field(description="Where rows went that name no profile of their own.")
    rows: int
    imported: int
    restored: int = Field(description="Of those, the ones signed by our own export: every value is as it was.")
    archived: int = Field(description="Of those, the ones beyond the 1,000 a profile may hold active.")
    unchanged: int = Field(description="Rows that are remembered already, or that something newer stands in for.")
    refused: int
    also_restored: dict[str, int] = Field(description="Signed rows of other sections that came back, by section.")
    history: dict[str, int] = Field(
        description="Of those imported, the ones that are not current, by state (superseded, expired …)."
    )
    forgotten: int = Field(description="Rows that were forgotten where they come from: they are not imported.")
    screened_by: Literal["words", "words_and_model"] = Field(
        description="By what new texts were judged: their words alone, or also the embedding model of this server."
    )
    problems: list[ImportProblem] = Field(description="At most 1,000 of them.")
    notes: list[ImportNote]
