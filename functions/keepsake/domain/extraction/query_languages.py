"""The languages by whose stems a message is looked up: each memory is found by the stems of its own language."""

from __future__ import annotations

import re

from keepsake.domain.evidence.speaker_words import guess_language
from keepsake.domain.reading.message import is_unreadable

_ENGLISH = "en"
"""The language in which the rules write."""
_CODE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")


def query_languages(text: str, locale: str | None = None) -> tuple[str, ...]:
    """The language of the person's locale, that of the message, where it can be told, and English."""
    own = _CODE.match(locale or "")
    guessed = guess_language(text) if is_unreadable(text) else ""
    return tuple(dict.fromkeys(filter(None, (own[0].lower() if own else "", guessed, _ENGLISH))))
