"""Masks the text of a message that is not the author's own: quotations, pasted text, code, scripts and role play."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.word_groups import JOBS, ROLES

_WORDS = load_alternations("quoted_text")

MASK = "\ufffc"
"""Replaces every character of text that is not the author's own statement."""

_FENCE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(code|pre|script|style|memory|memories|context)\b.*?(?:</\1>|\Z)", re.S | re.I
)
_HTML = re.compile(r"<[^<>\n]{1,200}>")
_PASTED_LINE = re.compile(rf"^[ \t]*+{_WORDS['pasted_lines']}.*$", re.M)
_SPEAKER = re.compile(
    r"^[ \t]*(?!(?:ps|p\.s\.|note|update|edit|btw|fyi|me|about me|context|background|also|correction|reminder)\b)"
    r"[*_]*[A-Za-z][\w .'-]{0,24}[*_]*(?: \(\w[^)\n]{0,30}\))?:[ \t]+\S.*$",
    re.M | re.I,
)
_QUOTED = re.compile(r"[\"\u201c\u00ab\u201e][^\"\u201c\u201d\u00ab\u00bb\u201e]{1,2000}[\"\u201d\u00bb\u201c]")
_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")
_SINGLE_QUOTED = re.compile(
    r"(?<![\w])'(?=\S)(?!(?:m|ve|ll|d|re|s|til|cause|em|bout|\d)\b)[^'\n]{1,400}(?:'\w[^'\n]{0,200}){0,8}'(?!\w)"
)
_OPEN_QUOTE = re.compile(r"(?:\b(?:said|says|told me|wrote|goes|went|like),? )[\"\u201c][^\n]*", re.I)
_PRONOUN = re.compile(r"\b(?:i|i'm|im|i've|my|me|we|our|you|your|he|she)\b", re.I)
_TITLE_WORDS = 6

_BEFORE_TASK = r"(?:^|[.!?\n,][ \t]{0,8}|\b(?:please|you|to|help me|and|me) )"
_TASK_FOLLOWS = re.compile(
    rf"{_BEFORE_TASK}{_WORDS['task_verbs']}\b[^\n.!?]{{0,160}}(?:\b{_WORDS['task_objects']}\b[^\n.!?:]{{0,60}}:|"
    rf"\bthe following\b[^\n]{{0,80}}(?:[:.\n]|$)|\bthis\b[^\n.!?:]{{0,40}}:)",
    re.I,
)
_TASK_ON_ALL = re.compile(_WORDS["tasks_on_text_above"], re.I)
_ROLE_PLAY = re.compile(rf"\b{_WORDS['role_play']}\b", re.I)
_DOCUMENT_REQUEST = re.compile(
    rf"\b(?:write|compose|create|generate|draft|finish)(?: me| us)?(?: (?:an?|the|my|some|this))?"
    rf"(?: [\w-]{{1,20}}){{0,4}} {_WORDS['documents']}\b",
    re.I,
)
_LABELLED = re.compile(
    rf"^[^\w\n]{{0,8}}(?:{_WORDS['labels']}\b(?: \w+){{0,3}}|(?:here(?:'s| is| are)|this is|"
    rf"below is) {_WORDS['label_determiners']}(?!{_WORDS['not_a_label']})[^\n:.!?]{{0,60}}):(?=\s)",
    re.M | re.I,
)
_EDITED = re.compile(
    rf"{_BEFORE_TASK}(?:{_WORDS['editing_verbs']}\b[^\n.!?:]{{0,60}}(?::|\bbelow\b[^\n.!?:]{{0,40}}[.:!\n])|(?:it|"
    rf"this|the \w+|she|he) (?:says|reads|said|states)\b[^\n.!?:]{{0,40}}:)",
    re.I,
)
_WORDS_OF_OTHERS = re.compile(
    rf"(?:^|(?<=[.!?\n]))[^\S\n]*(?!{_WORDS['own_words']})(?:{_WORDS['introductions']})[^\n:,–—-]{{0,40}}(?:[:,]|\s[–—-])(?=\s)",
    re.I,
)
_NAMED_SPEAKER = re.compile(r"\A\s*(?P<name>[A-Z][a-zà-ÿ'-]+)(?: [A-Z][a-zà-ÿ'-]+)?: (?=(?:I|I'm|I've|My|We|Our)\b)")
_IMPUTED = re.compile(rf"\b{_WORDS['imputed']}\b[^\n]*", re.I)
_ADDRESSED = re.compile(
    rf"(?:{_WORDS['greetings']}[ ,]{{1,3}}(?P<who>(?!{_WORDS['own_words']})[a-z'-]+(?: [a-z'-]+)?)|"
    rf"\A\s*(?:{_WORDS['short_answers']}[ ,]{{1,3}})?(?P<title>{_WORDS['titles']}))(?=[,!])",
    re.I,
)
_BY_ROLE = re.compile(
    r"(?:^|(?<=[.!?\n]))[^\S\n]{0,8}(?P<role>[A-Z][a-z]{1,20}) [A-Z][\w'-]{1,30}(?: [A-Z][\w'-]{1,30}){0,2}(?=[ ,])"
    r"[^.!?\n]*+",
    re.M,
)
_NAMES_AUTHOR = re.compile(r"\b(?:[Mm]y|[Oo]ur|me|us|I)\b")
_ROLES = re.compile(_WORDS["roles"])
_HEADING = re.compile(r"^#{1,6} \S", re.M)
_MAIL_HEADER = re.compile(r"^(?:from|to|cc|date|sent|subject): ", re.M | re.I)
_ROLE_PLAY_ACTION = re.compile(
    r"\*(?:[a-z]+s|[a-z]+ing) [^*\n]{2,80}\*(?!\*)|\b(?:new|next) scene\b|\byour turn\b", re.I
)
_STAGE_DIRECTION = re.compile(r"\*[^*\n]{2,80}\*(?!\*)")
_FORWARDED = re.compile(
    r"^(?:-{1,100} ?(?:forwarded|original) message|begin forwarded|from: .{1,200}@|on .{5,60} wrote:)",
    re.M | re.S | re.I,
)


