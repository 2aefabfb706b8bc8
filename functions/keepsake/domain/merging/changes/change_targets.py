"""Finds the stored memories that a change means: by attribute, by kind, and by the words that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory, MemoryType
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.change_words import MAX_TARGETS, NEGATION
from keepsake.domain.merging.changes.known_names import known_names
from keepsake.domain.merging.changes.load_change_rules import ChangeRule
from keepsake.domain.merging.changes.names_of_memory import is_past_event, naming_words
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, is_of_self, kinds_of
from keepsake.domain.merging.partners import PARTNERS
from keepsake.domain.text import stem, word_set, words

_GENERIC = frozenset(
    stem(word)
    for word in word_set(
        "trip holiday vacation flight ticket plan idea visit thing stuff work home school house job life it that one"
        " day time point way place anything something everything nothing all sure hold point list internet phone"
    )
)
"""Words that name no memory by themselves."""
_OF_ANOTHER = re.compile(r"\w's \w")
"""In the words that name something: it belongs to somebody else ("sister's old Skoda")."""
_CHILDREN = word_set("kids kid children child sons daughters boys girls son daughter")
"""Parts of keys that name own children."""
COUPLE = "author_or_partner"


def find_targets(rule: ChangeRule, named: str, memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories that a rule for changes means; none where it could be almost any."""
    stems = content_words(named) - _GENERIC
    says = re.compile(rule.says.replace("{object}", re.escape(named)), re.IGNORECASE)
    if named and (_OF_ANOTHER.search(named) or not (stems or "{object}" in rule.says)):
        return []
    known = list(memories)
    couple = _names_of_partners(known) if COUPLE in rule.kinds else frozenset()
    found = [
        memory
        for memory in known
        if may_change(memory, said_at)
        and _fits(rule, memory, couple)
        and stems <= _named_words(memory)
        and (not stems or naming_words(memory, stems))
        and says.search(memory.text)
    ]
    return [] if len(found) > MAX_TARGETS and named else found


def find_ended(endings: Sequence[str], memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories that share a word with the words that name what has ended; none where it could be many.

    A taste is meant only where it alone is named: who quits the climbing gym may still love climbing.
    """
    found: dict[UUID, Memory] = {}
    known = [
        memory
        for memory in memories
        if may_change(memory, said_at) and not (NEGATION.search(memory.text) or is_past_event(memory))
    ]
    for ending in endings:
        stems = content_words(ending) - _GENERIC
        named = [memory for memory in known if stems and _is_named(memory, stems)]
        if _OF_ANOTHER.search(ending):
            named = [memory for memory in named if not is_of_self(memory)]
        if len(named) <= MAX_TARGETS:
            found.update((memory.id, memory) for memory in named)
    return list(found.values())


def find_named(rule: ChangeRule, words: str, memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories about the person, other than tastes, that share a word with a clause by which something ends."""
    own = [one for one in memories if is_of_self(one) and _fits(rule, one) and "taste" not in kinds_of(one)]
    return find_ended((words,), own, said_at=said_at)


def names_older_child(text: str, memory: Memory, memories: Iterable[Memory]) -> bool:
    """Whether a text names a child that was known before the memory was said."""
    before = [one for one in memories if one.valid_from < memory.valid_from]
    names = {name for name, (relation, _) in known_names(before).items() if relation in _CHILDREN}
    return not names.isdisjoint(words(text))


def _is_named(memory: Memory, stems: set[str]) -> bool:
    predicate, _, rest = memory.text.partition(" ")
    if attribute_of_self(memory) == "when":  # it begins with what happens: "Wedding is on 14 June"
        predicate, rest = "", memory.text
    said = content_words(f"{rest} {memory.entity_label or ''}") - _GENERIC - content_words(predicate)
    about = naming_words(memory, said)
    if memory.type is MemoryType.PATTERN and stems == content_words(predicate):
        return True  # "no more running" means "Runs at Roath"
    if "taste" in kinds_of(memory):
        favorite = attribute_of_self(memory).startswith("favorite_")
        return bool(about) and stems == (content_words((memory.value or "").replace("_", " ")) if favorite else about)
    return not about.isdisjoint(stems)


def _named_words(memory: Memory) -> set[str]:
    """The stems of the words that name a memory: of its text, its value and its entity."""
    parts = (memory.text, (memory.value or "").replace("_", " "), memory.entity_label or "")
    return content_words(" ".join(parts))


def _names_of_partners(memories: Iterable[Memory]) -> frozenset[str]:
    """The names that memories give to a partner, in lower case."""
    return frozenset(name for name, (relation, _) in known_names(list(memories)).items() if relation in PARTNERS)


def _fits(rule: ChangeRule, memory: Memory, couple: frozenset[str] = frozenset()) -> bool:
    if rule.values and memory.value not in rule.values:
        return False
    if not rule.attributes and not rule.kinds:
        return True
    attribute = attribute_of_self(memory)
    if COUPLE in rule.kinds:
        name = memory.text.partition(" ")[0].casefold()
        return bool(attribute) or "partner" in kinds_of(memory) or name in couple
    if rule.kinds == {"children"}:
        return attribute in rule.attributes and not _CHILDREN.isdisjoint(parse_key(memory.key).rest[1:])
    return attribute in rule.attributes or not rule.kinds.isdisjoint(kinds_of(memory))
