"""Patterns that the English commands share: words for memory, subjects and statements."""

from __future__ import annotations

import re

WORD = r"[^,;:?!\n]"
SUBJECT = rf"(?P<subject>{WORD}{{1,80}}?)"
MEMORY = r"(?:your |the |my )?(?:long[- ]term )?memor(?:y|ies)"
SAID = r"(?:said|told you|wrote|typed|mentioned|shared)"
_NO_SUBJECT = re.compile(
    r"(?:it|that|this|them|him|her|us|you|yourself|these|those|me|myself|anything|everything|nothing|"
    r"(?:the |that |this )?(?:past|world|rest))$"
    r"|.*\b(?:and (?:what|how|why|then|let|tell|print|act|do|when|where|start|move|go|i|we|you)|from the|in the "
    r"(?:\w+ )?"
    r"(?:text|essay|document|file|letter|list)|for (?:now|a (?:second|minute|moment|while|bit))|this weekend|again "
    r"and)\b"
    r"|.*\b(?:tonight|today|instead)$|.*\band (?-i:(?!my |our |the |[A-Z]))"
    r"|(?:\S++\s++){8}\S",
    re.IGNORECASE,
)
_START = r"(?:i|i'?m|i'?ve|i'?d|i'?ll|we|we're|we've|we'll)\s\S"
_MINE = (
    r"(?:my|our)(?: [\w'-]+){1,4}? (?:is|are|was|were|has|have|had|can|can't|cannot|will|won't|would|goes|does|doesn't|"
    r"do|don't|isn't|aren't|[a-z]{2,}s|[a-z]{2,}ed|got|took|came|left|died)\b"
)
_OF_OTHERS = (
    r"(?!(?:i|you|the|this|that|it|he|she|they|what|when|where|how|why|who|if|to|an?|these|those|all|me|time|song|"
    r"movie|"
    r"guy|girl|day|night)\b)[A-Za-z][\w'-]*(?: [\w'-]+){0,3}? (?:is|are|was|were|has|have|likes?|loves?|hates?|lives?|"
    r"works?|can't|cannot|doesn't|don't|isn't|aren't|prefers?|needs?|wants?)\b"
)
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
