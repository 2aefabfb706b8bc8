"""The fields that an unsigned row of an import may set, with their types and bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo
from pydantic_core import PydanticCustomError

from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import MAX_TEXT_LENGTH, MemoryType, Status, Subtype
from keepsake.domain.text import clean_text, has_forbidden_characters

MAX_IMPORTED_CONFIDENCE = 0.8
"""The maximum confidence of a row without a valid signature."""
MAX_REFS = 20
MAX_LABEL_LENGTH = 120

CODE_FENCES = ("```", "~~~")
"""What begins and ends code in a text of Markdown: code says nothing of the person."""
_SPACES = re.compile(r"[ \t\r\n]+")
_REF = re.compile(r"(person|place|org|project):[^\s:|]{1,100}")
_CLOCK_SKEW = timedelta(days=1)
_EARLIEST, _LATEST = datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 28, tzinfo=UTC)
_REASONS: Mapping[str, str] = {
    "string_type": "not_text",
    "string_too_short": "required",
    "string_too_long": "too_long",
    "string_unicode": "bad_characters",
    "string_pattern_mismatch": "not_a_language",
    "int_type": "not_a_whole_number",
    "float_type": "not_a_number",
    "bool_type": "not_true_or_false",
    "list_type": "not_a_list_of_texts",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
}
"""The reason that the report names for each type of error of pydantic; our own errors have the reason as type."""


@dataclass(frozen=True, slots=True)
class ImportPolicy:
    """What rows are validated against: time, the person's profiles, the types they allow, and the signature check."""

    now: datetime
    person: UUID
    profiles: frozenset[str]
    target: str
    allowed_types: frozenset[str]
    verify: Callable[[str, Mapping[str, Any], object], bool]


def _error(reason: str) -> PydanticCustomError:
    return PydanticCustomError(reason, "{reason}", {"reason": reason})


def _policy(info: ValidationInfo) -> ImportPolicy:
    if not isinstance(info.context, ImportPolicy):
        raise TypeError("rows are validated in the context of an ImportPolicy")
    return info.context


def _clean(value: str) -> str:
    cleaned = clean_text(value)
    if has_forbidden_characters(cleaned):
        raise _error("bad_characters")
    return cleaned


def _without_code(text: str) -> str:
    """The words around the fenced code of a text; what follows a fence that is not closed is code."""
    for fence in CODE_FENCES:
        text = " ".join(text.split(fence)[::2])
    return text


def _words(value: Any) -> Any:
    return _SPACES.sub(" ", _without_code(clean_text(value))).strip() if isinstance(value, str) else value


def _memory_type(value: str, info: ValidationInfo) -> str:
    if value not in set(MemoryType):
        raise _error("unknown_type")
    if value not in _policy(info).allowed_types:
        raise _error("type_not_allowed")
    return value


def _subtype(value: str) -> str:
    if value not in set(Subtype):
        raise _error("unknown_subtype")
    return value


def _status(value: str) -> str:
    if value not in set(Status):
        raise _error("unknown_status")
    return value


def _profile_id(value: str, info: ValidationInfo) -> str:
    try:
        profile_id = str(UUID(value))
    except ValueError:
        raise _error("not_a_uuid") from None
    if profile_id not in _policy(info).profiles:
        raise _error("not_found")
    return profile_id


def _confidence(value: float) -> float:
    if not 0 <= value <= 1:
        raise _error("out_of_range" if abs(value) < 1e9 else "not_a_number")
    return round(value, 3)


def _integral(value: Any) -> Any:
    """JSON of other programs has 2.0 for 2."""
    is_integral = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if is_integral else value


def _entity_refs(value: list[Any]) -> list[str]:
    if not all(isinstance(ref, str) for ref in value):
        raise _error("not_a_list_of_texts")
    if len(value) > MAX_REFS:
        raise _error("too_many")
    if not all(_REF.fullmatch(ref) for ref in value):
        raise _error("not_an_entity")
    return list(dict.fromkeys(value))


def _moment(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value.strip())
        moment = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _error("not_a_date") from None
    if not _EARLIEST < moment < _LATEST:
        raise _error("not_a_date")
    return moment.isoformat()


def _past(value: str, info: ValidationInfo) -> str:
    if datetime.fromisoformat(value) > _policy(info).now + _CLOCK_SKEW:
        raise _error("in_the_future")
    return value


def _period(value: str) -> str:
    if days_of(value) is None:
        raise _error("not_a_period")
    return value


_Text = Annotated[str, AfterValidator(_clean)]
_Label = Annotated[_Text, Field(max_length=MAX_LABEL_LENGTH), AfterValidator(lambda value: value.strip() or None)]
_Moment = Annotated[str, AfterValidator(_moment)]


class ImportRow(BaseModel):
    """The fields of an unsigned row, normalized, its state among them; the server sets all other columns."""

    model_config = ConfigDict(strict=True, frozen=True)

    memory_text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_LENGTH), BeforeValidator(_words)] = Field(
        "", validate_default=True
    )
    memory_type: Annotated[_Text, AfterValidator(_memory_type)] = Field(MemoryType.FACT.value, validate_default=True)
    profile_id: Annotated[str, AfterValidator(_profile_id)] | None = None
    confidence_score: Annotated[float, AfterValidator(_confidence)] = MAX_IMPORTED_CONFIDENCE
    subtype: Annotated[_Text, AfterValidator(_subtype)] = Subtype.OTHER.value
    entity_type: _Label | None = None
    importance: Annotated[int, BeforeValidator(_integral), Field(ge=0, le=3)] = 1
    pinned: bool = False
    entity_refs: Annotated[list[Any], AfterValidator(_entity_refs)] = Field(default_factory=list)
    entity_label: _Label | None = None
    persona_id: _Label | None = None
    language: Annotated[_Text, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$")] = "en"
    valid_from: Annotated[_Moment, AfterValidator(_past)] | None = None
    expires_at: _Moment | None = None
    status: Annotated[_Text, AfterValidator(_status)] | None = None
    valid_to: Annotated[_Moment, AfterValidator(_past)] | None = None
    archived_at: Annotated[_Moment, AfterValidator(_past)] | None = None
    doubted_at: Annotated[_Moment, AfterValidator(_past)] | None = None
    deleted_at: _Moment | None = None
    period: Annotated[str, AfterValidator(_period)] | None = None


def parse_fields(fields: Mapping[str, Any], policy: ImportPolicy) -> ImportRow | list[tuple[str, str]]:
    """The validated row, or each invalid field with the reason."""
    try:
        return ImportRow.model_validate(fields, context=policy)
    except ValidationError as error:
        return [
            (str(one["loc"][0]), _REASONS.get(one["type"], one["type"]))
            for one in error.errors(include_url=False, include_input=False)
        ]
