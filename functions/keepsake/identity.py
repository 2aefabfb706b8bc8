"""The identity of a caller: a person with a verified token, or a service of the host application; and their kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Person:
    """A person, as their verified JWT names them; ``claims`` is what row-level security sees."""

    user_id: UUID
    claims: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Service:
    """The host's backend, its cron, or a signed webhook (then ``webhook_id`` is the delivery's id)."""

    webhook_id: str | None = None


Identity = Person | Service


class Caller(StrEnum):
    """The kinds of callers that a function may allow; without any, it is public."""

    SERVICE = "service"
    PERSON = "person"
    WEBHOOK = "webhook"
