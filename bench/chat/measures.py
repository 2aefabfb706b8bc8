"""What is measured of chats as people type them, one function for each file of the set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from bench.chat.chatter import KNOWN_BEFORE, Chatter

RELATIVE_DATE = re.compile(
    r"\b(?:to(?:day|night|morrow)|yesterday|this (?:morning|week|weekend|month|year)|"
    r"(?:last|next) (?:night|week|weekend|month|year|\w+day)|on the \d+[a-z]{2}|"
    r"in (?:a|two|three|six|\d+) (?:fortnight|weeks?|months?|days?)|ago)\b",
    re.IGNORECASE,
)
_FRAME = ("<", "Now:", "What follows")
_DOUBTED = "may no longer hold"


@dataclass(slots=True)
class Result:
    """Counts by name, and what came of each case."""

    counts: Counter[str] = field(default_factory=Counter)
    cases: list[dict[str, Any]] = field(default_factory=list)

    def note(self, said: str, stored: Sequence[str], missed: Sequence[str] = (), wrong: Sequence[str] = ()) -> None:
        """Keep what came of a case."""
        self.cases.append({"said": said, "stored": [*stored], "missed": [*missed], "wrong": [*wrong]})


class Talker(Protocol):
    """A person who chats, and of whom is known what is remembered."""

    def open_chat(self) -> UUID:
        """Open a conversation."""

    def answer(self, chat: UUID, text: str) -> None:
        """Save a message of the assistant."""

    async def say(self, chat: UUID, text: str) -> object:
        """One turn."""

    def memories(self, *, active: bool = True) -> list[str]:
        """The texts that hold now, or that were ever stored."""


SignUp = Callable[[], Talker]
Figures = list[tuple[str, str, str]]
"""A name, and the counts that are divided."""


async def turns(rows: Iterable[dict[str, Any]], sign_up: SignUp) -> Result:
    """Single messages: are the facts found, and nothing else?"""
    result = Result()
    for row in rows:
        texts = await _say_alone(sign_up(), row["text"])
        wanted = {fact["what"]: fact["re"] for fact in row["keep"]}
        missed = [what for what, pattern in wanted.items() if not _any(pattern, texts)]
        wrong = [text for text in texts if not any(_found(p, text) for p in (*wanted.values(), *row["ok"]))]
        result.counts += Counter(
            facts=len(wanted),
            found=len(wanted) - len(missed),
            stored=len(texts),
            right=len(texts) - len(wrong),
            empty=not wanted,
            junk=not wanted and bool(texts),
        )
        result.note(row["text"], texts, missed, wrong)
    return result


async def dialogues(rows: Iterable[dict[str, Any]], sign_up: Callable[[], Chatter]) -> Result:
    """Dialogues: what is active at the end, and what the contexts of two questions hold."""
    result = Result()
    for row in rows:
        person = sign_up()
        await person.know()
        await _talk(row, person, result)
        for question in row["questions"]:
            await _question(question, person, result.counts)
    return result


async def ends_of_dialogues(rows: Iterable[dict[str, Any]], sign_up: SignUp) -> Result:
    """Dialogues without their contexts: what is active at the end."""
    result = Result()
    for row in rows:
        await _talk(row, sign_up(), result)
    return result


async def supersede_probes(rows: Iterable[dict[str, Any]], sign_up: SignUp) -> Result:
    """Pairs of messages: does the second replace the first where it should, and only there?"""
    result = Result()
    for row in rows:
        person = sign_up()
        chat = person.open_chat()
        for turn in row["turns"]:
            await person.say(chat, turn)
        active, ever = person.memories(), person.memories(active=False)
        if "replaced" in row:
            done = bool(ever) and not _any(row["replaced"], active)
            result.counts += Counter(changes=1, replaced=done)
        else:
            kept = row.get("keep")
            lost = _any(kept, ever) and not _any(kept, active) if kept else len(active) < len(ever)
            result.counts += Counter(unchanged=1, lost=lost)
        result.note(" / ".join(row["turns"]), active, wrong=[text for text in ever if text not in active])
    return result


async def date_probes(rows: Iterable[str], sign_up: SignUp) -> Result:
    """Statements with a relative date: is one stored, and without it?"""
    result = Result()
    for text in rows:
        texts = await _say_alone(sign_up(), text)
        relative = [one for one in texts if RELATIVE_DATE.search(one)]
        result.counts += Counter(statements=1, stored=bool(texts), relative=bool(relative))
        result.note(text, texts, wrong=relative)
    return result


async def languages(rows: Iterable[dict[str, Any]], sign_up: SignUp) -> Result:
    """Messages in other languages: what is stored is to be read."""
    result = Result()
    for row in rows:
        result.note(f"[{row['lang']}] {row['text']}", await _say_alone(sign_up(), row["text"]))
    return result


PARTS: dict[str, tuple[Callable[..., Awaitable[Result]], Figures]] = {
    "turns": (
        turns,
        [
            ("facts found", "found", "facts"),
            ("memories right or allowed", "right", "stored"),
            ("empty messages with a memory (lower)", "junk", "empty"),
        ],
    ),
    "dialogues": (
        dialogues,
        [
            ("dialogues entirely right", "right", "dialogues"),
            ("needed lines in contexts", "there", "needed"),
            ("contexts with something stale (lower)", "stale", "contexts"),
            ("shown to a first message, off topic (lower)", "off_topic_first", "shown_first"),
            ("shown to a later message, off topic (lower)", "off_topic_later", "shown_later"),
        ],
    ),
    "supersede_probes": (
        supersede_probes,
        [("changes applied", "replaced", "changes"), ("false replacements (lower)", "lost", "unchanged")],
    ),
    "date_probes": (
        date_probes,
        [("dated statements stored", "stored", "statements"), ("with a relative date (lower)", "relative", "stored")],
    ),
    "languages": (languages, []),
}
"""The files of the set, each with its function and the figures that it gives."""


async def _say_alone(person: Talker, text: str) -> list[str]:
    await person.say(person.open_chat(), text)
    return person.memories()


async def _talk(row: dict[str, Any], person: Talker, result: Result) -> None:
    """Say a dialogue, and count whether all that holds at its end is active, and nothing else."""
    chat = person.open_chat()
    for turn in row["turns"]:
        if turn.startswith("A: "):
            person.answer(chat, turn.removeprefix("A: "))
        else:
            await person.say(chat, turn)
    texts = person.memories()
    missed = [pattern for pattern in row["must"] if not _any(pattern, texts)]
    wrong = [pattern for pattern in row["must_not"] if _any(pattern, texts)]
    result.counts += Counter(
        dialogues=1,
        right=not missed and not wrong,
        facts=len(row["must"]),
        found=len(row["must"]) - len(missed),
        wrong=len(wrong),
    )
    result.note(" / ".join(row["turns"]), texts, missed, wrong)


async def _question(question: dict[str, Any], person: Chatter, counts: Counter[str]) -> None:
    """Ask it as the first message of a conversation, and as a later one."""
    first, later = person.open_chat(), person.open_chat()
    person.answer(later, "Hello!")
    for which, chat in (("first", first), ("later", later)):
        injected = await person.ask(chat, question["ask"])
        lines = [line for line in map(str.strip, injected.context.splitlines()) if line and not line.startswith(_FRAME)]
        stale = any(_found(p, line) for p in question["must_not"] for line in lines if _DOUBTED not in line)
        given = [chosen.memory.text for chosen in injected.chosen]
        counts += Counter(
            contexts=1,
            stale=stale,
            needed=len(question["must"]),
            there=sum(_any(pattern, lines) for pattern in question["must"]),
        )
        counts[f"shown_{which}"] += len(given)
        counts[f"off_topic_{which}"] += sum(text in KNOWN_BEFORE for text in given)


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def _any(pattern: str, texts: Iterable[str]) -> bool:
    return any(_found(pattern, text) for text in texts)
