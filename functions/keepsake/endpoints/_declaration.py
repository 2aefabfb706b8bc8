"""What a function declares about itself, what it is called with, and what it replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO, Generic, TypedDict, TypeVar

from pydantic import BaseModel

from keepsake.endpoints._uploads_and_downloads import Chunks
from keepsake.errors import Unauthenticated
from keepsake.identity import Caller, Identity, Person
from keepsake.infra.resources import Resources

PREFIX = "functions/v1"
"""Where Supabase has its functions, and Keepsake its own."""

In = TypeVar("In", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Call(Generic[In]):
    """An accepted request: caller, body, and the resources of the process."""

    identity: Identity | None
    person: Person | None
    """The identity, if it is a person."""
    body: In
    query: Mapping[str, str]
    resources: Resources
    headers: Mapping[str, str]
    file: BinaryIO = field(default_factory=BytesIO)
    """What was uploaded, where the function takes a file; then there is no body."""

    def require_person(self) -> Person:
        """The person who calls; Unauthenticated for anybody else."""
        if self.person is None:
            raise Unauthenticated
        return self.person


@dataclass(frozen=True, slots=True)
class Reply:
    """A response: its body (a model, bytes or a stream), media type and status."""

    body: BaseModel | bytes | Chunks
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a function declares about itself, for the documentation and the tests."""

    name: str
    callers: frozenset[Caller]
    request: type[BaseModel]
    responses: Mapping[int, type[BaseModel] | None]
    summary: str
    method: str = "POST"
    query: Mapping[str, str] = field(default_factory=dict)
    max_upload_bytes: int | None = None
    """Set if the function takes a file instead of a body; ``request`` then only describes the file."""
    extra_media_types: tuple[str, ...] = ()
    """Media types other than JSON: of the file if it takes one, else of the response."""
    documents: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """JSON documents below the function's path that everybody may read."""
    reads_messages: bool = False
    """Whether its process needs what reads messages; it begins to load that with the first request of any kind."""


class Options(TypedDict, total=False):
    """The optional fields of a declaration."""

    method: str
    query: Mapping[str, str]
    max_upload_bytes: int
    extra_media_types: tuple[str, ...]
    documents: Mapping[str, Callable[[], bytes]]
    reads_messages: bool


DECLARATIONS: dict[str, Declaration] = {}
"""The declarations of all functions that were imported, by name."""

Handler = Callable[[Call[In]], Awaitable[BaseModel | Reply]]
