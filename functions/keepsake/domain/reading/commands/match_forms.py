"""Matches a sentence with the forms of chat commands, and tells what states something about somebody."""

from __future__ import annotations

import re
from collections.abc import Iterable

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.reading.commands.command import Command
from keepsake.domain.reading.commands.command_forms import CommandForm
from keepsake.domain.text import word_set, words

_WORDS = load_alternations("subjects", __package__)
_NO_SUBJECT = re.compile(_WORDS["not_a_subject"], re.IGNORECASE)
_OWN_STATEMENT = re.compile(
    rf"(?:i|i'?m|i'?ve|i'?d|i'?ll|we|we're|we've|we'll)\s\S|(?:my|our)(?: [\w'-]+){{1,4}}? {_WORDS['verbs_of_own']}\b",
    re.IGNORECASE,
)
_STATEMENT_OF_OTHERS = re.compile(
    rf"(?!{_WORDS['not_a_name']}\b)[A-Za-z][\w'-]*(?: [\w'-]+){{0,3}}? {_WORDS['verbs_of_others']}\b", re.IGNORECASE
)
_ASIDE = re.compile(_WORDS["asides"], re.IGNORECASE)
_CLAIMS = word_set(
    "most best only safest trusted recommend recommends recommended recommendation should must always never important"
)
_AUTHOR = word_set("i me my mine our us")
_MARKS = " .\"'“”„"


def match_forms(sentence: str, forms: Iterable[CommandForm], *, is_polite: bool, rest: str = "") -> Command | None:
    """The command of a sentence, by the first form that it has; ``rest`` is the text of the message after it."""
    for form in forms:
        if form.tone and is_polite is not (form.tone == "polite"):
            continue
        match = form.pattern.fullmatch(sentence)
        command = _command(form, match, rest) if match is not None else None
        if command is not None:
            return command
    return None


def _command(form: CommandForm, match: re.Match[str], rest: str) -> Command | None:
    """The command; None where what it names can be no subject, or states nothing."""
    said = {name: value.strip() for name, value in match.groupdict().items() if value}
    subject = said["subject"].strip(_MARKS) if "subject" in said else None
    statement = form.statement.format(**said) if form.statement else said.get("statement")
    if subject is not None and (not subject or _NO_SUBJECT.match(subject)):
        return None
    stated = subject or statement or ""
    is_of_others = form.states == "anybody" and _is_of_others(stated)
    if form.states and (_ASIDE.match(stated) or not (is_of_others or is_own_statement(stated))):
        return None
    return Command(
        form.kind,
        subject=subject,
        statement=f"{statement}{rest}" if form.takes_rest else statement,
        is_ambiguous=form.is_ambiguous,
        is_confirmation=form.is_confirmation,
        language=form.language,
    )


def is_own_statement(text: str) -> bool:
    """Whether a sentence states something about its author."""
    return _OWN_STATEMENT.match(text) is not None


def _is_of_others(text: str) -> bool:
    """Whether a sentence states something about a person that it names, and claims nothing of the world."""
    said = {word.partition("'")[0] for word in words(text)}
    is_personal = text[:1].isupper() or not said.isdisjoint(_AUTHOR)
    return is_personal and said.isdisjoint(_CLAIMS) and _STATEMENT_OF_OTHERS.match(text) is not None
