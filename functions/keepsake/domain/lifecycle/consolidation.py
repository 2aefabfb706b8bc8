"""Consolidation: many small, old statements about one thing are replaced by one fold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from keepsake.domain.english.join_predicates import enumerate_items
from keepsake.domain.memory import MAX_TEXT_LENGTH, Memory, MemoryType, Source, Status, Subtype
from keepsake.domain.memory_key import SELF, parse_key

MIN_FOLD_SIZE = 6
"""Statements about one thing that make a fold; fewer are easily read as they are."""

MIN_FOLD_AGE = timedelta(days=30)
"""The age at which a statement may be folded."""

_MAX_FOLD_SIZE = 12
_MAX_MEMBER_LENGTH = 100
_TYPES = frozenset({MemoryType.FACT, MemoryType.PATTERN, MemoryType.RELATIONSHIP})
_SOURCES = frozenset({Source.RULE_EXTRACTION, Source.LLM_EXTRACTION, Source.AGENT_TOOL, Source.IMPORT})
_NEVER_FOLDED = frozenset({"allergy", "fold"})


@dataclass(frozen=True, slots=True)
class Fold:
    """One memory that replaces several: its key, its text and its members, oldest first."""

    key: str
    text: str
    members: tuple[Memory, ...]

    @property
    def subtype(self) -> Subtype:
        """The subtype of its members, if they share one."""
        found = {member.subtype for member in self.members}
        return found.pop() if len(found) == 1 else Subtype.OTHER

    @property
    def entity_refs(self) -> tuple[str, ...]:
        """The entities of its members, each once."""
        return tuple(dict.fromkeys(ref for member in self.members for ref in member.entity_refs))


def find_folds(memories: Sequence[Memory], now: datetime) -> list[Fold]:
    """The folds that a profile's memories make; without pinned, confirmed, important, temporary or new ones."""
    groups: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for memory in memories:
        subject = _fold_subject(memory) if _is_foldable(memory, now) else None
        if subject is not None:
            groups[subject, memory.type, memory.persona_id, memory.language].append(memory)
    found: list[Fold] = []
    for group in groups.values():
        group.sort(key=lambda memory: (memory.valid_from, memory.memory_no))
        found.extend(_make_fold(part) for part in _split_to_size(group) if len(part) >= MIN_FOLD_SIZE)
    return sorted(found, key=lambda fold: fold.members[0].memory_no)


def join_statements(texts: Sequence[str]) -> str:
    """The statements as one, with their common beginning once ("Likes pizza, ramen and sushi")."""
    words = [text.rstrip(".").split(" ") for text in texts]
    shared = 0
    while all(len(each) > shared + 1 for each in words) and len({each[shared] for each in words}) == 1:
        shared += 1
    rests = [" ".join(each[shared:]) for each in words]
    if shared == 0 or any("," in rest or " and " in rest for rest in rests):
        return "; ".join(text.rstrip(".") for text in texts)
    return f"{' '.join(words[0][:shared])} {enumerate_items(rests)}"


def _fold_subject(memory: Memory) -> tuple[str, str] | None:
    """The key and value that the memories of one fold share; None where the memory is never folded."""
    key = parse_key(memory.key)
    if key.is_fold or not key.rest or key.rest[0] in _NEVER_FOLDED:
        return None
    subject = f"{key.kind}|{key.entity_type}|{key.subject}"
    if key.subject != SELF:
        return subject, ""
    return (f"{subject}|{key.rest[0]}", memory.value or "") if len(key.rest) > 1 else None


def _is_foldable(memory: Memory, now: datetime) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.type in _TYPES
        and memory.source in _SOURCES
        and not memory.pinned
        and memory.importance < 3
        and memory.confidence < 1.0
        and memory.expires_at is None
        and memory.doubted_at is None
        and memory.created_at <= now - MIN_FOLD_AGE
        and len(memory.text) <= _MAX_MEMBER_LENGTH
    )


def _split_to_size(group: Sequence[Memory]) -> Iterable[list[Memory]]:
    """The group in parts that fit into one memory each."""
    part: list[Memory] = []
    for memory in group:
        longer = [*part, memory]
        if len(longer) > _MAX_FOLD_SIZE or len(join_statements([one.text for one in longer])) > MAX_TEXT_LENGTH:
            yield part
            longer = [memory]
        part = longer
    yield part


def _make_fold(members: Sequence[Memory]) -> Fold:
    subject = _fold_subject(members[0])
    if subject is None:
        raise ValueError("the memory is never folded")
    text = join_statements([member.text for member in members])
    return Fold(f"fold|{subject[0]}|{members[0].memory_no}"[:300], text, tuple(members))
