"""Matches a sentence with the forms of chat commands, and tells what states something about somebody."""

from __future__ import annotations

import re
from collections.abc import Iterable

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.reading.commands.command import Command
from keepsake.domain.reading.commands.command_forms import CommandForm

_WORDS = load_alternations("subjects", __package__)
_NO_SUBJECT = re.compile(_WORDS["not_a_subject"], re.IGNORECASE)
_OWN_STATEMENT = re.compile(
    rf"(?:i|i'?m|i'?ve|i'?d|i'?ll|we|we're|we've|we'll)\s\S|(?:my|our)(?: [\w'-]+){{1,4}}? {_WORDS['verbs_of_own']}\b",
    re.IGNORECASE,
)
_STATEMENT_OF_OTHERS = re.compile(
    rf"(?!{_WORDS['not_a_name']}\b)[A-Za-z][\w'-]*(?: [\w'-]+){{0,3}}? {_WORDS['verbs_of_others']}\b", re.IGNORECASE
)
_CLAIM = re.compile(
    r"(?i:.*\b(?:most|best|only|safest|trusted|recommend\w*|should|must|always|never|important)\b)"
    r"|(?![A-Z])(?!.*\b(?i:i|me|my|mine|our|us)\b)"
)
_ASIDE = re.compile(_WORDS["asides"], re.IGNORECASE)
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
    if form.states and not _is_statement(subject or statement or "", of_others=form.states == "anybody"):
        return None
    return Command(
        form.kind,
        subject=subject,
        statement=f"{statement}{rest}" if form.takes_rest else statement,
        is_ambiguous=form.is_ambiguous,
        is_confirmation=form.is_confirmation,
        language=form.language,
    )


def _is_statement(text: str, *, of_others: bool) -> bool:
    return _ASIDE.match(text) is None and (is_own_statement(text) or (of_others and _is_of_others(text)))


def is_own_statement(text: str) -> bool:
    """Whether a sentence states something about its author."""
    return _OWN_STATEMENT.match(text) is not None


def _is_of_others(text: str) -> bool:
    """Whether a sentence states something about a person that it names."""
    return _STATEMENT_OF_OTHERS.match(text) is not None and _CLAIM.match(text) is None
