"""Says in lines what a backfill will read, what it will not read and why, and what came of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from keepsake.usecases.extraction.result import Extraction
from keepsake.usecases.turns.unread_turns import UnreadCount

_EXPLANATIONS: Mapping[str, str] = {
    "no_profile": "their author chose no profile for the conversation",
    "not_primary": "the profile chosen for the conversation is not the primary one",
    "not_owner": "the profile chosen for the conversation is somebody else's",
    "paused": "memory is paused or off",
    "conversation_off": "memory is off in the conversation",
    "swiss_off": "memory is off in this mode unless it is turned on",
    "before_consent": "said before `remember_since`, or before an erasure",
    "command": "a command of long ago, which is not carried out again",
    "empty": "no words",
}


@dataclass(slots=True)
class Plan:
    """What there is to read, of all people together."""

    people: int = 0
    max_per_person: int = 0
    total: UnreadCount = field(default_factory=UnreadCount)

    def add(self, count: UnreadCount) -> None:
        """Add what there is to do for one person."""
        self.people += 1
        self.max_per_person = max(self.max_per_person, count.to_read)
        self.total.to_read += count.to_read
        self.total.refused.update(count.refused)
        self.total.finished.update(count.finished)

    def minutes(self, *, per_person: int, calls: int | None) -> int:
        """At least how many minutes it takes, by the limits of messages a person and of calls of a model."""
        by_person = math.ceil(self.max_per_person / per_person) - 1 if self.max_per_person else 0
        return max(by_person, math.floor(self.total.to_read / calls) if calls else 0)

    def lines(self, *, per_person: int, calls: int | None, reader: str) -> Iterator[str]:
        """The plan in lines for the terminal."""
        yield f"{_number(self.people, 'person', 'people')}, {_messages(self.total.to_read)} to read by {reader}."
        limits = [f"{per_person} of a person"] + ([f"{_number(calls, 'call', 'calls')} of the model"] if calls else [])
        if minutes := self.minutes(per_person=per_person, calls=calls):
            yield f"  This takes at least {_number(minutes, 'minute', 'minutes')}: {' and '.join(limits)} a minute."
        if self.total.refused:
            yield f"{_messages(self.total.refused.total())} stay unread:"
            yield from _by_reason(self.total.refused)
        if self.total.finished:
            yield f"{_messages(self.total.finished.total())} are finished already."
            yield from _by_reason(Counter({key: n for key, n in self.total.finished.items() if key is not None}))


@dataclass(slots=True)
class Progress:
    """The results of the messages read so far."""

    total: int
    min_seconds: float = 0.0
    """How long all of it takes by the limits, however fast a message is read."""
    done: int = 0
    memories: int = 0
    by_rules: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    def add(self, extraction: Extraction) -> None:
        """Count the end of one message."""
        self.done += 1
        self.memories += sum(memory.action == "created" for memory in extraction.memories)
        self.by_rules += extraction.status == "extracted" and extraction.generator == "rules"
        if extraction.status == "skipped":
            self.skipped[extraction.reason or ""] += 1

    def line(self, seconds: float | None = None) -> str:
        """How many messages are read, and after some seconds how long the rest will take."""
        line = f"{self.done:,} of {_messages(self.total)} read, {_number(self.memories, 'new memory', 'new memories')}"
        left = self.total - self.done
        if seconds is None or not self.done or left <= 0:
            return line
        seconds_left = max(self.min_seconds - seconds, seconds * left / self.done)
        return f"{line}, {_about(seconds_left)} left"

    def ends(self, *, has_model: bool) -> Iterator[str]:
        """What else to tell at the end."""
        if has_model and self.by_rules:
            yield f"  {self.by_rules:,} read by the rules, because the model could not be asked"
        if (elsewhere := self.total - self.done) > 0:
            yield f"  {elsewhere:,} read meanwhile by the functions or a worker"
        if self.failed:
            yield f"  {self.failed:,} failed: run-due-jobs tries them again, and the log says why"
        yield from _by_reason(self.skipped)


def _about(seconds: float) -> str:
    """A time in the unit that fits: "less than a minute", "about 12 minutes", "about 3 hours"."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    hours = round(minutes / 60)
    return f"about {_number(minutes, 'minute', 'minutes') if minutes <= 120 else _number(hours, 'hour', 'hours')}"


def _by_reason(counts: Mapping[str, int]) -> Iterator[str]:
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:,} {reason}{f': {_EXPLANATIONS[reason]}' if reason in _EXPLANATIONS else ''}"


def _messages(count: int) -> str:
    return _number(count, "message", "messages")


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
