"""The events of a period, each with its day: what was said, what changed, and what was over, as a summary tells it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from keepsake.domain.context.outline import Item, Outline, Role, Sentence
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.summaries import phrases
from keepsake.domain.summaries.compose_sentences import DateWords, clauses, compose, enumeration, in_quotes, predicates
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary_words import SummaryWords

_PREDICATES = 2
"""What one sentence says of the person at most, of what is so or of what is to come."""
_AHEAD = re.compile(r"(?:has|needs|wants|plans|hopes|intends|would like) to |is \w+ing ")
_HAS_TIME = re.compile(
    rf"\b(?:{'|'.join([*MONTHS, *WEEKDAYS])}|summer|winter|spring|autumn|christmas|easter|years? old|\d{{4}}|since)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Event:
    """What a memory says of a day; without a subject of its own it is said of the person."""

    day: date
    item: Item
    role: Role
    has_subject: bool

    @classmethod
    def of(cls, day: date, text: str, memory: SourceMemory, role: Role = Role.CURRENT) -> Event:
        """The event that a memory tells with this text."""
        has_subject = text.startswith("“") or not phrases.is_predicate(memory.text, memory.entity_label)
        return cls(day, Item(text, memory.text, memory.importance), role, has_subject)

    def dated(self, spoken: SummaryWords, words: DateWords) -> Item:
        """What it says, with the day on which it was told where it is past or has changed, and names no day."""
        is_past = self.role is not Role.CURRENT or phrases.is_past(self.item.text)
        if not is_past or _HAS_TIME.search(self.item.text):
            return self.item
        return replace(self.item, text=spoken.say("on_day", text=self.item.text, day=words(self.day)) or self.item.text)


def events_of(sources: SummarySources) -> list[Event]:
    """What happened in a period but for feelings, day by day; each memory once."""
    replaced = {one.replaced_id for one in sources.begun if one.replaced_text}
    over = {one.id for one in sources.ended}
    begun = [one for one in sources.begun if not phrases.is_felt(one) and one.id not in replaced | over]
    ended = [one for one in sources.ended if not one.is_feeling and one.ended]
    negations = [one for one in begun if phrases.is_negation(one) and not (one.is_plan or one.is_change)]
    repeated = {one.id for one in negations} - {one.id for one in phrases.leave_out_covered(negations, ended)}
    begun, spoken = [one for one in begun if one.id not in repeated], sources.spoken
    if spoken.is_english:
        events = [_begun(one) for one in begun]
        events += [Event.of(one.ended, phrases.over(one), one, Role.OVER) for one in ended if one.ended]
    else:
        events = [_alone(one, one.ended or one.day, spoken) for one in (*begun, *ended)]
    return sorted((one for one in events if one.item.text and one.item.statement.strip(". ")), key=lambda one: one.day)


def _alone(memory: SourceMemory, day: date, spoken: SummaryWords) -> Event:
    """What a statement in another language than English tells: it stands alone, as it is."""
    text, role = memory.text.rstrip(". "), Role.CURRENT
    if memory.ended:
        text, role = spoken.say("over", statement=in_quotes(text)), Role.OVER
    elif memory.is_change:
        text, role = spoken.say("changed", now=text, old=memory.replaced_text) or text, Role.CHANGED
    return Event(day, Item(text, memory.text, memory.importance), role, has_subject=True)


def _begun(memory: SourceMemory) -> Event:
    if memory.is_change:
        text = phrases.change(memory.text, memory.replaced_text or "", memory.entity_label)
        return Event.of(memory.day, text, memory, Role.CHANGED)
    text = phrases.lower_first(memory.text, memory.entity_label)
    text = phrases.in_past(text) if memory.is_feeling else text
    return Event.of(memory.day, text, memory, Role.OVER if phrases.is_stop(memory) else Role.CURRENT)


def describe(events: Iterable[Event]) -> list[Sentence]:
    """The sentences for events without their days: of the person first, then of others."""
    return _sentences([(one, one.item) for one in events])


def describe_by_subject(sources: SummarySources, name: str, words: DateWords, limit: int) -> Outline:
    """The events of a longer period, of the person first, and each with its day where that matters."""
    spoken, events = sources.spoken, events_of(sources)
    return compose(_sentences([(one, one.dated(spoken, words)) for one in events], name), limit)


def _sentences(shown: Sequence[tuple[Event, Item]], name: str = "") -> list[Sentence]:
    sentences = []
    for role in (Role.CURRENT, Role.CHANGED, Role.OVER):
        of_role = [(one, item) for one, item in shown if one.role is role]
        sentences += _of_person([item for one, item in of_role if not one.has_subject], name, role)
        sentences += _of_others([item for one, item in of_role if one.has_subject], name, role)
    return [one for one in sentences if one.text]


def _of_person(items: Sequence[Item], name: str, role: Role) -> list[Sentence]:
    """What is said of the person: with their name before each few predicates, where it may be shown.

    What they did is told in sentences of its own: each has its day, and one would pass for the other's.
    """
    if not name:
        return [predicates(items, role)]
    done = [one for one in items if phrases.is_past(one.text)]
    ahead = [one for one in items if _AHEAD.match(one.text)]
    so = [one for one in items if one not in done and one not in ahead]
    return [
        enumeration(name, kind[at : at + count], role)
        for kind, count in ((done, 1), (so, _PREDICATES), (ahead, _PREDICATES))
        for at in range(0, len(kind), count)
    ]


def _of_others(items: Sequence[Item], name: str, role: Role) -> list[Sentence]:
    """What is said of others, one after another: "Ada's brother Gene is 73 years old and lives in Duluth"."""
    items = [replace(one, text=phrases.with_owner(one.text, name)) for one in items]
    split = [(*phrases.split_subject(item.text), item) for item in items]
    shared = {subject for subject, count in Counter(subject for subject, _, _ in split if subject).items() if count > 1}
    sentences = []
    for subject in dict.fromkeys(subject if subject in shared else "" for subject, _, _ in split):
        if subject:
            said = [replace(item, text=rest) for one, rest, item in split if one == subject]
            sentences.append(enumeration(f"{subject[:1].upper()}{subject[1:]}", said, role))
        else:
            sentences.append(clauses([item for one, _, item in split if one not in shared], role))
    return sentences
