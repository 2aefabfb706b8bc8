"""Finds the stored memories that a change means: by attribute, by kind, and by the words that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.change_rules.change_rules import ChangeRule
from keepsake.domain.merging.changes.endings.find_ended import NAME_NOTHING, OF_ANOTHER
from keepsake.domain.merging.changes.endings.names_of_memory import MAX_TARGETS, naming_words
from keepsake.domain.merging.changes.known_names import known_names
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, kinds_of
from keepsake.domain.merging.partners import PARTNERS
from keepsake.domain.text import word_set, words

_CHILDREN = word_set("kids kid children child sons daughters boys girls son daughter")
"""Parts of keys that name own children."""
COUPLE = "author_or_partner"


def find_targets(rule: ChangeRule, named: str, memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories that a rule for changes means; none where it could be almost any."""
    stems = content_words(named) - NAME_NOTHING
    says = re.compile(rule.says.replace("{object}", re.escape(named)), re.IGNORECASE)
    if named and (OF_ANOTHER.search(named) or not (stems or "{object}" in rule.says)):
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


def names_older_child(text: str, memory: Memory, memories: Iterable[Memory]) -> bool:
    """Whether a text names a child that was known before the memory was said."""
    before = [one for one in memories if one.valid_from < memory.valid_from]
    names = {name for name, (relation, _) in known_names(before).items() if relation in _CHILDREN}
    return not names.isdisjoint(words(text))


def _named_words(memory: Memory) -> set[str]:
    """The stems of the words that name a memory: of its text, its value and its entity."""
    parts = (memory.text, (memory.value or "").replace("_", " "), memory.entity_label or "")
    return content_words(" ".join(parts))


def _names_of_partners(memories: Iterable[Memory]) -> frozenset[str]:
    """The names that memories give to a partner, in lower case."""
    return frozenset(name for name, (relation, _) in known_names(list(memories)).items() if relation in PARTNERS)


def _fits(rule: ChangeRule, memory: Memory, couple: frozenset[str] = frozenset()) -> bool:
    if not rule.attributes and not rule.kinds:
        return True
    attribute = attribute_of_self(memory)
    if COUPLE in rule.kinds:
        name = memory.text.partition(" ")[0].casefold()
        return bool(attribute) or "partner" in kinds_of(memory) or name in couple
    if rule.kinds == {"children"}:
        return attribute in rule.attributes and not _CHILDREN.isdisjoint(parse_key(memory.key).rest[1:])
    return attribute in rule.attributes or not rule.kinds.isdisjoint(kinds_of(memory))
