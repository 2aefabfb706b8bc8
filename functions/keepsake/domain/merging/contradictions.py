"""Finds the memories that a statement contradicts: no meat any more, so no favorite steak."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.decisions import Contradiction
from keepsake.domain.merging.favorites import conflicting_favorites
from keepsake.domain.merging.partners import former_partner_memories

_CONSUMING = ("eat", "drink", "have", "order")
_NO_LONGER = re.compile(r"(?:No longer (?:eats|drinks)|(?:Has )?(?:stopped|quit) (?:eating|drinking))\b", re.IGNORECASE)
_OVER = re.compile(r"No longer\b")
_QUIT_HABIT = re.compile(r"Gave up on\b")
_SHARED_HOME = re.compile(r"(?:live_)?with_")
_LOST_JOB = re.compile(
    r"(?:recently_|just_|finally_)*(?:retired|(?:quit|left|lost)_my_job|(?:got|was)_(?:laid_off|fired))(?!_up|_offer)"
)
_PET = "relationship|person|self|pet"
_ALONE = re.compile(r"(?:live_)?(?:alone|by_myself|on_my_own)")


def find_contradictions(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The memories that no longer hold once the candidate does."""
    found = []
    for memory in active:
        if memory.key is None or memory.key == candidate.key:
            continue
        checks = (_habit_reason, _job_reason, _resumed_reason)
        if reason := next((reason for check in checks if (reason := check(candidate, memory))), None):
            found.append(Contradiction(memory, reason))
    former = former_partner_memories(candidate, active)
    return [
        *found,
        *conflicting_favorites(candidate, active),
        *(Contradiction(memory, "is about somebody they are no longer with") for memory in former),
        *_renamed_pet(candidate, active),
        *_lost_pet(candidate, active),
    ]


def _habit_reason(candidate: Candidate, memory: Memory) -> str | None:
    """The memory is a habit, an animal or a way of living that the candidate ends."""
    attribute, what = _split_key(candidate.key)
    known, other = _split_key(memory.key)
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


def _job_reason(candidate: Candidate, memory: Memory) -> str | None:
    """The memory is about a job or studies that have ended."""
    known, other = _split_key(memory.key)
    attribute, what = _split_key(candidate.key)
    if attribute == "graduated" and known == "student":
        return "is a study they have finished"
    lost = attribute == "work_change" and _LOST_JOB.match(what) is not None
    return "is a job they no longer have" if lost and known == "employer" and not other else None


def _renamed_pet(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The only animal of the kind, under another name, where the candidate corrects the name."""
    attribute, name = _split_key(candidate.key)
    if attribute != "pet" or not candidate.corrects or not candidate.entity_label:
        return []
    same = [memory for memory in active if _split_key(memory.key)[0] == "pet" and memory.value == candidate.value]
    others = [memory for memory in same if _split_key(memory.key)[1] != name]
    return [Contradiction(others[0], "names the same animal otherwise")] if len(others) == 1 else []


def _lost_pet(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The memories of an animal that died: the one of the name, or the only one of its kind."""
    attribute, who = _split_key(candidate.key)
    if attribute != "lost":
        return []
    found = {}
    for memory in active:
        known, other = _split_key(memory.key)
        animal = other.partition("|")[0]
        if known in ("pet", "pet_fact") and who in (animal, memory.value) and memory.value != "0":
            found[memory] = animal
    counted = [m.value for m in found if m.key == f"{_PET}|{who}" and candidate.value == who]
    several = len(set(found.values()) - {who}) > 1 or any(count != "1" for count in counted)
    return [] if several else [Contradiction(memory, "is about an animal that died") for memory in found]


@lru_cache(maxsize=256)  # every pair of a candidate and a memory asks for both keys several times
def _split_key(key: str | None) -> tuple[str, str]:
    """The attribute and the object of a key about the person: ``fact|person|self|likes|pizza`` is likes, pizza."""
    _, _, rest = (key or "").partition("|person|self|")
    attribute, _, what = rest.partition("|")
    return attribute, what
