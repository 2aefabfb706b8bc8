"""The shape of the object that was asked for, and how an answer in another wrapping is brought into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.replies.field_name import field_name

_MAX_DEPTH = 4
_SCHEMA_WORDS = frozenset({"properties", "$schema", "$defs", "additionalproperties"})
_SCHEMA_TYPES = ("array", "object", "string", "number", "integer", "boolean")


@dataclass(frozen=True, slots=True)
class Match:
    """The fields of an answer by their names, and what had to be unwrapped for it."""

    fields: Mapping[str, Any]
    repairs: frozenset[str] = frozenset()
    is_member: bool = False
    """Whether it is a single member of the list, which others may follow."""

    def plus(self, repair: str) -> Match:
        """The same with one more repair."""
        return Match(self.fields, self.repairs | {repair}, self.is_member)


@dataclass(frozen=True, slots=True)
class ReplyShape:
    """The names of an object's fields; for a list of objects also the names that a member of it must have."""

    fields: frozenset[str]
    list_field: str = ""
    member_fields: frozenset[str] = frozenset()

    @property
    def allows_nothing(self) -> bool:
        """Whether an answer without content means that there is nothing."""
        return bool(self.list_field)

    @property
    def nothing(self) -> Mapping[str, Any]:
        """The answer that there is nothing."""
        return {self.list_field: []}

    def match(self, value: Any, depth: int = 0) -> Match | None:
        """The answer that a value is; None where it is none, as an example, a schema or a remark."""
        if depth > _MAX_DEPTH:
            return None
        if isinstance(value, Mapping):
            return self._match_object(value, depth)
        return self._match_list(value, depth) if isinstance(value, list) else None

    def is_nothing(self, value: Any) -> bool:
        """Whether a value that is a whole reply says that there is nothing."""
        return self.allows_nothing and (value is None or (isinstance(value, dict | list | str) and not value))

    def _match_object(self, value: Mapping[str, Any], depth: int) -> Match | None:
        named = {field_name(name): part for name, part in value.items()}
        fields = {name: part for name, part in named.items() if name in self.fields}
        if fields and not _is_schema(named, fields):
            repairs = frozenset[str]() if fields.keys() <= value.keys() else frozenset({"key_case"})
            return Match({**fields, **self._list_of(fields)}, repairs)
        if self._is_member(named):
            return Match({self.list_field: [value]}, frozenset({"single_object"}), is_member=True)
        inner = [match for part in value.values() if (match := self.match(part, depth + 1)) is not None]
        return inner[0].plus("wrapper") if len(inner) == 1 else None

    def _match_list(self, value: Sequence[Any], depth: int) -> Match | None:
        if not value:
            return None
        matches = [self.match(part, depth + 1) for part in value]
        if self.list_field and any(match is not None and match.is_member for match in matches):
            return Match({self.list_field: value}, frozenset({"bare_list"}))
        found = [match for match in matches if match is not None]
        return found[0].plus("wrapper") if len(found) == len(value) == 1 else None

    def _list_of(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """The list of members, where it is another value: one member, members by their numbers, or nothing."""
        members = fields.get(self.list_field, ())
        if members is None or members == "":
            return {self.list_field: []}
        if isinstance(members, Mapping):
            is_one = self._is_member({field_name(name): part for name, part in members.items()})
            return {self.list_field: [members] if is_one else list(members.values())}
        return {}

    def _is_member(self, named: Mapping[str, Any]) -> bool:
        return bool(self.member_fields) and all(
            name in named and not isinstance(named[name], Mapping) for name in self.member_fields
        )


def _is_schema(named: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether an object is the schema, or a part of one, and no answer to it."""
    return not _SCHEMA_WORDS.isdisjoint(named) or all(
        isinstance(part, Mapping) and part.get("type") in _SCHEMA_TYPES for part in fields.values()
    )
