"""Finds the memories that a statement contradicts: no meat any more, so no favorite steak."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.kinship import canonical_relation
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.decisions import Contradiction
from keepsake.domain.merging.favorites import conflicting_favorites
from keepsake.domain.merging.memory_kinds import is_of_self
from keepsake.domain.merging.partners import former_partner_memories
from keepsake.domain.text import words

_CONSUMING = ("eat", "drink", "have", "order")
_NO_LONGER = re.compile(r"(?:No longer (?:eats|drinks)|(?:Has )?(?:stopped|quit) (?:eating|drinking))\b", re.IGNORECASE)
_OVER = re.compile(r"No longer\b")
_QUIT_HABIT = re.compile(r"Gave up on\b")
_SHARED_HOME = re.compile(r"(?:live_)?with_")
_LOST_JOB = re.compile(r"(?:retire|(?:quit|leave|lose)_my_job|(?:get_)?lay_off|get_(?:laid_off|fired))(?!_up|_offer)")
_DENIAL = re.compile(r"^(?:Is not|Does not|Is no longer|No longer) (?:any ?more )?| any(?: ?more| longer)$")
_NOT_QUITE = re.compile(r"(?:Nearly|Almost)\b")
_PET = "relationship|person|self|pet"
_DURABLE = frozenset({"name", "birthday"})
"""What of somebody holds also after their death."""
_ALONE = re.compile(r"(?:live_)?(?:alone|by_myself|on_my_own)")


def find_contradictions(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The memories that no longer hold once the candidate does."""
    found = []
    for memory in active:
        if memory.key is None or memory.key == candidate.key:
            continue
        checks = (_habit_reason, _job_reason, _resumed_reason, _denied_reason)
        if reason := next((reason for check in checks if (reason := check(candidate, memory))), None):
            found.append(Contradiction(memory, reason))
    former = former_partner_memories(candidate, active)
    return [
        *found,
        *conflicting_favorites(candidate, active),
        *(Contradiction(memory, "is about somebody they are no longer with") for memory in former),
        *_renamed_pet(candidate, active),
        *_lost_pet(candidate, active),
        *_lost_relative(candidate, active),
    ]


def _habit_reason(candidate: Candidate, memory: Memory) -> str | None:
    """The memory is a habit, an animal or a way of living that the candidate ends."""
    stated, stored = parse_key(candidate.key), parse_key(memory.key)
    attribute, what, known, other = stated.attribute, stated.what, stored.attribute, stored.what
    if attribute == "likes" and candidate.value == "dislike" and candidate.corrects:
        if known == "habit" and memory.value != "no" and _QUIT_HABIT.match(candidate.text):
            return "is a habit that was given up" if other == what or other.endswith(f"_{what}") else None
        taken = known == "habit" and memory.value != "no" and other in {f"{verb}_{what}" for verb in _CONSUMING}
        if taken and _NO_LONGER.match(candidate.text):
            return "is a habit of what is no longer taken"
    if {attribute, known} == {"habit", "avoids"} and what == other and "no" not in (candidate.value, memory.value):
        return "says the contrary of the same habit"
    if attribute == "has" and candidate.value == "no" and candidate.corrects and known == "pet":
        return "is an animal they no longer have" if what in (other, memory.value) and memory.value != "0" else None
    if attribute == known == "living":
        apart = (_ALONE.match(what), _SHARED_HOME.match(other)), (_SHARED_HOME.match(what), _ALONE.match(other))
        return "says otherwise who shares their home" if any(all(pair) for pair in apart) else None
    return None


def _resumed_reason(candidate: Candidate, memory: Memory) -> str | None:
    """The memory says that something was over, and the candidate says that it holds again."""
    over = memory.key == f"{candidate.key}|past|{candidate.value}" and _OVER.match(memory.text) is not None
    return "says that it was over, and it holds again" if over else None


def _denied_reason(candidate: Candidate, memory: Memory) -> str | None:
    """The candidate denies the very words of the memory: "Is not pregnant, false alarm", "Does not live in Leeds"."""
    denied, *_ = candidate.text.split(",")
    without = _DENIAL.sub("", denied)
    is_denied = without != denied and is_of_self(memory) and _DENIAL.match(memory.text) is None
    is_same = is_denied and content_words(without) == content_words(memory.text)
    return "denies what was said" if is_same else None


def _job_reason(candidate: Candidate, memory: Memory) -> str | None:
    """The memory is about a job or studies that have ended."""
    stated, known = parse_key(candidate.key), parse_key(memory.key)
    if stated.attribute == "graduated" and known.attribute == "student":
        return "is a study they have finished"
    has_changed = stated.attribute == "work_change" and _NOT_QUITE.match(candidate.text) is None
    lost = has_changed and _LOST_JOB.match(stated.what) is not None
    return "is a job they no longer have" if lost and known.attribute == "employer" and not known.what else None


def _renamed_pet(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The only animal of the kind, under another name, where the candidate corrects the name."""
    key = parse_key(candidate.key)
    if key.attribute != "pet" or not candidate.corrects or not candidate.entity_label:
        return []
    same = [memory for memory in active if memory.value == candidate.value and parse_key(memory.key).attribute == "pet"]
    others = [memory for memory in same if parse_key(memory.key).what != key.what]
    return [Contradiction(others[0], "names the same animal otherwise")] if len(others) == 1 else []


def _lost_pet(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The memories of an animal that died: the one of the name, or the only one of its kind."""
    lost = parse_key(candidate.key)
    who = lost.what
    if lost.attribute != "lost":
        return []
    found = {}
    for memory in active:
        known = parse_key(memory.key)
        animal = known.rest[1] if len(known.rest) > 1 else ""
        if known.attribute in ("pet", "pet_fact") and who in (animal, memory.value) and memory.value != "0":
            found[memory] = animal
    counted = [m.value for m in found if m.key == f"{_PET}|{who}" and candidate.value == who]
    several = len(set(found.values()) - {who}) > 1 or any(count != "1" for count in counted)
    return [] if several else [Contradiction(memory, "is about an animal that died") for memory in found]


def _lost_relative(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The memories of somebody of the family who died; none where it could be one of several."""
    lost = parse_key(candidate.key)
    if lost.attribute != "lost":
        return []
    who, found = canonical_relation(lost.what), dict[Memory, str]()
    for memory in active:
        known = parse_key(memory.key)
        is_spouse = known.attribute == "relationship_status" and who in words(memory.text)
        if is_spouse or (known.relation and who in (known.relation, known.name) and known.last not in _DURABLE):
            found[memory] = known.name
    is_one = len(set(found.values()) - {who, ""}) <= 1
    return [Contradiction(memory, "is about somebody who died") for memory in found] if is_one else []
