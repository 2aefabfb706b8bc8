"""Makes the heading of an entity card: the label in quotes, or the kind alone where the label may not be a name.

A key or a label comes from a message, a model or a file. So no part of it stands outside quotes, and inside them only
what has the form of a name: few words, few characters, letters of one script, and nothing that gives orders.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from keepsake.domain.context.escaping import escape_text, quote_text
from keepsake.domain.entities.entity import entity_slug
from keepsake.domain.memory import Memory
from keepsake.domain.screening.screen import rejection_of_name

MAX_LABEL_WORDS = 5
MAX_LABEL_LENGTH = 40
MAX_UNSPACED_LENGTH = 12
"""Letters of a label in a script that writes no spaces between words."""

_KINDS = frozenset({"person", "place", "org", "project"})
_OTHER_KIND = "entity"
_NAME = re.compile(r"[^\W_](?:[^\W_]|[ .,'’&+-])*")
_UNSPACED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "YI"})
_SCRIPTS_OF_ONE_LANGUAGE = (frozenset({"CJK", "HIRAGANA", "KATAKANA"}), frozenset({"HANGUL", "CJK"}))


def card_heading(entity_key: str, memories: Iterable[Memory]) -> str:
    """The heading: ``["Anna" (person)]``, or ``[person]`` where the entity has no label that may be shown."""
    kind, _, slug = entity_key.partition(":")
    kind = kind if kind in _KINDS else _OTHER_KIND
    label = _label(entity_key, slug, memories)
    return f"[{quote_text(label)} ({kind})]" if label else f"[{kind}]"


def _label(entity_key: str, slug: str, memories: Iterable[Memory]) -> str | None:
    """The label as a memory of the entity spells it, else the words of the key; None if neither may be a name."""
    spelled = (
        one.entity_label
        for one in memories
        if one.entity_label and entity_key in one.entity_refs and entity_slug(one.entity_label) == slug
    )
    labels = (escape_text(label.replace("_", " ")) for label in (*spelled, slug))
    return next((label for label in labels if _is_name(label)), None)


def _is_name(label: str) -> bool:
    """Whether a label has the form of a name."""
    if len(label) > MAX_LABEL_LENGTH or len(label.split()) > MAX_LABEL_WORDS:
        return False
    letters = [character for character in unicodedata.normalize("NFC", label) if character.isalpha()]
    scripts = {_script(letter) for letter in letters}
    if len(scripts) > 1 and not any(scripts <= together for together in _SCRIPTS_OF_ONE_LANGUAGE):
        return False
    if scripts & _UNSPACED and len(letters) > MAX_UNSPACED_LENGTH:
        return False
    without_marks = "".join(character for character in label if not unicodedata.category(character).startswith("M"))
    return _NAME.fullmatch(without_marks) is not None and rejection_of_name(label) is None


def _script(letter: str) -> str:
    """The script of a letter: the first word of its name, without what follows a hyphen."""
    return unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]
