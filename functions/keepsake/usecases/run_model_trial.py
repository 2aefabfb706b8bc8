"""Tries a model that has no verdict, in the background: each job asks about some turns, and the next one goes on.

What was made of a turn is kept until the verdict is stored, so a trial that is stopped, or whose endpoint is away, goes
on where it was. One worker at a time has the lease of a trial, and each call passes the same gate as that of a message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Any

from pydantic import TypeAdapter, ValidationError

from keepsake.domain import model_availability
from keepsake.domain.extraction.judge_model import TrialResult
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.trial_turns import trial_turns
from keepsake.domain.model_availability import RetryAt
from keepsake.infra.database import Connection, Profile
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import DEADLINE, ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.store import model_health, model_trials
from keepsake.store.model_health import NO_COST, Cost
from keepsake.store.model_trials import ClaimedTrial
from keepsake.usecases.models import gate
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.models.try_model import is_too_slow, try_turn
from keepsake.usecases.models.verdicts import GRACE, TRIAL_JOB, queue_trial, read_verdict, store_judgment
from keepsake.usecases.summaries.try_week import try_week

_FIRST_WAIT, _MAX_WAIT = timedelta(minutes=5), timedelta(days=1)
"""After a failure; each further one waits three times as long."""
_MAX_POWER = 6
_NEXT_TRIAL = timedelta(days=1)
"""From a verdict to the next trial with the same prompt, should another version have replaced the verdict."""
_MAX_SECONDS = 10.0
"""After which a job asks about no further turn."""
_WRITING = timedelta(minutes=1)
_RESULT = TypeAdapter(TrialResult)


@dataclass(frozen=True, slots=True)
class _Step:
    """A trial whose next turn this worker asks about, what was made of the turns before, and the slot for the call."""

    trial: ClaimedTrial
    results: Sequence[TrialResult]
    slot: ModelSlot


async def queue_due_trial(resources: Resources) -> None:
    """Queue the job where the model of extraction has no verdict and it is time to try it."""
    model = resources.settings.openai_extraction_model
    if model is None or not resources.settings.model_trial:
        return
    circuit, now = gate.circuit_of(resources, model), await resources.synchronized_now()
    async with resources.database.as_service() as conn:
        if await read_verdict(resources, conn, circuit) is None:
            await queue_trial(resources, conn, circuit, now=now)


async def run_model_trial(resources: Resources) -> None:
    """The job: ask about some turns, as long as no message waits; what is left is for the job that it queued."""
    model = resources.settings.openai_extraction_model
    if model is None or not resources.settings.model_trial:
        return
    await resources.prepare_reading()
    began = monotonic()
    while (step := await _claim(resources, model)) is not None:
        await _take(resources, step)
        is_week_next = len(step.results) + 1 == len(trial_turns())  # a job of its own: it may take all the time of one
        if is_week_next or monotonic() - began > _MAX_SECONDS or await resources.queue.count_waiting(1):
            async with resources.database.as_service() as conn:
                conn.enqueue_on_commit(TRIAL_JOB)
            break


async def _take(resources: Resources, step: _Step) -> None:
    """Ask about the next turn, or about the week after the last one, and store the verdict then."""
    if not step.results and not step.trial.failures:
        log.info("a model is being tried", model=step.trial.model, turns=len(trial_turns()))
    await asyncio.sleep(max(0.0, (step.slot.not_before - resources.clock.now()).total_seconds()))
    try:
        if len(step.results) < len(trial_turns()):
            await _ask(resources, step)
        else:
            await _conclude(resources, step)
    except ModelUnavailable as failure:
        async with resources.database.as_service(Profile.LOCKING) as conn:
            await _record_failure(resources, conn, step, failure)


async def _claim(resources: Resources, model: str) -> _Step | None:
    """The next step, if there is no verdict, no other worker has it, and the endpoint may be asked now."""
    now, circuit = await resources.synchronized_now(), gate.circuit_of(resources, model)
    lease = 2 * timedelta(seconds=resources.settings.model_deadline_seconds) + _WRITING
    async with resources.database.as_service(Profile.LOCKING) as conn:
        if await read_verdict(resources, conn, circuit) is not None:
            return None
        trial = await model_trials.claim_turn(
            conn, model=circuit, prompt_version=prompt_version(), now=now, lease=lease
        )
        if trial is None:
            return None
        if (results := _read_kept(trial.results)) is None:
            await model_trials.delay(conn, trial, again_at=now, restarts=True)
            return None
        health = await model_health.circuit_health(conn, model=circuit, user_id=None, now=now)
        slot = await gate.acquire_slot(resources, conn, model=model, user_id=None, health=health, now=now)
        if isinstance(slot, ModelSlot):
            return _Step(trial, results, slot)
        if isinstance(slot, RetryAt):
            again_at, why = slot.until, health.reason
        else:
            again_at, why = now + model_availability.QUARANTINE_INTERVAL, slot.why
        await model_trials.delay(conn, trial, again_at=again_at, failure=why)
    return None


def _read_kept(results: Sequence[Mapping[str, Any]]) -> list[TrialResult] | None:
    """What was made of the turns so far; None where another release kept it, of other turns or in another form."""
    turns = trial_turns()[: len(results)]
    if [kept.get("message") for kept in results] != [turn.message for turn in turns]:
        return None
    try:
        return [_RESULT.validate_python({**kept, "turn": turn}) for kept, turn in zip(results, turns, strict=True)]
    except ValidationError:
        return None


async def _ask(resources: Resources, step: _Step) -> None:
    """Ask about a turn, and keep what was made of it."""
    turn = trial_turns()[len(step.results)]
    result = await try_turn(resources, step.slot.model, turn, probes_first=step.slot.is_probe)
    cost, now = Cost(result.calls, *result.tokens), resources.clock.now()
    failure = ModelUnavailable("busy", DEADLINE, sent=True) if result.is_late else None
    kept = _RESULT.dump_python(result, mode="json", exclude={"turn", "replies"}) | {"message": turn.message}
    async with resources.database.as_service(Profile.LOCKING) as conn:
        if failure is not None and is_too_slow([*step.results, result]):
            await _record_failure(resources, conn, step, failure, cost=cost, restarts=True)
            return
        await model_trials.add_result(conn, step.trial, kept, now=now, queue_at=now + GRACE, is_late=result.is_late)
        if result.is_read or failure is not None:
            await gate.record_call(resources, conn, step.slot, cost, failure)
        else:  # what such a reply says of the model, the verdict will say
            await model_health.record_usage(conn, cost, model=step.slot.circuit, user_id=None, now=now)


async def _conclude(resources: Resources, step: _Step) -> None:
    """Let the model summarize the week, and store the verdict."""
    week = await try_week(resources, step.slot)
    cost, now = Cost(int(week["week_calls"]), int(week["week_tokens"])), resources.clock.now()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        judgment = await store_judgment(resources, conn, step.trial.model, step.results, week)
        await model_trials.delay(conn, step.trial, again_at=now + _NEXT_TRIAL, restarts=True)
        await model_health.record_usage(conn, cost, model=step.slot.circuit, user_id=None, now=now)
    log.info(
        "a model was tried",
        model=step.trial.model,
        verdict=str(judgment.verdict),
        why=judgment.reason,
        calls=sum(result.calls for result in step.results) + cost.calls,
        tokens=sum(sum(result.tokens) for result in step.results) + cost.input,
    )


async def _record_failure(
    resources: Resources,
    conn: Connection,
    step: _Step,
    failure: ModelUnavailable,
    *,
    cost: Cost = NO_COST,
    restarts: bool = False,
) -> None:
    """Let the trial wait, the longer the more often it failed; what was made of turns is kept, or it begins anew."""
    now = resources.clock.now()
    wait = min(_FIRST_WAIT * 3 ** min(step.trial.failures, _MAX_POWER), _MAX_WAIT)
    again_at = now + max(wait, timedelta(seconds=failure.retry_after or 0))
    await model_trials.delay(conn, step.trial, again_at=again_at, failure=failure.why, counted=True, restarts=restarts)
    await gate.record_call(resources, conn, step.slot, cost, failure)
    log.warning("the trial of a model failed", model=step.trial.model, why=failure.why, again_at=again_at.isoformat())
