"""Masks the text of a message that is not the author's own: quotations, pasted text, code, scripts and role play."""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.grammar.word_forms import is_known_word
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.english.word_groups import JOBS, ROLES
from keepsake.domain.text import word_set, words

_WORDS = load_alternations("quoted_text")

MASK = "\ufffc"
"""Replaces every character of text that is not the author's own statement."""


def _any_of(*patterns: str) -> re.Pattern[str]:
    """One expression of several, which ignores case and knows lines."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.MULTILINE)


_CODE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(code|pre|script|style|memory|memories|context)\b.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_BEFORE_TASK = r"(?:^|[.!?\n,][ \t]{0,8}|\b(?:please|you|to|help me|and|me) )"
_MASKS_ALL = _any_of(
    _WORDS["tasks_on_text_above"],
    r"\*(?:[a-z]+s|[a-z]+ing) [^*\n]{2,80}\*(?!\*)|\b(?:new|next) scene\b|\byour turn\b",  # actions of a part in a play
)
"""What shows that nothing of a message is the author's own."""
_MASKED = _any_of(
    rf"\b{_WORDS['imputed']}\b[^\n?]*",
    rf"^[ \t]*+(?-i:{_WORDS['pasted_lines']}).*$",
    r"<[^<>\n]{1,200}>",  # a tag
    r"\b(?:said|says|told me|wrote|goes|went|like),? [\"\u201c][^\n]*",  # a quotation that may never be closed
    r"`[^`\n]{1,400}`",
    r"\*(?=[^*\n]* )[^*\n]{2,80}\*(?!\*)",  # stage directions
    r"(?:^|(?<=: ))[^\n:/]{1,80} / [^\n/]{1,80} / [^\n]*",  # the lines of a song
)
"""What is masked by itself."""
_INTRODUCTIONS = _any_of(
    rf"^[^\w\n]{{0,8}}(?:{_WORDS['labels']}\b(?: \w+){{0,3}}|(?:here(?:'s| is| are)|this is|"
    rf"below is) {_WORDS['label_determiners']}(?!{_WORDS['not_a_label']})[^\n:.!?]{{0,60}}):(?=\s)",
    rf"{_BEFORE_TASK}(?:{_WORDS['editing_verbs']}\b[^\n.!?:]{{0,60}}(?::|\bbelow\b[^\n.!?:]{{0,40}}[.:!\n])|(?:it|"
    rf"this|the \w+|she|he) (?:says|reads|said|states)\b[^\n.!?:]{{0,40}}:)",
    rf"{_BEFORE_TASK}{_WORDS['task_verbs']}\b[^\n.!?]{{0,160}}(?:\b{_WORDS['task_objects']}\b[^\n.!?:]{{0,60}}:|"
    rf"\bthe following\b[^\n]{{0,80}}(?:[:.\n]|$)|\bthis\b[^\n.!?:]{{0,40}}:)",
    rf"{_BEFORE_TASK}{_WORDS['task_verbs']} th(?:is|ese) {_WORDS['task_objects']}\b[^\n]{{0,80}}\n\n",
)
"""After these everything is masked."""
_MAIL_HEADER = r"(?:from|to|cc|date|sent|subject): "
_BEGINNINGS = _any_of(
    r"^(?s:-{1,100} ?(?:forwarded|original) message|begin forwarded|from: .{1,200}@|on .{5,60} wrote:)",
    r"^#{1,6} \S",  # a heading
    rf"^{_MAIL_HEADER}(?=(?s:.{{0,500}}?)^{_MAIL_HEADER}[^\n]{{0,500}}\n)",  # one of several
    rf"(?:^|(?<=[.!?]))[^\S\n]*(?!{_WORDS['own_words']})(?:{_WORDS['introductions']})[^\n:,–—-]{{0,40}}"
    r"(?:[:,]|\s[–—-])(?=\s)",
    rf"(?:^|(?<=[.!?]))[^.!?\n]*?\b{_WORDS['role_play']}\b",
    rf"\b(?:write|compose|create|generate|draft|finish)(?: me| us)?(?: (?:an?|the|my|some|this))?"
    rf"(?: [\w-]{{1,20}}){{0,4}} {_WORDS['documents']}\b",
)
"""From these on everything is masked."""
_ADDRESSED = re.compile(
    rf"(?:{_WORDS['greetings']}[ ,]{{1,3}}(?P<who>(?!{_WORDS['own_words']})[a-z'-]+(?: [a-z'-]+)?)|"
    rf"\A\s*(?:{_WORDS['short_answers']}[ ,]{{1,3}})?(?P<title>{_WORDS['titles']}))(?=[,!])",
    re.IGNORECASE,
)
_BY_ROLE = re.compile(
    r"(?:^|(?<=[.!?]))[^\S\n]{0,8}(?P<role>[A-Z][a-z]{1,20}) [A-Z][\w'-]{1,30}(?: [A-Z][\w'-]{1,30}){0,2}(?=[ ,])"
    r"(?![^.!?\n]*\b(?:[Mm]y|[Oo]ur|me|us|I)\b)[^.!?\n]*+",
    re.MULTILINE,
)
_SALUTATION = re.compile(rf"^[ \t]*dear (?!{_WORDS['readers']}\b)[^\n,:!.?]{{1,40}}[,:!]", re.IGNORECASE | re.MULTILINE)
_CLOSING = re.compile(
    rf"(?:^|[.!?])[ \t]*{_WORDS['closings']},\s{{1,3}}(?-i:[A-Z])[\w .'-]{{0,30}}$", re.IGNORECASE | re.MULTILINE
)
_OWN_LABELS = r"(?:ps|p\.s\.|note|update|edit|btw|fyi|me|about me|context|background|also|correction|reminder)\b"
_TIME = r"[\[(]?(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?,? )?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?[\])]?"
_BEFORE_SPEAKER = rf"(?:(?P<time>{_TIME})(?: [-\u2013\u2014])?[ \t]+|(?!{_OWN_LABELS}))[*_]*"
_BEHIND_SPEAKER = rf"[*_]*(?:,? (?P<time2>{_TIME})| \(\w[^)\n]{{0,30}}\))?:[ \t]+(?=\S)"
_SPEAKER = re.compile(
    rf"^[ \t]*{_BEFORE_SPEAKER}(?P<name>[a-z][\w .'-]{{0,24}}){_BEHIND_SPEAKER}(?P<tells>(?-i:I|My|We|Our)\b)?.*$",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(
    r"[\"\u201c\u00ab\u201e][^\"\u201c\u201d\u00ab\u00bb\u201e]{1,2000}[\"\u201d\u00bb\u201c]|"
    r"(?<!\w)'(?=\S)(?!(?:m|ve|ll|d|re|s|til|cause|em|bout|\d)\b)[^'\n]{1,400}(?:'\w[^'\n]{0,200}){0,8}'(?!\w)"
)
_ROLES = JOBS | ROLES | frozenset(load_sections("quoted_text")["roles"])
_PRONOUNS = word_set("i im my me we our you your he she")
_TITLE_WORDS = 6
_MAX_NAMES = 2


@lru_cache(maxsize=8)  # a message without a statement is read in other languages, and asked for a reason
def mask_quoted_text(text: str) -> str:
    """The text, of the same length, with everything masked that is not the author's own statement."""
    text = _CODE.sub(_mask_match, text)
    if (letter := _SALUTATION.search(text)) and (closing := _CLOSING.search(text, letter.end())):
        text = _mask(text, letter.start(), closing.end())
    text = _ADDRESSED.sub(_without_address, text)
    if _MASKS_ALL.search(text):
        return _mask(text)
    if beginning := _BEGINNINGS.search(text):
        text = _mask(text, beginning.start())
    if introduction := _INTRODUCTIONS.search(text):
        text = _mask(text, introduction.end())
    text = _BY_ROLE.sub(lambda match: _mask(match[0]) if match["role"].lower() in _ROLES else match[0], text)
    text = _MASKED.sub(_mask_match, text)
    speakers = [*_SPEAKER.finditer(text)]
    if speakers and any(map(_is_logged, speakers)):
        text = _mask(text, speakers[0].start(), speakers[-1].end())
    elif speakers and _begins_message(speakers[0]):
        text = _mask(text, speakers[0].start())
    elif len(speakers) > 1:
        text = _SPEAKER.sub(_mask_match, text)
    return _QUOTED.sub(_mask_quotation, text)


def _mask(text: str, start: int = 0, end: int | None = None) -> str:
    """The text masked from one index to another, with its line breaks."""
    masked = "\n".join(MASK * len(line) for line in text[start:end].split("\n"))
    return text[:start] + masked + ("" if end is None else text[end:])


def _mask_match(match: re.Match[str]) -> str:
    return _mask(match[0])


def _without_address(match: re.Match[str]) -> str:
    """A greeting without whom it is for, of the same length ("Hi chef, …" says nothing of its author)."""
    name = "title" if match["title"] else "who"
    return match[0][: match.start(name) - match.start()] + " " * len(match[name])


def _is_logged(line: re.Match[str]) -> bool:
    """Whether a line has the time at which somebody wrote it ("[12:03] Anna: …"); "7:30 Breakfast: …" has none."""
    time = line["time"] or line["time2"]
    return time is not None and (time.startswith("[") or _has_name(line))


def _has_name(line: re.Match[str]) -> bool:
    """Whether what stands before the colon of a line is the name of somebody."""
    first, *others = line["name"].split()
    return line["name"].istitle() and len(others) < _MAX_NAMES and not is_known_word(first.lower())


def _begins_message(line: re.Match[str]) -> bool:
    """Whether a message begins with the name of somebody who tells something ("Anna: I'm vegan")."""
    return _has_name(line) and line["tells"] is not None and not line.string[: line.start()].strip()


def _mask_quotation(match: re.Match[str]) -> str:
    """A short title or name stays, without quotation marks; what has a pronoun or begins a question is masked."""
    inner = match[0][1:-1]
    if not inner.strip():
        return "\n" * len(match[0])
    begins_question = match.start() == 0 and match.string[match.end() :].lstrip()[:1] in (":", "?")
    has_pronoun = not _PRONOUNS.isdisjoint(word.partition("'")[0] for word in words(inner))
    is_title = len(inner.split()) <= _TITLE_WORDS and "\n" not in inner and not has_pronoun
    return f" {inner} " if is_title and not begins_question else _mask(match[0])
