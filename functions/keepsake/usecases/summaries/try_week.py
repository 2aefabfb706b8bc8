"""Tries a model with the fixed week of the trial, as summaries ask it, and stores nothing of what it writes."""

from __future__ import annotations

import time
from collections.abc import Mapping

from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.trial_week import trial_week
from keepsake.infra.models.chat_reply_parser import DEADLINE
from keepsake.infra.resources import Resources
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.models.try_model import ABOUT_MODEL
from keepsake.usecases.summaries.ask_model import ask_for_summary, budget


async def try_week(resources: Resources, slot: ModelSlot) -> Mapping[str, float]:
    """How much the model's summary tells, and what it costs; raises ModelUnavailable where the model is away.

    Where it takes too long, it has told nothing.
    """
    week, began = trial_week(), time.perf_counter()
    await resources.prepare_reading()
    prompt = week.prompt(budget=budget(resources))
    attempt = await ask_for_summary(resources, slot, prompt, week.sources, wait=ModelWait())
    failure = attempt.failure
    if failure is not None and failure.kind not in ABOUT_MODEL and failure.why != DEADLINE:
        raise failure
    content = attempt.content or {}
    return {
        "week_told": week.count_events(content),
        "week_expected": len(week.expected),
        "week_sentences": sum(map(len, content.values())),
        "week_calls": attempt.cost.calls,
        "week_tokens": attempt.cost.input + attempt.cost.output,
        "week_seconds": round(time.perf_counter() - began, 1),
    }
