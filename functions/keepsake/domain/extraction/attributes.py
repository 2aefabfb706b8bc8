"""The attributes of memories that rules and models share: their names, how many values they have, what they make."""

from __future__ import annotations

from collections.abc import Mapping

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import Subtype
from keepsake.domain.text import slug

_ATTRIBUTES = read_toml("data/attributes.toml", __package__)
_NO_ATTRIBUTES, SINGLE_VALUED, MULTI_VALUED = (
    frozenset(_ATTRIBUTES[kind]) for kind in ("no_attributes", "single_valued", "multi_valued")
)
_SUBTYPES = {name: Subtype(subtype) for subtype, names in _ATTRIBUTES["subtypes"].items() for name in names.split()}
_SYNONYMS: Mapping[str, str] = _ATTRIBUTES["synonyms"]


def canonical_attribute(attribute: str) -> str:
    """The name that keys have for an attribute; empty where it names none."""
    name = slug(attribute)
    return "" if name in _NO_ATTRIBUTES else _SYNONYMS.get(name, name)


def subtype_of(attribute: str) -> Subtype | None:
    """What kind of memory an attribute makes, where that is known."""
    name = canonical_attribute(attribute)
    return Subtype.PREFERENCE if name.startswith("favorite_") else _SUBTYPES.get(name)


def has_one_value(attribute: str) -> bool:
    """Whether a new value of the attribute always takes the place of the old one."""
    name = slug(attribute)
    return _SYNONYMS.get(name, name) in SINGLE_VALUED


def is_known(attribute: str) -> bool:
    """Whether rules and models share the attribute."""
    name = canonical_attribute(attribute)
    return name in SINGLE_VALUED or name in MULTI_VALUED or name in _SUBTYPES or name.startswith("favorite_")


def has_several_values(attribute: str) -> bool:
    """Whether its values stand beside each other: an attribute that nobody knows replaces nothing by itself."""
    return not (has_one_value(attribute) or slug(attribute).startswith("favorite_"))
