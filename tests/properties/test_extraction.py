"""Laws of extraction, screening and merging, whatever is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keepsake.domain.extraction.screen_candidates import top_candidates
from keepsake.domain.lifecycle.lifetimes import expires_at
from keepsake.domain.memory import MAX_PER_TURN, MAX_TEXT_LENGTH, Candidate, Memory, Source, Status
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.merge import merge
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import key_of
from keepsake.domain.screening.screen import screen
from keepsake.domain.text import has_forbidden_characters
from keepsake.infra.readers import Readers
from tests.properties.strategies import HOSTILE

SAID_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
MAX_MESSAGE = 32_000

_STATEMENTS = (
    "I like pizza", "I don't like pizza any more", "I love pizza", "My favorite food is ramen", "actually it's sushi"
    , "I live in Rome",
    "I used to live in Rome, now Oslo", "My daughter is 5", "my son is 5", "My daughter is 6", "I have a dog",
    "I have a dog named Rex",
    "I'm allergic to nuts", "I'm not allergic to nuts", "I feel tired", "call me Bob", "don't call me Bob",
    "I work at Acme",
    "I no longer work at Acme", "My name is Ana", "I run every morning", "my password is hunter2", "I'm vegan",
    "I'm not vegan anymore",
)  # fmt: skip
_PIECES = ("I ", "my ", "I'm ", "like ", "a dog", " and ", ", ", "but ", "I have ", "is ", "5", "?", ". ", "\n",
    "\r\n", '"', "'", "(", " - ",
           "not ", "favorite ", "because ", "👍", "\x00", "\u202e", "the ", "when ", "call me ", *HOSTILE)  # fmt: skip

anything = st.text(max_size=400)
patchwork = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)
speech = st.lists(st.sampled_from(_STATEMENTS), min_size=1, max_size=6).map(". ".join)
messages = st.one_of(anything, patchwork, speech)


@given(messages)
@settings(max_examples=400, deadline=None)
def test_extract__never_fails_and_rests_on_the_message(message: str) -> None:
    for candidate in extract(message):
        assert candidate.quote
        assert candidate.quote in message
        assert len(candidate.text) <= MAX_TEXT_LENGTH
        assert not has_forbidden_characters(candidate.text)
        assert 0 < candidate.confidence <= 0.9
        assert candidate.text[:1] == candidate.text[:1].upper()
        key_of(candidate.text)


@given(messages)
def test_top_candidates__never_more_than_the_cap(message: str) -> None:
    found = extract(message)
    assert sum(bool(c.text) for c in top_candidates(found)) <= MAX_PER_TURN


@given(messages)
def test_screen__twice_is_once(message: str) -> None:
    for candidate in extract(message):
        once = screen(candidate)
        if isinstance(once, Candidate):
            assert screen(once) == once


_BEGINNINGS = ("", "I like a", "my ", "I'm ", "> ", '"', "from: ", "I have a dog and ", "well, ")
_ENDS = ("", "x", "!", ".", "?", "\n", '"', ")", " too", " you")
_RUNS = (
    *_PIECES,
    *"\"'`(<[{*#|>-=~.,:;!?/\\ \t\n\r",
    "a.",
    "I like ",
    "1 2 ",
    "A1 ",
    '" "',
    "' '",
    "I,",
    "> x\n",
    "x: y\n",
    ", ",
)


@given(st.sampled_from(_BEGINNINGS), st.lists(st.sampled_from(_RUNS), min_size=1, max_size=3), st.sampled_from(_ENDS))
@settings(max_examples=90, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_extract__reads_the_longest_message_before_the_deadline(
    readers: Readers, beginning: str, run: list[str], end: str
) -> None:
    """Whatever is said over and over, after whatever and before whatever: the deadline is what a turn has."""
    part, room = "".join(run), MAX_MESSAGE - len(beginning) - len(end)
    message = f"{beginning}{(part * (room // len(part) + 1))[:room]}{end}"
    for candidate in await readers.run(extract, message):
        assert candidate.quote in message


@given(speech)
@settings(deadline=None)
def test_merge__again_changes_nothing_but_counts(message: str) -> None:
    """Merging what is stored already reinforces or drops, and never stores anew."""
    candidates = extract(message)
    stored = _apply(merge(candidates, [], said_at=SAID_AT), [], SAID_AT)
    later = SAID_AT + timedelta(seconds=1)
    lasting = [c for c in candidates if _is_last_word(c, candidates)]
    again = merge(lasting, stored, said_at=later)
    after = _apply(again, stored, later)
    assert {(m.key, m.value) for m in _active(after)} == {(m.key, m.value) for m in _active(stored)}


@given(st.lists(st.sampled_from(_STATEMENTS), min_size=1, max_size=12))
@settings(deadline=None)
def test_merge__one_active_memory_a_key(turns: list[str]) -> None:
    stored: list[Memory] = []
    for minute, turn in enumerate(turns):
        said_at = SAID_AT + timedelta(minutes=minute)
        recent = sorted(_active(stored), key=lambda memory: memory.valid_from, reverse=True)
        kept = [o for o in map(screen, extract(turn, recent=recent)) if isinstance(o, Candidate)]
        stored = _apply(merge(top_candidates(kept), stored, said_at=said_at), stored, said_at)
        keys = [memory.key for memory in _active(stored) if memory.key]
        assert len(keys) == len(set(keys))
        assert not any("hunter2" in memory.text for memory in stored)


def _is_last_word(candidate: Candidate, candidates: list[Candidate]) -> bool:
    same = [other for other in candidates if other.key == candidate.key]
    return same[-1] is candidate and not candidate.retracts and not candidate.corrects


def _active(memories: list[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.status is Status.ACTIVE]


def _apply(decisions: list[Decision], stored: list[Memory], said_at: datetime) -> list[Memory]:
    """What the store does with decisions, in memory."""
    memories = {memory.id: memory for memory in stored}
    for decision in decisions:
        match decision:
            case Insert(candidate=candidate):
                _add(memories, candidate, said_at)
            case Supersede(old_id=old, candidate=candidate):
                memories[old] = memories[old]._replace(status=Status.SUPERSEDED)
                _add(memories, candidate, said_at)
            case Retract(old_id=old, candidate=candidate):
                memories[old] = memories[old]._replace(status=Status.SUPERSEDED)
                if candidate is not None:
                    _add(memories, candidate, said_at)
            case Reinforce(memory_id=id, reference_count=count, importance=importance):
                memories[id] = memories[id]._replace(reference_count=count, importance=importance)
            case Drop():
                pass
        assert decision.explanation
    return list(memories.values())


def _add(memories: dict[UUID, Memory], candidate: Candidate, said_at: datetime) -> None:
    number = len(memories) + 1
    memories[UUID(int=number)] = Memory(
        id=UUID(int=number), memory_no=number, type=candidate.type, subtype=candidate.subtype, text=candidate.text,
        confidence=candidate.confidence, importance=candidate.importance, pinned=False, source=Source.RULE_EXTRACTION,
        status=Status.ACTIVE, reference_count=0, created_at=said_at, valid_from=said_at, key=candidate.key, value=
            candidate.value,
        expires_at=expires_at(candidate, said_at=said_at),
    )  # fmt: skip
