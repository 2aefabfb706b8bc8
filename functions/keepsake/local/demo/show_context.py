"""Shows the context that a model gets for a new message, and which memories are in it and why."""

from __future__ import annotations

from uuid import UUID

from keepsake.domain.context.render import DOUBT_NOTICE
from keepsake.local.demo.backend import Row
from keepsake.local.demo.report import Report
from keepsake.local.demo.running_demo import RunningDemo

COLUMNS = (("Ref", 0), ("Type", 0), ("Memory", 38), ("Score", 0), ("Why it is there", 40))
MAX_MEMORIES = 10
MAX_TOKENS = 1200


def show_context(demo: RunningDemo, report: Report) -> None:
    """Send a message in a new conversation, and print what ``inject-memory`` returns."""
    chat = demo.script.new_message
    report.section(
        "What the model is told",
        "A fresh conversation, a new message. This `context` goes in front of the model.",
    )
    demo.backend.open(chat)
    injection = demo.send(chat, chat.turns[0])
    memories = injection["memories"]
    report.line(f"{demo.script.actors[chat.turns[0].author].name}: “{chat.turns[0].text}”\n", style="bold")
    report.block(injection["context"])
    report.line(f"{injection['token_count']} tokens, {injection['memory_count']} memories:")
    report.table(COLUMNS, [(m["ref"], m["type"], m["text"], f"{m['score']:.3f}", m["why"]) for m in memories])
    report.line("  The score says how well a memory fits the message. Some are shown whatever the message says.", "dim")
    report.code(f"memory_ids  {', '.join(UUID(memory).hex[:8] + '…' for memory in injection['memory_ids'])}")
    in_line = len(injection["memory_ids"]) - injection["memory_count"]
    report.line(f"  Those of the table, and of the {in_line} in the line “Talking with”: name and pronouns.\n", "dim")
    _check_context(demo, report, injection)
    _check_shared_conversation(demo, report)
    _show_doubt(demo, report)


def _check_context(demo: RunningDemo, report: Report, injection: Row) -> None:
    context, memories, script = injection["context"].lower(), injection["memories"], demo.script
    missing = [word for word in script.must_contain if word.lower() not in context]
    wrong = [word for word in script.must_not_contain if word.lower() in context]
    report.expect(f"It holds what matters now: {', '.join(script.must_contain)}.{_exceptions(missing)}", not missing)
    report.expect(f"Nothing replaced, over, or of another person stands in it.{_exceptions(wrong)}", not wrong)
    within = injection["memory_count"] <= MAX_MEMORIES and injection["token_count"] <= MAX_TOKENS
    report.expect(f"At most {MAX_MEMORIES} memories and {MAX_TOKENS} tokens for a first message.", within)
    same = {memory["id"] for memory in memories} <= set(injection["memory_ids"])
    rendered = all(memory["text"].lower() in context for memory in memories)
    report.expect("The ids that came back include those of all memories in the table.", same and rendered)


def _show_doubt(demo: RunningDemo, report: Report) -> None:
    """Ask for what may no longer hold: the context says so, and that the person should be asked."""
    chat, doubted = demo.script.doubtful_message, demo.script.doubted
    demo.backend.open(chat)
    context = demo.send(chat, chat.turns[0])["context"]
    lines = [line for line in context.splitlines() if doubted in line]
    report.line(f"\n{demo.script.actors[chat.turns[0].author].name}: “{chat.turns[0].text}”\n", style="bold")
    report.block("\n".join(lines))
    marked = bool(lines) and all(DOUBT_NOTICE in line for line in lines)
    report.expect("What has probably changed is left out, or marked as doubtful where a message asks for it.", marked)


def _check_shared_conversation(demo: RunningDemo, report: Report) -> None:
    """Where several people read along, a context contains memories of the speaker only, and no sensitive ones."""
    owner_of = {str(memory["id"]): (key, memory) for key, memories in demo.memories().items() for memory in memories}
    shared = [(turn, injection) for chat, turn, injection in demo.injections if chat.mode == "together"]
    used = [(turn.author, *owner_of[id_]) for turn, injection in shared for id_ in injection["memory_ids"]]
    own = all(author == owner for author, owner, _ in used)
    report.expect(f"In together mode, {len(used)} memories were used; each belonged to who was speaking.", own)
    private = [m for _, _, m in used if m["type"] == "emotion" or "allergic" in m["text"].lower()]
    report.expect("Feelings and allergies stayed out of the conversation that both could read.", not private)


def _exceptions(words: list[str]) -> str:
    return f" But: {', '.join(words)}." if words else ""
