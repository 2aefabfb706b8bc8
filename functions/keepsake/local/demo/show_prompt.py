"""Shows the block a model would be given for a new message, and which memories stand in it and why."""

from __future__ import annotations

from uuid import UUID

from keepsake.local.demo.backend import Row
from keepsake.local.demo.report import Report
from keepsake.local.demo.setup import Stage

IN_THE_BLOCK = (("Ref", 0), ("Type", 0), ("Memory", 38), ("Score", 0), ("Why it is there", 40))
MOST_MEMORIES = 10
MOST_TOKENS = 1200


def show_prompt(stage: Stage, report: Report) -> None:
    """Say something new in a fresh conversation, and print what comes back from ``inject-memory``."""
    chat = stage.script.new_message
    said = chat.turns[0]
    report.part(
        "What the model is told",
        "A fresh conversation, a new message. This is the `context` that goes in front of the model.",
    )
    injection = stage.replay.ask(chat)
    report.line(f"{stage.script.actors[said.who].name}: “{said.says}”", style="bold")
    report.line()
    report.block(injection["context"])
    report.line(f"{injection['token_count']} tokens, {injection['memory_count']} memories:")
    report.table(IN_THE_BLOCK, [_memory_row(memory) for memory in injection["memories"]])
    report.code(f"memory_ids  {', '.join(UUID(memory).hex[:8] + '…' for memory in injection['memory_ids'])}")
    report.line()
    _expect_useful(stage, report, injection)
    _expect_private(stage, report)


def _expect_useful(stage: Stage, report: Report, injection: Row) -> None:
    context = injection["context"]
    missing = [word for word in stage.script.must_hold if word.lower() not in context.lower()]
    stale = [word for word in stage.script.must_not_hold if word.lower() in context.lower()]
    report.expect(f"It holds what matters now: {', '.join(stage.script.must_hold)}.{_but(missing)}", not missing)
    report.expect(f"Nothing replaced, over, or of another person stands in it.{_but(stale)}", not stale)
    within = injection["memory_count"] <= MOST_MEMORIES and injection["token_count"] <= MOST_TOKENS
    report.expect(f"At most {MOST_MEMORIES} memories and {MOST_TOKENS} tokens for a first message.", within)
    listed = [memory["id"] for memory in injection["memories"]]
    same = sorted(listed) == sorted(injection["memory_ids"])
    report.expect("The ids that came back are those of the memories in the text.", same and _all_there(injection))


def _expect_private(stage: Stage, report: Report) -> None:
    """Where both read along, a block made for one holds only what that one said, and nothing tender of it."""
    owner_of = {
        str(memory["id"]): (key, memory["type"], memory["text"])
        for key, user_id in stage.user_ids.items()
        for memory in stage.evidence.remembered(user_id)
    }
    shared = [given for given in stage.replay.given.values() if given.chat.mode == "together"]
    used = [(given.turn.who, *owner_of[used]) for given in shared for used in given.injection["memory_ids"]]
    own = all(speaker == owner for speaker, owner, _, _ in used)
    report.expect(f"In together mode, {len(used)} memories were used; each belonged to who was speaking.", own)
    quiet = not any(kind == "emotion" or "allergic" in text.lower() for _, _, kind, text in used)
    report.expect("Feelings and allergies stayed out of the conversation that both could read.", quiet)


def _all_there(injection: Row) -> bool:
    return all(memory["text"] in injection["context"] for memory in injection["memories"])


def _memory_row(memory: Row) -> tuple[str, ...]:
    why = memory["why"] if isinstance(memory["why"], str) else ", ".join(memory["why"])
    return memory["ref"], memory["type"], memory["text"], f"{memory['score']:.3f}", why


def _but(words: list[str]) -> str:
    return f" But: {', '.join(words)}." if words else ""
