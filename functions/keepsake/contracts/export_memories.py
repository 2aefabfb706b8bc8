"""Request and response models of ``export-memories``: a format is requested, a document of everything is returned."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from keepsake.contracts.wire import Request, Response

Row = dict[str, Any]


class ExportMemoriesRequest(Request):
    """JSON holds everything; CSV the memories alone, for a spreadsheet."""

    format: Literal["json", "csv"] = "json"


class ExportedSection(Response):
    """How the rows of a section came about: stated, chosen, inferred, derived, counted; or each says so itself."""

    nature: str


class ExportMemoriesResponse(Response):
    """Everything stored of the person; the columns are the tables'. A memory also has its ref, nature and signature."""

    schema_version: int
    exported_at: datetime
    generator: str
    person: UUID
    sections: dict[str, ExportedSection]
    profiles: list[Row]
    settings: list[Row]
    consent: list[Row]
    entities: list[Row]
    alias_proposals: list[Row]
    memories: list[Row]
    places: list[Row]
    place_mentions: list[Row]
    todos: list[Row]
    conversation_summaries: list[Row]
    daily_summaries: list[Row]
    history_summaries: list[Row]
    context_cache: list[Row]
    weekly_summaries: list[Row]
    monthly_summaries: list[Row]
    forgotten_summaries: list[Row]
    yearly_comparisons: list[Row]
    sessions: list[Row]
    session_summaries: list[Row]
    session_state: list[Row]
    spine: list[Row]
    extraction_counts: list[Row]
    changes: list[Row]
    counts: dict[str, int]
    complete: Literal[True]
