"""Which memories a summary without a model tells in sentences of its own.

What rules made of a message is told by its quote. Where there is none, statements are told alone: rules also read notes
("vet on Tuesday", "day shifts") and add the verb, which may be somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from keepsake.domain.english.inflection import is_finite
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import verb_tags
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.reading.message import is_unreadable
from keepsake.domain.summaries import phrases
from keepsake.domain.summaries.own_words import Quote
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.text import words

_HALF_FELT = re.compile(r"\bit (?:feels?|felt)\b|\bbut\b|\band (?:then|yet)\b", re.IGNORECASE)
"""Two feelings that belong together: "happy, and it feels wrong to be happy"."""
_THING_VERBS = frozenset({"is", "are", "was", "were", "turned"})
_CALENDAR = frozenset([*WEEKDAYS, *(month.lower() for month in MONTHS)])
_BEING = frozenset({"feels", "felt", "is", "was"})
_PARTICLES = frozenset({"down", "up", "back", "off", "out", "away", "over", "on", "in"})
_TASKS = frozenset({"has", "had", "needs", "needed"})
_ADVERBS = frozenset({"no", "longer", "does", "not", "always", "still", "never", "often", "usually", "also", "just"})


def leave_out_quoted(memories: Iterable[SourceMemory], quotes: Iterable[Quote]) -> list[SourceMemory]:
    """The memories that none of these quotes tells, without scraps and notes that rules made."""
    found = [one for one in memories if not one.is_by_rules or is_statement(one)]
    ids = {one.id for one in found}
    screened = (one for one in quotes if ids.intersection(one.message.memory_ids) and one.screened())
    quoted = {memory_id for one in screened for memory_id in one.message.memory_ids}
    return [one for one in found if one.id not in quoted]


def wholly_felt(memories: Iterable[SourceMemory], messages: Sequence[SaidMessage]) -> list[SourceMemory]:
    """The feelings that their messages do not take back in part."""
    half = {memory_id for one in messages if _HALF_FELT.search(one.text) for memory_id in one.memory_ids}
    return [one for one in memories if phrases.is_felt(one) and not (one.is_by_rules and one.id in half)]


def is_statement(memory: SourceMemory) -> bool:
    """Whether what rules made is a statement of what is so, by itself: no scrap, no task, nothing that points back."""
    tokens = words(memory.text)
    if is_unreadable(memory.text) or not tokens:
        return True
    if not phrases.is_predicate(memory.text, memory.entity_label):
        return _is_clause(tokens)
    is_task = tokens[0] in _TASKS and "to" in tokens
    return not (is_task or tokens[0] in _BEING & set(tokens[-1:]) or _is_vague(tokens))


def is_present_habit(memory: SourceMemory) -> bool:
    """Whether a memory says what the person does again and again, and not what they once did."""
    first, _, rest = memory.text.lower().partition(" ")
    verb = rest.partition(" ")[0] if first in _ADVERBS else first
    tags = verb_tags(verb)
    return memory.is_pattern and ("VBZ" in tags or not tags) and not phrases.is_stop(memory)


def _is_clause(tokens: Sequence[str]) -> bool:
    """Whether it is a clause about somebody, or says what a thing is; what somebody says or wants is none."""
    finite = next((index for index, token in enumerate(tokens) if index and is_finite(token)), None)
    if finite is None or tokens[0][0].isdigit() or tokens[finite] in load_words("reports", __package__):
        return False
    if tokens[0] in _CALENDAR | {"the"}:  # "Thursday is cello", "the surgery is two days before"
        return False
    return tokens[finite] in _THING_VERBS or any(kinship_of(token) for token in tokens[:finite])


def _is_vague(tokens: Sequence[str]) -> bool:
    """Whether it says nothing done ("starts on Monday", "can help"), owns one definite thing, or is an opinion."""
    own = [token for token in tokens if token not in _ADVERBS]
    is_report = own[:1] != [] and own[0] in load_words("reports", __package__) and own[1:2] != ["to"]  # a plan
    if not own or is_report or own[0] == "can" or own[:2] in (["has", "the"], ["had", "the"]):
        return True
    if all(one in STOPWORDS | _PARTICLES for one in own[1:]):  # "hung up", "is out"
        return True
    is_progress = own[0] in _BEING and own[1].endswith("ing")
    begin = 2 if is_progress else 0 if own[0] in load_words("states", __package__) else 1
    return all(one in STOPWORDS or {one, one.removesuffix("s")} & _CALENDAR or one[0].isdigit() for one in own[begin:])
