"""A plain yes or no: it answers what an agent asks for, where the context before it asked the person."""

from __future__ import annotations

import re

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.text import normalize_apostrophes

_MAX_LENGTH = 60
_SUCH = r"(?:forget|delete|remove|drop) (?:it|that|them|those|this)"
_YES = re.compile(
    rf"(?:yes|yeah|yep|yup)(?:[\s,.!]+(?:please|go ahead|do it|do that|do|please do|{_SUCH}|please {_SUCH}))?"
    rf"(?:[\s,.!]+please)?|(?:please )?(?:go ahead|do it)|please do",
    re.IGNORECASE,
)
_NOT_IT = r"(?:please )?don't (?:forget|delete|remove) (?:it|that|them|those)"
_NO = re.compile(
    rf"(?:no|nope|nah)(?:[\s,.!]+(?:thanks|thank you|do not|(?:please )?don't|keep (?:it|that|them|those)|{_NOT_IT}))?"
    r"|(?:please )?keep (?:it|them|those)|please don't",
    re.IGNORECASE,
)


def recognize_answer(text: str) -> Command | None:
    """The answer that a message is and nothing beside; None where it is not a plain yes or no."""
    if len(text) > _MAX_LENGTH:
        return None
    said = " ".join(normalize_apostrophes(text).split()).strip(" .!")
    if _YES.fullmatch(said):
        return Command(Kind.ACCEPT_REQUEST, is_ambiguous=True)
    return Command(Kind.REJECT_REQUEST, is_ambiguous=True) if _NO.fullmatch(said) else None
