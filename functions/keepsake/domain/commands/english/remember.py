"""The English patterns of the command to remember a statement."""

from __future__ import annotations

import re

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.commands.english.words import MEMORY, SAID, is_statement, regex

_ASIDE = re.compile(
    r"i (?:told|said|asked|mentioned|once said)\b|(?:i|we) (?:exist|asked|was here|even)\b|.*\b(?:here for|love) you\b",
    re.IGNORECASE,
)
_INTRO = (
    regex(rf"(?:(?:add|store|save|put)(?: this| that| it)? (?:to|in|into) {MEMORY}|commit to {MEMORY}|remember|keep "
       rf"in mind|"
       r"bear in mind|(?:make|take|keep) (?:a )?(?:mental )?note|memori[sz]e|don't (?:ever )?forget|do not forget|"
       r"never forget|save|store|log|jot down|(?:so )?you remember(?=:)|for future reference)(?P<open>(?: that|"
       r"[:,])+)? (?P<statement>.+)"),
    regex(r"(?:for the record|note to self): (?P<own>.+)"),
    regex(rf"(?:remember|save|store|memori[sz]e|note|keep|add|write down)(?: down)? this(?: (?:for|till|until) "
       rf"(?:later|me|next time|the future))?(?: (?:in|into|to) {MEMORY})?: (?P<free>.+)"),
)  # fmt: skip
_OPEN_NEEDED = regex(r"(?:save|store|log|jot down|memori[sz]e)\b")
_LAST = regex(
    rf"remember (?:that|this)(?: for (?:later|me))?|(?:save|add|store|put) (?:that|this) (?:to|in|into) {MEMORY}"
    rf"|remember what i just {SAID}|keep (?:that|this) in mind|make a note of (?:that|this)|commit (?:that|this) "
    rf"to {MEMORY}"
)


def match_remember(core: str, rest: str) -> Command | None:
    """The command to remember; ``rest`` is the text of the message after the sentence."""
    if _LAST.fullmatch(core):
        return Command(Kind.REMEMBER)
    statement = _statement(core, rest)
    return Command(Kind.REMEMBER, statement=statement) if statement else None


def _statement(core: str, rest: str) -> str | None:
    """The statement to remember, if it is one."""
    for pattern in _INTRO:
        match = pattern.fullmatch(core)
        if match is None:
            continue
        groups = match.groupdict()
        if free := groups.get("free"):
            return None if free.casefold().startswith("you ") or " " not in free else f"{free}{rest}"
        statement = groups.get("own") or groups["statement"]
        if _ASIDE.match(statement) or (_OPEN_NEEDED.match(core) and not groups.get("open")):
            continue
        if is_statement(statement, of_others=bool(groups.get("open"))):
            return statement
    return None
