"""Change scope: the beginnings of the keys of memories that rules for changes may mean, so that only these are read."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.memory import MemoryType
from keepsake.domain.merging.change_targets import COUPLE
from keepsake.domain.merging.load_change_rules import ChangeRule


def scope_prefixes(rules: Sequence[ChangeRule]) -> tuple[str, ...]:
    """The beginnings of the keys that these rules may change, beside memories that share a word with the message."""
    attributes = {attribute for rule in rules for attribute in rule.attributes}
    kinds = {kind for rule in rules for kind in rule.kinds}
    prefixes = {f"{kind}|person|self|{attribute}" for kind in MemoryType for attribute in attributes}
    if kinds & {"relative", "partner", COUPLE}:
        prefixes |= {"relationship|person|", "fact|person|self|partner"}
    if COUPLE in kinds:
        prefixes |= _of_every_type("expecting", "when|baby")
    without_object = {kind for rule in rules if "object" not in rule.pattern.groupindex for kind in rule.kinds}
    if without_object & {"plan", "goal"}:
        prefixes |= {"goal|person|self|", *_of_every_type("when", "plan", "event")}
    if "diet" in kinds:
        prefixes |= _of_every_type("diet", "avoids", "habit|do_", "is|on_", "drinks", "is|sober", "is|teetotal")
    if "home" in kinds:
        prefixes |= _of_every_type("home", "living", "is|in_", "is|", "habit|rent", "habit|share", "habit|live")
    if kinds & {"study", "occupation", "employment"}:
        prefixes |= {f"{kind}|person|self|is|" for kind in MemoryType} | {"fact|person|self|student"}
    if kinds & {"occupation", "employment"}:
        prefixes |= {f"fact|person|self|{attribute}" for attribute in ("occupation", "employer", "work")}
    return tuple(sorted(prefixes))


def _of_every_type(*attributes: str) -> set[str]:
    return {f"{kind}|person|self|{attribute}" for kind in MemoryType for attribute in attributes}
