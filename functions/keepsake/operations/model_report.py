"""The lines and the table that tell how good a model is, as a trial found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.extraction.judge_model import Judgment, TrialResult

_COLUMNS = {
    "read, at once": "{read:.0%}, {first_call:.0%}",
    "says": "{found:.0%}, {wrong:.0%}",
    "believed": "{found_believed:.0%}, {wrong_believed:.0%}",
    "checked": "{found_checked:.0%}, {wrong_checked:.0%}",
    "wrong persons": "{wrong_persons:.0f}",
    "calls": "{calls:.2f}",
    "repaired": "{repaired:.0%}",
    "tokens": "{input_tokens:.0f} + {output_tokens:.0f}",
    "week told": "{week_told:.0f} of {week_expected:.0f}",
}
VERDICTS = {
    "good": "good: what it says is stored, unless the message contradicts it",
    "usable": "usable: each word of its replies is checked",
    "rules": "use the rules: nothing of its replies is stored",
}


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, of prompts and of replies; 0 where it is not known."""

    input: float = 0.0
    output: float = 0.0


def table_lines(rows: Iterable[tuple[str, str, Mapping[str, float]]]) -> Iterator[str]:
    """Models, their verdicts and figures as a table in Markdown; what a row has no figure of stays empty."""
    yield f"| {' | '.join(['model', 'verdict', *_COLUMNS])} |"
    yield f"|{' --- |' * (len(_COLUMNS) + 2)}"
    for model, verdict, figures in rows:
        shown = (_cell(form, figures) for form in _COLUMNS.values())
        yield f"| {' | '.join([model, verdict, *shown])} |"


def _cell(form: str, figures: Mapping[str, float]) -> str:
    try:
        return form.format(**figures)
    except KeyError:
        return ""


def report_lines(results: Sequence[TrialResult], judgment: Judgment, prices: Prices) -> list[str]:
    """The figures and the verdict, one a line."""
    figures = judgment.figures
    tokens = figures["input_tokens"], figures["output_tokens"]
    repairs = sorted({repair for result in results for repair in result.repairs})
    lines = [
        f"read          {figures['read']:.0%} of {figures['turns']:.0f} turns, {figures['calls']:.2f} calls a turn",
        f"says          {_share(figures, '', 'proposed')}",
        f"checked       {_share(figures, '_checked', 'kept')}: what is stored where each word is checked",
        f"believed      {_share(figures, '_believed', 'believed')}: what is stored where it is believed",
        f"wrong person  {figures['wrong_persons']:.0f}",
        f"repaired      {figures['repaired']:.0%} of the turns" + (f" ({', '.join(repairs)})" if repairs else ""),
        f"a turn        {tokens[0]:.0f} + {tokens[1]:.0f} tokens, {figures['seconds']:.1f} s",
        f"a week        {_week(figures)}",
        f"1,000 turns   {_cost(figures, prices)}",
    ]
    return [*lines, f"verdict       {VERDICTS[judgment.verdict]} ({judgment.reason})"]


def _share(figures: Mapping[str, float], stage: str, count: str) -> str:
    found, wrong = figures[f"found{stage}"], figures[f"wrong{stage}"]
    return f"{found:.0%} of what is there, and {wrong:.0%} wrong of {figures[count]:.0f} statements"


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
