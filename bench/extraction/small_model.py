"""A small, unreliable model as an adversary: what it proposes, what is rejected for which reason, and what is stored.

Any OpenAI-compatible endpoint will do; `bench/extraction/small_model_server.py` serves SmolLM2-135M, which invents
facts freely. Every few messages in a row are those of one person, so that the model is shown what it stored before. A
run writes each message to `--out` and goes on from there when it is started again; `--show` prints what was stored, to
be read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg

from bench.chat.chatter import Chatter
from bench.harness.stage import Stage, stage
from bench.harness.timing import show
from keepsake.infra.models.chat import LanguageModel, PromptBuilder
from keepsake.infra.models.chat_reply_parser import Answer, Reply
from keepsake.infra.resources import Resources

_DATA = Path(__file__).parents[1] / "data"
_EACH = 5
"""Messages of one person."""
_ROWS = """
select e.dropped, e.generator, e.status,
  coalesce((select jsonb_agg(m.memory_text order by m.memory_no) from public.user_memory as m
    where m.source_message_id = e.source_message_id), '[]') as stored
from keepsake.extractions as e where e.source_message_id = %s
"""


class RecordingModel(LanguageModel):
    """A model whose last replies are kept."""

    replies: list[str]

    @classmethod
    def at(cls, url: str, max_output_tokens: int) -> RecordingModel:
        """A client for an endpoint."""
        model = cls(base_url=url, api_key=None, max_output_tokens=max_output_tokens)
        model.replies = []
        return model

    async def ask(self, model: str, messages: PromptBuilder, schema: Mapping[str, Any], *, deadline: float) -> Reply:
        """Ask, and keep the text of the answer."""
        reply = await super().ask(model, messages, schema, deadline=deadline)
        self.replies.append(reply.text if isinstance(reply, Answer) else reply.reason)
        return reply


def read_messages() -> list[str]:
    """Messages of the project's own sets, in a fixed order that mixes the sets."""
    sets: list[list[str]] = [
        [row["text"] for row in _rows("chat/turns")],
        [turn for row in _rows("chat/dialogues") for turn in row["turns"] if not turn.startswith("A: ")],
        [row["text"] for row in _rows("fresh_turns")],
        [turn for row in _rows("chat/supersede_probes") for turn in row["turns"]],
        [row["text"] for row in _rows("turns")],
    ]
    blocks = [[tuple(texts[start : start + _EACH]) for start in range(0, len(texts), _EACH)] for texts in sets]
    longest = max(map(len, blocks))
    return [text for place in range(longest) for some in blocks if place < len(some) for text in some[place]]


def _rows(name: str) -> Iterable[dict[str, Any]]:
    lines = (_DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return (json.loads(line) for line in lines if line.strip())


async def run(messages: Sequence[str], url: str, out: Path, deadline: float) -> None:
    """Say the messages that are not in ``out`` yet, and add what came of each."""
    done = _done(out)
    with stage(0) as on:
        settings = on.settings(
            embedding="off",
            extractions_per_minute=1_000_000,
            openai_base_url=url,
            openai_extraction_model="small",
            model_trial=False,
            model_deadline_seconds=deadline,
        )
        model = RecordingModel.at(url, settings.model_output_tokens)
        resources = replace(Resources.build(settings), model=model)
        try:
            for start in range(len(done), len(messages), _EACH):
                person = Chatter.sign_up(on, resources)
                chat = person.open_chat()
                for text in messages[start : start + _EACH]:
                    model.replies.clear()
                    row = {"said": text} | await _say(on, person, chat, text) | {"replies": [*model.replies]}
                    if row["status"] == "pending":
                        raise SystemExit("the model did not answer in time: start again with a longer --deadline")
                    with out.open("a", encoding="utf-8") as file:
                        file.write(f"{json.dumps(row, ensure_ascii=False)}\n")
        finally:
            await resources.close()


async def _say(on: Stage, person: Chatter, chat: Any, text: str) -> dict[str, Any]:
    """What came of one message: the stored texts, and the rejected ones by reason."""
    message = await person.say(chat, text)
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        row = connection.execute(_ROWS, (message,)).fetchone()
    dropped, generator, status, stored = row or ({}, None, "none", [])
    return {"status": status, "generator": generator, "dropped": dropped, "stored": stored}


def _done(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []


def _print(rows: Sequence[dict[str, Any]], *, stored: bool) -> None:
    dropped: Counter[str] = sum((Counter(row["dropped"]) for row in rows), Counter())
    proposed = sum(dropped.values()) + sum(len(row["stored"]) for row in rows)
    ends = Counter(f"{row['status']} by {row['generator']}" for row in rows)
    if stored:
        for row in rows:
            if row["stored"]:
                print(f"{row['said']}\n    {row['stored']}")
    table = [("messages", len(rows)), *ends.items(), ("memories proposed", proposed)]
    table += [("stored", sum(len(row["stored"]) for row in rows))]
    show(
        "A small model as an adversary", ("", ""), [*table, *((f"rejected: {k}", n) for k, n in dropped.most_common())]
    )


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.extraction.small_model",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--url", default="http://127.0.0.1:8123/v1", help="the endpoint")
    parser.add_argument("--out", type=Path, required=True, help="the file of the run")
    parser.add_argument("--messages", type=int, default=300, help="how many messages in all")
    parser.add_argument("--deadline", type=float, default=600, help="seconds for one message")
    parser.add_argument("--show", action="store_true", help="run nothing, and print what was stored")
    given = parser.parse_args()
    logging.disable(logging.INFO)
    if not given.show:
        messages = list(islice(read_messages(), given.messages))
        asyncio.run(run(messages, given.url, given.out, given.deadline))
    _print(_done(given.out), stored=given.show)


if __name__ == "__main__":
    main()
