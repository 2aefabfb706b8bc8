"""``keepsake check-model``: tries the model with fixed turns, and stores how good it is at this endpoint."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from keepsake.domain.extraction.judge_model import Judgment, TrialResult
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.trial_turns import trial_turns
from keepsake.errors import KeepsakeError, MisconfiguredError
from keepsake.infra.models.chat_reply_parser import DEADLINE, ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.environment import load_environment
from keepsake.operations.model_report import VERDICTS, Prices, report_lines, table_lines
from keepsake.project.folder import ProjectFolder
from keepsake.store import model_verdicts
from keepsake.store.model_verdicts import StoredVerdict
from keepsake.usecases.models.gate import ModelSlot, circuit_of
from keepsake.usecases.models.try_model import try_model
from keepsake.usecases.models.verdicts import store_judgment
from keepsake.usecases.summaries.try_week import try_week

Say = Callable[[str], None]

_TOO_SLOW = "It was too slow: raise MODEL_DEADLINE_SECONDS, or lower MODEL_OUTPUT_TOKENS; no verdict was stored."


@dataclass(frozen=True, slots=True)
class Report:
    """Where the outcome goes: lines to say, with what tokens cost, and a file for the replies."""

    say: Say
    prices: Prices
    replies: Path | None = None


async def check_model(project: ProjectFolder, database_url: str | None, report: Report) -> None:
    """Try the model of extraction, say what came of it, and store the verdict."""
    await check_model_of(_settings(project, database_url), report)


async def check_model_of(settings: Settings, report: Report) -> None:
    """The same with these settings."""
    resources = Resources.build(settings)
    try:
        await try_and_store(resources, report)
    finally:
        await resources.close()


async def try_and_store(resources: Resources, report: Report) -> Judgment:
    """Try the model of these settings, say what came of it, and store the verdict."""
    model = resources.settings.openai_extraction_model
    if model is None:
        raise MisconfiguredError("There is no model to check.", hint="Set OPENAI_EXTRACTION_MODEL and its endpoint.")
    results, week = await _try(resources, model, report.say)
    async with resources.database.as_service() as conn:
        judgment = await store_judgment(resources, conn, circuit_of(resources, model), results, week)
    for line in report_lines(results, judgment, report.prices):
        report.say(line)
    if report.replies is not None:
        _write_replies(report.replies, model, results, judgment.figures)
        report.say(f"replies       {report.replies}")
    return judgment


def _write_replies(path: Path, model: str, results: Sequence[TrialResult], figures: Mapping[str, float]) -> None:
    """Write what the model replied to each turn, to be read, and to be judged again."""
    replies = [result.replies for result in results]
    recording = {"model": model, "prompt_version": prompt_version(), "figures": figures, "replies": replies}
    path.write_text(json.dumps(recording, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


async def list_verdicts(project: ProjectFolder, database_url: str | None, say: Say) -> None:
    """Say what is stored of every model, as a table in Markdown."""
    resources = Resources.build(_settings(project, database_url))
    try:
        async with resources.database.as_service() as conn:
            stored = await model_verdicts.all_verdicts(conn)
    finally:
        await resources.close()
    for line in table_lines(
        (model.split(" at ", maxsplit=1)[0], _verdict_of(verdict), verdict.figures) for model, verdict in stored
    ):
        say(line)


def _verdict_of(stored: StoredVerdict) -> str:
    name = VERDICTS[stored.verdict].partition(":")[0]
    return name if stored.applies_to(prompt_version()) else f"{name} (older prompt)"


def _settings(project: ProjectFolder, database_url: str | None) -> Settings:
    os.environ.setdefault("LOG_LEVEL", "error")
    load_environment(project, database_url)
    return Settings.load()


async def _try(resources: Resources, model: str, say: Say) -> tuple[list[TrialResult], Mapping[str, float]]:
    """What the model makes of each turn, and of the week to summarize."""
    turns, results = trial_turns(), list[TrialResult]()
    seconds = resources.settings.model_deadline_seconds
    say(f"{model} at {resources.model.endpoint if resources.model else ''}, {len(turns)} turns and a week to summarize")
    try:
        async for result in try_model(resources, model, turns):
            results.append(result)
            if not result.is_read:
                say(f"  not read: {result.turn.kind}{f', no reply within {seconds:.0f} s' if result.is_late else ''}")
        return results, await try_week(resources, ModelSlot.uncounted(resources, model))
    except ModelUnavailable as failure:
        hint = _TOO_SLOW if failure.why == DEADLINE else "Run `keepsake doctor`; no verdict was stored."
        raise KeepsakeError(f"{model} does not answer ({failure.why}).", hint=hint) from failure
