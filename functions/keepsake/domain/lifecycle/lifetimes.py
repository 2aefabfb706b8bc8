"""How long memories live: when they expire, when they are archived, and how they grow in importance."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from keepsake.domain.english.inflection import begins_in_past
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.word_groups import WEEKDAYS
from keepsake.domain.evidence.written_dates import last_day_mentioned
from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import Candidate, Memory, MemoryType, Source, Status, Subtype

MAX_ACTIVE_MEMORIES = 1000
"""Active memories one person may hold in one profile; beyond it the oldest unpinned is archived."""

EVENT_TTL = timedelta(days=7)
FEELING_TTL = timedelta(hours=6)
OTHER_TTL = timedelta(days=1)

ARCHIVE_AGE = timedelta(days=2 * 365)
ARCHIVE_UNREFERENCED = timedelta(days=182)

_ONCE_IN_A_LIFE = re.compile(rf"\b{load_alternations('durable_events')['durable_events']}\b", re.IGNORECASE)
_LAST_DAY = date(9999, 1, 1)
"""From here on no day is a date that every client can parse."""
_PLAN = re.compile(
    r"(?:[A-Z][\w'-]* ){0,4}?"
    r"(?:(?:is|are) (?:having|getting|coming|visiting|staying|going|flying|moving|traveling|leaving)\b"
    rf"|(?:has|have) (?:(?!who\b|that\b)[\w'.-]+ ){{1,6}}?on (?:{'|'.join(WEEKDAYS)}) \d)",
    re.IGNORECASE,
)
_LATELY = timedelta(days=31)
MAX_IMPORTANCE = 3
MAX_REFERENCE_COUNT = 32_767
IMPORTANCE_GROWS_AFTER = 3
"""From this many references on, reinforcing a memory raises its importance."""
MAX_IMPORTANCE_BY_REPETITION = 2
"""What is said often matters, but only importance 3 is in every context: repetition alone does not make it so."""


def time_to_live(type: MemoryType, subtype: Subtype, source: Source) -> timedelta | None:
    """How long such a memory stays current; None is without end."""
    if subtype is Subtype.FEELING or type is MemoryType.EMOTION:
        return FEELING_TTL
    if subtype is Subtype.EVENT:
        return EVENT_TTL
    if subtype is Subtype.OTHER and type is not MemoryType.GOAL and source is Source.RULE_EXTRACTION:
        return OTHER_TTL  # a goal is durable, and has no subtype of its own
    return None


def expires_at(candidate: Candidate, *, said_at: datetime, source: Source = Source.RULE_EXTRACTION) -> datetime | None:
    """The expiry of a statement said at ``said_at``, in the person's time zone; None where it does not expire.

    An event is over with the day after the last day that it mentions; so is what somebody is about to do ("Dad is
    having surgery on 3 December 2026"). What has happened that day already lives as if it named no date. What somebody
    else has not done since a day of late lives as an event.
    """
    ttl = EVENT_TTL if _is_silence(candidate, said_at) else time_to_live(candidate.type, candidate.subtype, source)
    is_event = candidate.subtype is Subtype.EVENT and candidate.type is not MemoryType.EMOTION
    is_plan = ttl is None and candidate.type is not MemoryType.GOAL and _PLAN.match(candidate.text) is not None
    ends = None if ttl is None else said_at.astimezone(UTC) + ttl
    if not (is_event or is_plan):
        return ends
    if is_event and _ONCE_IN_A_LIFE.search(candidate.text):
        return None
    days = days_of(candidate.period)
    day = days[1] if days else last_day_mentioned(candidate.text, said_at.date())
    is_over = day == said_at.date() and begins_in_past(candidate.text)
    if day is None or not said_at.date() <= day < _LAST_DAY or is_over:
        return ends
    return datetime.combine(day + timedelta(days=1), time.max, said_at.tzinfo).replace(microsecond=0).astimezone(UTC)


def _is_silence(candidate: Candidate, said_at: datetime) -> bool:
    """Whether it says what somebody else has not done for some days: "Gene has not picked up since 6 March 2027"."""
    subject, _, rest = candidate.text.partition(" has not ")
    days = days_of(candidate.period)
    is_since = bool(subject) and " since " in rest
    return is_since and days is not None and said_at.date() - days[0] <= _LATELY


def importance_after_reinforcement(importance: int, reference_count: int) -> int:
    """The importance after a repetition; ``reference_count`` includes it."""
    is_frequent = reference_count >= IMPORTANCE_GROWS_AFTER and importance < MAX_IMPORTANCE_BY_REPETITION
    return importance + 1 if is_frequent else importance


def reference_count_after(reference_count: int) -> int:
    """One reference more, clamped to what the column holds."""
    return min(MAX_REFERENCE_COUNT, max(0, reference_count) + 1)


def is_current(memory: Memory, now: datetime) -> bool:
    """Active and not expired: only such a memory may reach a prompt or decide a merge."""
    return memory.status is Status.ACTIVE and (memory.expires_at is None or memory.expires_at > now)
