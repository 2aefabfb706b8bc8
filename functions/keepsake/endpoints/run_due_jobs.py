"""``run-due-jobs``: queues and runs due jobs; a scheduler calls it every minute."""

from __future__ import annotations

from keepsake.contracts.run_due_jobs import RunDueJobsRequest, RunDueJobsResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.run_due_jobs import run_due_jobs as run


@endpoint(
    callers=(Caller.SERVICE,),
    request=RunDueJobsRequest,
    responses={200: RunDueJobsResponse},
    reads_messages=True,
)
async def run_due_jobs(call: Call[RunDueJobsRequest]) -> RunDueJobsResponse:
    """Find what is due from the data, queue it, and run the queue for a bounded time."""
    wanted = call.body.max_seconds
    due = await run(call.resources, max_seconds=call.resources.settings.run_due_seconds if wanted is None else wanted)
    return RunDueJobsResponse.model_validate(due)
