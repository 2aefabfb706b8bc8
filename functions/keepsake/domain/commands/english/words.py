"""Patterns that the English commands share: words for memory, subjects and statements."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("subjects", __package__)

WORD = r"[^,;:?!\n]"
SUBJECT = rf"(?P<subject>{WORD}{{1,80}}?)"
MEMORY = r"(?:your |the |my )?(?:long[- ]term )?memor(?:y|ies)"
SAID = r"(?:said|told you|wrote|typed|mentioned|shared)"
_NO_SUBJECT = re.compile(_WORDS["not_a_subject"], re.IGNORECASE)
_START = r"(?:i|i'?m|i'?ve|i'?d|i'?ll|we|we're|we've|we'll)\s\S"
_MINE = rf"(?:my|our)(?: [\w'-]+){{1,4}}? {_WORDS['verbs_of_own']}\b"
_OF_OTHERS = rf"(?!{_WORDS['not_a_name']}\b)[A-Za-z][\w'-]*(?: [\w'-]+){{0,3}}? {_WORDS['verbs_of_others']}\b"
_CLAIM = re.compile(
    r"(?i:.*\b(?:most|best|only|safest|trusted|recommend\w*|should|must|always|never|important)\b)"
    r"|(?![A-Z])(?!.*\b(?i:i|me|my|mine|our|us)\b)"
)
_STATEMENT = re.compile(rf"(?:{_START}|{_MINE}|{_OF_OTHERS})", re.IGNORECASE)
_OWN_STATEMENT = re.compile(rf"(?:{_START}|{_MINE})", re.IGNORECASE)


def regex(pattern: str) -> re.Pattern[str]:
    """The compiled pattern, ignoring case."""
    return re.compile(pattern, re.IGNORECASE)


def captured_subject(match: re.Match[str] | None) -> str | None:
    """The subject that a command names, if it can be one."""
    if match is None:
        return None
    named = next(value for name, value in match.groupdict().items() if name.startswith("subject") and value)
    subject = named.strip(" .\"'“”")
    return None if _NO_SUBJECT.match(subject) else subject


def is_statement(text: str, *, of_others: bool = False) -> bool:
    """Whether a sentence states something about its author, or with ``of_others`` about a person they name."""
    if _OWN_STATEMENT.match(text):
        return True
    return of_others and _STATEMENT.match(text) is not None and _CLAIM.match(text) is None
