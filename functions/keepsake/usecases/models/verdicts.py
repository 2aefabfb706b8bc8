"""The verdict on a model at its endpoint, and the job that finds it out where there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from keepsake.domain.extraction.judge_model import Judgment, TrialResult, judge
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.verdict import Verdict
from keepsake.infra.database import Connection, Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.infra.resources import Resources
from keepsake.store import model_trials, model_verdicts
from keepsake.store.model_verdicts import StoredVerdict

TRIAL_JOB = Job("run_model_trial", priority=SUMMARY_PRIORITY)
"""Asks about some turns of a trial, behind all messages."""

GRACE = timedelta(minutes=2)
"""How long a queued job may take to begin, before another one is queued."""


async def read_verdict(resources: Resources, conn: Connection, circuit: str) -> Verdict | None:
    """The verdict on a model at its endpoint; one that was made with another prompt does not count.

    A setting takes precedence, for whoever knows better than a trial.
    """
    if (named := resources.settings.openai_extraction_verdict) is not None:
        return Verdict(named)
    stored = await model_verdicts.stored_verdict(conn, circuit)
    return Verdict(stored.verdict) if stored is not None and stored.applies_to(prompt_version()) else None


async def queue_trial(resources: Resources, conn: Connection, circuit: str, *, now: datetime) -> None:
    """Queue the job that tries a model without a verdict, where it is time for one."""
    if resources.settings.model_trial and await model_trials.claim_queueing(
        conn, model=circuit, prompt_version=prompt_version(), now=now, queue_at=now + GRACE
    ):
        conn.enqueue_on_commit(TRIAL_JOB)


async def store_judgment(
    resources: Resources, conn: Connection, circuit: str, results: Sequence[TrialResult], week: Mapping[str, float]
) -> Judgment:
    """Judge what a model made of the turns and of the week, and store the verdict."""
    judgment = judge(results)
    judgment = replace(judgment, figures={**judgment.figures, **week})
    stored = StoredVerdict(judgment.verdict, prompt_version(), resources.clock.now(), judgment.figures)
    await model_verdicts.store_verdict(conn, circuit, stored)
    return judgment
