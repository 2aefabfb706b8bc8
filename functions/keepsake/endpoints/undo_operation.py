"""``undo-operation``: undoes an operation of any size."""

from __future__ import annotations

from keepsake.contracts.undo_operation import UndoOperationRequest, UndoOperationResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.undo_operation import undo_operation as undo


@endpoint(
    callers=(Caller.PERSON,),
    request=UndoOperationRequest,
    responses={200: UndoOperationResponse},
)
async def undo_operation(call: Call[UndoOperationRequest]) -> UndoOperationResponse:
    """Undo everything an operation of the last 30 days did, also where it changed too much for the RPC."""
    undone = await undo(call.resources, call.require_person(), call.body.operation_id)
    return UndoOperationResponse.model_validate(undone)
