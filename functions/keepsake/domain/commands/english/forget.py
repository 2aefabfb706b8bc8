"""The English patterns of the commands to forget, not to remember, and to undo."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.commands.english.words import MEMORY, SAID, SUBJECT, WORD, captured_subject, is_statement, regex
from keepsake.domain.english.load_word_lists import load_fragments

_FRAGMENTS = load_fragments("forget", __package__, memory=MEMORY, said=SAID, subject=SUBJECT, word=WORD)


def _any_of(section: str) -> re.Pattern[str]:
    return regex("|".join(_FRAGMENTS[section]))


_NOT_A_MEMORY = _any_of("not_a_memory")
_ASIDE = _any_of("asides")
_FORGET_LAST = _any_of("forget_last")
_FORGET_LAST_AMBIGUOUS = _any_of("forget_last_ambiguous")
_FORGET_ALL = _any_of("forget_all")
_CONFIRMED = regex(r"yes\W+(?:please\W+)?(?:do\W+)?forget everything(?: (?:you know )?about me)?(?: please)?\W*")
_FORGET_SUBJECT = tuple(map(regex, _FRAGMENTS["forget_subject"]))
_FORGET_OWN_SUBJECT = tuple(map(regex, _FRAGMENTS["forget_own_subject"]))
_FORGET_OWN_SUBJECT_POLITELY = tuple(map(regex, _FRAGMENTS["forget_own_subject_politely"]))
_FORGET_THAT = regex(rf"(?:forget|(?:don't|do not) remember) that (?P<subject>{WORD}{{3,200}}?)")
_DO_NOT_REMEMBER = _any_of("do_not_remember")
_DO_NOT_REMEMBER_THEN = re.compile(
    rf"(?:please |pls |plz )?(?:{_DO_NOT_REMEMBER.pattern})(?:\s*[:;]|,? but|,)\s+(?=\S+\s+\S)", re.IGNORECASE
)
_BARE_DENIAL = regex(r"don't remember that")
_UNDO = _any_of("undo")
_UNDO_AFTER_ALL = _any_of("undo_after_all")
_FORGET_BARE_SUBJECT = tuple(map(regex, _FRAGMENTS["forget_bare_subject"]))
_FIXED_FORMS = (
    (_any_of("pause"), Command(Kind.PAUSE)),
    (_any_of("resume"), Command(Kind.RESUME)),
    (_any_of("undo_bare"), Command(Kind.UNDO_LAST, is_ambiguous=True)),
    (_FORGET_LAST, Command(Kind.FORGET_LAST)),
    (_FORGET_LAST_AMBIGUOUS, Command(Kind.FORGET_LAST, is_ambiguous=True)),
    (_FORGET_ALL, Command(Kind.FORGET_ALL)),
    (_UNDO, Command(Kind.UNDO_LAST)),
)


def match_sentence(sentence: str) -> Command | None:
    """The commands that can only be recognized before politeness is removed."""
    if _CONFIRMED.fullmatch(sentence):
        return Command(Kind.FORGET_ALL, is_confirmation=True)
    return Command(Kind.UNDO_LAST) if _UNDO_AFTER_ALL.fullmatch(sentence) else None


def opens_with_do_not_remember(message: str) -> bool:
    """Whether a message begins with "do not remember this" and then goes on."""
    return _DO_NOT_REMEMBER_THEN.match(message) is not None


def match_forget(core: str, *, is_polite: bool) -> Command | None:
    """The command to forget, not to remember, or to undo."""
    for pattern, command in _FIXED_FORMS:
        if pattern.fullmatch(core):
            return command
    if _DO_NOT_REMEMBER.fullmatch(core):
        return Command(Kind.DO_NOT_REMEMBER, is_ambiguous=not is_polite and _BARE_DENIAL.fullmatch(core) is not None)
    subject = next(_subjects_to_forget(core, is_polite=is_polite), None)
    if subject:
        return Command(Kind.FORGET_SUBJECT, subject=subject)
    bare = next(filter(None, (captured_subject(one.fullmatch(core)) for one in _FORGET_BARE_SUBJECT)), None)
    return Command(Kind.FORGET_SUBJECT, subject=bare, is_ambiguous=True) if bare else None


def _subjects_to_forget(core: str, *, is_polite: bool) -> Iterator[str]:
    """The subjects to forget, one for each pattern that matches."""
    for pattern in _FORGET_SUBJECT:
        if subject := captured_subject(pattern.fullmatch(core)):
            yield subject
    for pattern in (*_FORGET_OWN_SUBJECT, *(_FORGET_OWN_SUBJECT_POLITELY if is_polite else ())):
        subject = captured_subject(pattern.fullmatch(core))
        if subject and not _NOT_A_MEMORY.match(subject.split(" ", 1)[1]):
            yield subject
    subject = captured_subject(_FORGET_THAT.fullmatch(core))
    if subject and is_statement(subject, of_others=True) and not _ASIDE.match(subject):
        yield subject
