"""The tasks of a worker: each validates its arguments and calls a use case. ``run-due-jobs`` requeues what failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

from keepsake.errors import NotFound, RetryLater
from keepsake.infra.job_queue import EMBED_JOB, task
from keepsake.infra.logs import bind_log_context, log, request_id
from keepsake.infra.resources import Resources, get_resources
from keepsake.jobs.payloads import (
    ConversationPayload,
    LevelPayload,
    Payload,
    ProfilePayload,
    SessionPayload,
    StatePayload,
    TurnPayload,
)
from keepsake.store.turns import DueTurn
from keepsake.usecases import extract_user_memory as extraction
from keepsake.usecases.chat_send import EXTRACT_JOB
from keepsake.usecases.embed_memories import run_embed_job
from keepsake.usecases.models.verdicts import TRIAL_JOB
from keepsake.usecases.run_model_trial import run_model_trial
from keepsake.usecases.sessions.refresh_state import REFRESH_STATE_JOB, refresh_session_state
from keepsake.usecases.sessions.summarize_session import SUMMARIZE_SESSION_JOB, summarize_session
from keepsake.usecases.summaries.queue_conversations import SUMMARIZE_CONVERSATION_JOB
from keepsake.usecases.summaries.refresh_context import REFRESH_CONTEXT_JOB, refresh_context
from keepsake.usecases.summaries.summarize_conversation import summarize_conversation
from keepsake.usecases.summaries.write_due_summaries import SUMMARIZE_PROFILE_JOB, summarize_profile
from keepsake.usecases.turns.extract_batch import extract_batch, group_by_order, max_batch


def _register(name: str, payload: type[Payload], usecase: Callable[..., Awaitable[object]]) -> None:
    """Make the use case the task of the job with this name; it gets the fields of the payload."""

    @task(name)
    async def run(**arguments: str) -> None:
        fields = payload.model_validate(arguments).model_dump()
        with _job(name):
            await usecase(get_resources(), **fields)


@contextmanager
def _job(name: str) -> Iterator[None]:
    """Log under the job's name, and end without an error: the row of a failed job becomes due again by itself."""
    with bind_log_context(request_id=request_id(None), job=name):
        try:
            yield
        except NotFound:
            log.info("what a job is about is gone")
        except RetryLater as refusal:
            log.info("a job was put off", code=refusal.code)
        except Exception as error:  # noqa: BLE001 (the row has what is needed to try again; the queue keeps nothing)
            log.error("a job failed", exc_info=error)


_register(EMBED_JOB, Payload, run_embed_job)
_register(TRIAL_JOB.name, Payload, run_model_trial)
_register(SUMMARIZE_PROFILE_JOB, LevelPayload, summarize_profile)
_register(REFRESH_CONTEXT_JOB, ProfilePayload, refresh_context)
_register(SUMMARIZE_SESSION_JOB, SessionPayload, summarize_session)
_register(REFRESH_STATE_JOB, StatePayload, refresh_session_state)
_register(SUMMARIZE_CONVERSATION_JOB, ConversationPayload, summarize_conversation)


@task(EXTRACT_JOB)
async def extract_user_memory(**arguments: str) -> None:
    """Extract memories from one message, and from others that wait in the queue."""
    resources = get_resources()
    gathered: list[dict[str, str]] = []
    with _job(EXTRACT_JOB):
        gathered = await resources.queue.gather(EXTRACT_JOB, arguments, max_batch(resources))
    due = [DueTurn(**TurnPayload.model_validate(each).model_dump()) for each in gathered]
    for group in group_by_order(due):
        await _extract_group(resources, group)


async def _extract_group(resources: Resources, group: Sequence[DueTurn]) -> None:
    """Extract several turns together, and those that it leaves over one by one."""
    left = group
    if len(group) > 1:
        left = []
        with _job(EXTRACT_JOB):
            left = await extract_batch(resources, group)
    for turn in left:
        with _job(EXTRACT_JOB):
            await extraction.extract_user_memory(
                resources, conversation_id=turn.conversation_id, message_id=turn.message_id
            )