_OUTER_QUOTES = re.compile(
    r"\s*+[\"\u201c\u00ab\u201e](?P<inner>[^\"\u201c\u201d\u00ab\u00bb\u201e`]++)[\"\u201d\u00bb\u201c]\s*+"
)


def _without_outer_quotes(text: str) -> str:
    """The text, of the same length, without quotation marks around all of it: who types so quotes nobody."""
    match = _OUTER_QUOTES.fullmatch(text)
    if match is None:
        return text
    return f"{' ' * match.start('inner')}{match['inner']}{' ' * (len(text) - match.end('inner'))}"


@lru_cache(maxsize=8)  # a message without a statement is read in other languages, and asked for a reason
def mask_quoted_text(text: str) -> str:
    """The text, of the same length, with everything masked that is not the author's own statement."""
    text = _without_outer_quotes(text)
    text = _mask(_FENCE, text)
    text = _ADDRESSED.sub(_without_address, text)
    text = _mask_after(_FORWARDED, text, lambda match: match.start())
    if _TASK_ON_ALL.search(text) or _ROLE_PLAY_ACTION.search(text):
        return MASK * len(text)
    text = _mask_after_headings(text)
    for introduced in (_LABELLED, _EDITED):
        text = _mask_after(introduced, text, lambda match: match.end())
    text = _mask_after(_WORDS_OF_OTHERS, text, lambda match: match.start())
    text = _BY_ROLE.sub(_mask_other, text)
    if (speaker := _NAMED_SPEAKER.match(text)) and not any(
        known_lemmas(speaker["name"].lower(), part) for part in ("NOUN", "VERB", "ADJ", "ADV")
    ):
        text = _mask_from(text, speaker.end())
    text = _mask(_IMPUTED, text)
    text = _mask_after(_TASK_FOLLOWS, text, lambda match: match.end())
    text = _mask_after(_ROLE_PLAY, text, lambda match: _sentence_start(text, match.start()))
    text = _mask_after(_DOCUMENT_REQUEST, text, lambda match: match.start())
    for pattern in (_PASTED_LINE, _HTML, _OPEN_QUOTE, _INLINE_CODE):
        text = _mask(pattern, text)
    text = _mask_transcript(text)
    text = _STAGE_DIRECTION.sub(lambda match: MASK * len(match[0]) if " " in match[0] else match[0], text)
    for pattern in (_QUOTED, _SINGLE_QUOTED):
        text = pattern.sub(_mask_quotation, text)
    return text


def _without_address(match: re.Match[str]) -> str:
    """A greeting without whom it is for, of the same length ("Hi chef, …" says nothing of its author)."""
    name = "title" if match["title"] else "who"
    return match[0][: match.start(name) - match.start()] + " " * len(match[name])


def _mask_other(match: re.Match[str]) -> str:
    """A sentence that begins with a role and a name, masked: it is about its bearer ("Patient Jon Meyer, 54, …")."""
    role = match["role"].lower()
    is_role = role in JOBS or role in ROLES or _ROLES.fullmatch(role)
    return MASK * len(match[0]) if is_role and not _NAMES_AUTHOR.search(match[0]) else match[0]


def _mask(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: re.sub(r"[^\n]", MASK, match[0]), text)


def _mask_after(pattern: re.Pattern[str], text: str, start: Callable[[re.Match[str]], int]) -> str:
    match = pattern.search(text)
    if match is None:
        return text
    return _mask_from(text, start(match))


def _mask_after_headings(text: str) -> str:
    """The text, masked from the first heading or mail header on."""
    starts = [match.start() for match in (_HEADING.search(text),) if match]
    headers = [match.start() for match in _MAIL_HEADER.finditer(text)]
    if len(headers) > 1 and "\n" in text[headers[1] :]:
        starts.append(headers[0])
    return text if not starts else _mask_from(text, min(starts))


def _mask_from(text: str, begin: int) -> str:
    return text[:begin] + re.sub(r"[^\n]", MASK, text[begin:])


def _sentence_start(text: str, position: int) -> int:
    return max(text.rfind(mark, 0, position) for mark in ".!?\n") + 1


def _mask_transcript(text: str) -> str:
    """The text with the lines of a transcript masked: at least two lines that name a speaker."""
    return _mask(_SPEAKER, text) if len(_SPEAKER.findall(text)) > 1 else text


def _mask_quotation(match: re.Match[str]) -> str:
    """A short title or name stays, without quotation marks; what has a pronoun or begins a question is masked."""
    inner = match[0][1:-1]
    if not inner.strip():
        return "\n" * len(match[0])
    begins_question = match.start() == 0 and match.string[match.end() :].lstrip()[:1] in (":", "?")
    if not begins_question and len(inner.split()) <= _TITLE_WORDS and not _PRONOUN.search(inner) and "\n" not in inner:
        return f" {inner} "
    return re.sub(r"[^\n]", MASK, match[0])
