"""Request and response models of ``undo-operation``."""

from __future__ import annotations

from uuid import UUID

from keepsake.contracts.wire import Request, Response


class UndoOperationRequest(Request):
    """An operation, as ``memory_operations``, an import or any other change names it."""

    operation_id: UUID


class UndoOperationResponse(Response):
    """The operation that undid it, which can be undone in turn, and the number of changes."""

    operation_id: UUID
    undone: UUID
    affected: int
