"""The columns of a memory as they stand in an export, and how each value is read back from JSON or from a cell."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any
from uuid import UUID

EARLIEST, LATEST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 28, tzinfo=UTC)


class Unfit(ValueError):
    """A value that does not fit its column; its text is the reason, as one stable word."""


class Kind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    ID = "id"
    TIME = "time"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXTS = "texts"
    OBJECT = "object"


COLUMNS: Mapping[str, Kind] = MappingProxyType(
    {
        "id": Kind.ID,
        "user_id": Kind.ID,
        "profile_id": Kind.ID,
        "conversation_id": Kind.ID,
        "source_message_id": Kind.ID,
        "turn_index": Kind.INTEGER,
        "memory_text": Kind.TEXT,
        "memory_type": Kind.TEXT,
        "confidence_score": Kind.NUMBER,
        "astrological_context": Kind.OBJECT,
        "origin_mode": Kind.TEXT,
        "created_at": Kind.TIME,
        "last_referenced_at": Kind.TIME,
        "reference_count": Kind.INTEGER,
        "status": Kind.TEXT,
        "is_active": Kind.BOOLEAN,
        "deleted_at": Kind.TIME,
        "memory_no": Kind.INTEGER,
        "subtype": Kind.TEXT,
        "entity_type": Kind.TEXT,
        "memory_key": Kind.TEXT,
        "value": Kind.TEXT,
        "importance": Kind.INTEGER,
        "pinned": Kind.BOOLEAN,
        "entity_refs": Kind.TEXTS,
        "entity_label": Kind.TEXT,
        "persona_id": Kind.TEXT,
        "language": Kind.TEXT,
        "source": Kind.TEXT,
        "source_quote": Kind.TEXT,
        "supersedes_id": Kind.ID,
        "valid_from": Kind.TIME,
        "valid_to": Kind.TIME,
        "expires_at": Kind.TIME,
        "archived_at": Kind.TIME,
        "updated_at": Kind.TIME,
        "folded_into": Kind.ID,
    }
)
"""Every column of a memory, in the order of the table."""

MARKS = frozenset({"nature", "ref", "signature"})
"""What an export says beside the columns: how the memory came about, its short name, and what vouches for the row."""


def typed(column: str, given: Any) -> Any:
    """The value as an export holds it, or Unfit; a column we do not know stays."""
    kind = COLUMNS.get(column)
    return given if given is None or kind is None else _READERS[kind](given)


def from_cell(column: str, cell: str) -> Any:
    """What a cell of a spreadsheet means in its column; what cannot be read stays text, and is judged as such."""
    kind = COLUMNS.get(column, Kind.TEXT)
    try:
        return _CELLS[kind](cell) if kind in _CELLS else cell
    except (ValueError, RecursionError):
        return cell


def to_cell(value: Any) -> str | None:
    """A value as text, the same that ``from_cell`` reads; None stays None."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise Unfit("not_text")
    return given


def _id(given: Any) -> str:
    try:
        return str(UUID(_text(given)))
    except ValueError:
        raise Unfit("not_a_uuid") from None


def _time(given: Any) -> str:
    try:
        moment = datetime.fromisoformat(_text(given).strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unfit("not_a_date") from None
    if not EARLIEST < moment < LATEST:
        raise Unfit("not_a_date")
    return moment.isoformat()


def _integer(given: Any) -> int:
    if isinstance(given, float) and given.is_integer() and abs(given) < 2**53:
        return int(given)
    if isinstance(given, bool) or not isinstance(given, int):
        raise Unfit("not_a_whole_number")
    return given


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not -1e9 < given < 1e9:
        raise Unfit("not_a_number")
    return float(given)


def _boolean(given: Any) -> bool:
    if not isinstance(given, bool):
        raise Unfit("not_true_or_false")
    return given


def _texts(given: Any) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise Unfit("not_a_list_of_texts")
    return given


def _object(given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise Unfit("not_an_object")
    return given


def _boolean_cell(cell: str) -> bool:
    word = cell.strip().casefold()
    if word not in {"true", "false", "1", "0"}:
        raise Unfit("not_true_or_false")
    return word in {"true", "1"}


def _texts_cell(cell: str) -> Any:
    return json.loads(cell) if cell.lstrip().startswith("[") else [part.strip() for part in cell.split(";")]


def _number_cell(cell: str) -> float:
    return float(cell) if len(cell) <= 40 else _refuse()


def _integer_cell(cell: str) -> int:
    return int(cell) if len(cell) <= 20 else _refuse()


def _refuse() -> Any:
    raise Unfit("not_a_number")


_READERS: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.TEXT: _text,
    Kind.ID: _id,
    Kind.TIME: _time,
    Kind.INTEGER: _integer,
    Kind.NUMBER: _number,
    Kind.BOOLEAN: _boolean,
    Kind.TEXTS: _texts,
    Kind.OBJECT: _object,
}
_CELLS: Mapping[Kind, Callable[[str], Any]] = {
    Kind.INTEGER: _integer_cell,
    Kind.NUMBER: _number_cell,
    Kind.BOOLEAN: _boolean_cell,
    Kind.TEXTS: _texts_cell,
    Kind.OBJECT: json.loads,
}
