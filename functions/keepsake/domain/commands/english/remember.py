"""The English patterns of the command to remember a statement."""

from __future__ import annotations

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.commands.english.words import MEMORY, SAID, is_statement, regex
from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("remember", __package__, memory=MEMORY, said=SAID)

_ASIDE = regex(_WORDS["asides"])
_OPENERS = (
    regex(rf"{_WORDS['remember_openers']}(?P<open>(?: that|[:,])+)? (?P<statement>.+)"),
    regex(r"(?:for the record|note to self): (?P<own>.+)"),
    regex(_WORDS["remember_anything"]),
)
_OPEN_NEEDED = regex(r"(?:save|store|log|jot down|memori[sz]e)\b")
_REMEMBER_LAST = regex(_WORDS["remember_last"])


def match_remember(core: str, rest: str) -> Command | None:
    """The command to remember; ``rest`` is the text of the message after the sentence."""
    if _REMEMBER_LAST.fullmatch(core):
        return Command(Kind.REMEMBER)
    statement = _statement(core, rest)
    return Command(Kind.REMEMBER, statement=statement) if statement else None


def _statement(core: str, rest: str) -> str | None:
    """The statement to remember, if it is one."""
    for pattern in _OPENERS:
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
