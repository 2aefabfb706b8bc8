"""``keepsake check-model``: tries the model with fixed turns, and stores how good it is at this endpoint."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from keepsake.domain.extraction.judge_model import Judgment, TrialResult, judge
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.trial_turns import trial_turns
from keepsake.errors import KeepsakeError, MisconfiguredError
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.environment import load_environment
from keepsake.project.folder import ProjectFolder
from keepsake.store import model_verdicts
from keepsake.store.model_verdicts import StoredVerdict
from keepsake.usecases.models.gate import circuit_of
from keepsake.usecases.models.try_model import try_model
from keepsake.usecases.summaries.try_week import try_week

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, of prompts and of replies; 0 where it is not known."""

    input: float = 0.0
    output: float = 0.0


async def check_model(project: ProjectFolder, database_url: str | None, prices: Prices, say: Say) -> Judgment:
    """Try the model of extraction, say what came of it, and store the verdict."""
    resources = Resources.build(_settings(project, database_url))
    try:
        model = resources.settings.openai_extraction_model
        if model is None:
            raise MisconfiguredError(
                "There is no model to check.", hint="Set OPENAI_EXTRACTION_MODEL and its endpoint."
            )
        results, week = await _try(resources, model, say)
        judgment = judge(results)
        judgment = replace(judgment, figures={**judgment.figures, **week})
        for line in report_lines(results, judgment, prices):
            say(line)
        stored = StoredVerdict(judgment.verdict, prompt_version(), resources.clock.now(), judgment.figures)
        async with resources.database.as_service() as conn:
            await model_verdicts.store_verdict(conn, circuit_of(resources, model), stored)
        return judgment
    finally:
        await resources.close()


async def list_verdicts(project: ProjectFolder, database_url: str | None, say: Say) -> None:
    """Say what is stored of every model, as a table in Markdown."""
    resources = Resources.build(_settings(project, database_url))
    try:
        async with resources.database.as_service() as conn:
            stored = await model_verdicts.all_verdicts(conn)
    finally:
        await resources.close()
    say(f"| {' | '.join(_COLUMNS)} |")
    say(f"|{' --- |' * len(_COLUMNS)}")
    for model, one in stored:
        say(_row(model, one))


def _row(model: str, stored: StoredVerdict) -> str:
    figures = stored.figures
    cells = [
        model.split(" at ", maxsplit=1)[0],
        stored.verdict if stored.applies_to(prompt_version()) else f"{stored.verdict} (older prompt)",
        f"{figures['read']:.0%}",
        f"{figures['found']:.0%}, {figures['found_checked']:.0%}",
        f"{figures['invented']:.0%}, {figures['invented_checked']:.0%}",
        f"{figures['wrong_persons']:.0f}",
        f"{figures['calls']:.2f}",
        f"{figures['input_tokens']:.0f} + {figures['output_tokens']:.0f}",
        f"{figures['seconds']:.1f}",
        f"{figures['week_told']:.0f} of {figures['week_expected']:.0f}" if "week_told" in figures else "",
    ]
    return f"| {' | '.join(cells)} |"


def _settings(project: ProjectFolder, database_url: str | None) -> Settings:
    os.environ.setdefault("LOG_LEVEL", "error")
    load_environment(project, database_url)
    return Settings.load()


async def _try(resources: Resources, model: str, say: Say) -> tuple[list[TrialResult], Mapping[str, float]]:
    """What the model makes of each turn, and of the week to summarize."""
    turns, results = trial_turns(), list[TrialResult]()
    say(f"{model} at {resources.model.endpoint if resources.model else ''}, {len(turns)} turns and a week to summarize")
    try:
        async for result in try_model(resources, model, turns):
            results.append(result)
            if not result.is_read:
                say(f"  not read: {result.turn.kind}")
        return results, await try_week(resources, model)
    except ModelUnavailable as failure:
        hint = "Run `keepsake doctor`; no verdict was stored."
        raise KeepsakeError(f"{model} does not answer ({failure.why}).", hint=hint) from failure


def report_lines(results: Sequence[TrialResult], judgment: Judgment, prices: Prices) -> list[str]:
    """The figures and the verdict, one a line."""
    figures = judgment.figures
    tokens = figures["input_tokens"], figures["output_tokens"]
    repairs = sorted({repair for result in results for repair in result.repairs})
    kept = f"{figures['invented_checked']:.0%} of the {figures['kept']:.0f} that the check keeps"
    lines = [
        f"read          {figures['read']:.0%} of {figures['turns']:.0f} turns, {figures['calls']:.2f} calls a turn",
        f"found         {figures['found']:.0%} of what is there, {figures['found_checked']:.0%} after the check",
        f"invented      {figures['invented']:.0%} of {figures['proposed']:.0f} statements, {kept}",
        f"wrong person  {figures['wrong_persons']:.0f}",
        f"repaired      {figures['repaired']:.0%} of the turns" + (f" ({', '.join(repairs)})" if repairs else ""),
        f"a turn        {tokens[0]:.0f} + {tokens[1]:.0f} tokens, {figures['seconds']:.1f} s",
        f"a week        {_week(figures)}",
        f"1,000 turns   {_cost(figures, prices)}",
    ]
    return [*lines, f"verdict       {_VERDICTS[judgment.verdict]} ({judgment.reason})"]


def _week(figures: Mapping[str, float]) -> str:
    """How much the summary of the week tells in sentences that its check kept; it does not touch the verdict."""
    if not figures["week_sentences"]:
        return "no summary that can be used: the rules write it"
    events = f"{figures['week_told']:.0f} of {figures['week_expected']:.0f} events in the summary"
    cost = f"{figures['week_calls']:.0f} calls, {figures['week_tokens']:.0f} tokens, {figures['week_seconds']:.0f} s"
    return f"{events}, {cost}"


def _cost(figures: Mapping[str, float], prices: Prices) -> str:
    """The tokens of a thousand turns in millions, and their price where that of a million is known."""
    millions = figures["input_tokens"] / 1000, figures["output_tokens"] / 1000
    shown = f"{millions[0]:.2f} + {millions[1]:.2f} million tokens"
    price = millions[0] * prices.input + millions[1] * prices.output
    return f"{shown}, about {price:.2f}" if price else shown


_COLUMNS = (
    "model", "verdict", "read", "found, checked", "invented, checked", "wrong persons", "calls a turn",
    "tokens a turn", "s a turn", "week told",
)  # fmt: skip
_VERDICTS = {
    "good": "good: what it says is stored, unless the message contradicts it",
    "usable": "usable: each word of its replies is checked",
    "rules": "use the rules: nothing of its replies is stored",
}
