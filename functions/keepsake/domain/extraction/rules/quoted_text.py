"""The author's own words in a message: what is quoted, pasted, code, a script or a part in a play is blanked out."""

from __future__ import annotations

import re
from collections.abc import Callable

BLANK = "\ufffc"
"""Stands in for every character that is not the author speaking for themselves."""

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(code|pre|script|style)\b.*?(?:</\1>|\Z)", re.S | re.I)
_HTML = re.compile(r"<[^<>\n]{1,200}>")
_PASTED_LINE = re.compile(
    r"^[ \t]*+(?:>|\||(?:(?<=    )|(?<=\t))\S|[{}<#@/\\]|\d+[.)]\s*question\b|question \d|(?:import|from|def|"
    r"class|const|let|"
    r"var|int|"
    r"return|public|private|#include|SELECT|INSERT)\b.*[;(){}=:]\s*$|.*(?:\);|\{|\};?|=>|</)\s*$|.*\b\d+ points?\b).*$",
    re.M,
)
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
_SPEAKS = re.compile(r"\b(?:i|i'm|im|i've|my|me|we|our|you|your|he|she)\b", re.I)
_TITLE_WORDS = 6

_TASK_VERB = (
    r"(?:summari[sz]e|translate|rewrite|re-?word|rephrase|paraphrase|proof-?read|edit|correct|fix|improve|polish|"
    r"shorten|"
    r"expand|analy[sz]e|review|explain|grade|critique|respond to|reply to|answer|extract|classify|continue|complete|"
    r"make|"
    r"turn|convert|check|spell ?check|simplify|format|parse|label|categori[sz]e|evaluate|rate|identify|find|debug|"
    r"write|"
    r"draft|compose|generate|create|finish|describe|read|change|put|give|use|is|does|what|how|can|could)"
)
_TASK_FOLLOWS = re.compile(
    rf"(?:^|[.!?\n,][ \t]{{0,8}}|\b(?:please|you|to|help me|and|me) )(?:{_TASK_VERB})\b[^\n.!?]{{0,160}}"
    r"(?:\b(?:sentence|text|paragraph|essay|email|letter|passage|article|story|poem|lyrics|code|message|grammar|"
    r"grammatically|"
    r"following|below|tweet|caption|abstract|transcript|review|speech|bio|resume|dialogue|conversation|prompt|question|"
    r"spanish|french|german|italian|japanese|chinese|english|portuguese|russian|korean|arabic|hindi|latin|dutch)\b"
    r"[^\n.!?:]{0,60}:|\bthe following\b[^\n]{0,80}(?:[:.\n]|$)|\bthis\b[^\n.!?:]{0,40}:)",
    re.I,
)
_TASK_ON_ALL = re.compile(
    r"\b(?:the )?(?:text|email|letter|essay|paragraph|message|story|post|draft|article|passage|quote|code|poem|"
    r"conversation) "
    r"above\b|\bthe above (?:text|email|letter|essay|paragraph|message|story|post|article|passage|code|poem)\b"
    r"|\b(?:proof-?read|rewrite|rephrase|paraphrase|translate|edit|correct|summari[sz]e|polish) (?:this|it|the "
    r"above|that)\b"
    r"|\bwrite (?:me )?(?:a|an|my|the) (?:[\w-]+ ){0,4}(?:in (?:the )?first person|from the (?:perspective|point of "
    r"view))",
    re.I,
)
_PLAY = re.compile(
    r"\b(?:pretend|imagin(?:e|ing)|role[- ]?play(?:ing)? (?:as|with|where|that|a|an|scenario|game)|(?:let's|let us|"
    r"lets|we|to|a) role[- ]?play|let's (?:play|pretend|say)|lets (?:play|pretend|say)|act as|"
    r"act like|suppose|supposing|hypothetical(?:ly)?|in (?:this|the|my|a) (?:story|scenario|game|novel|roleplay|"
    r"script|play|"
    r"campaign|book|universe|movie)|in character|my character|the (?:narrator|protagonist)|once upon a time|"
    r"you are (?:now )?(?:an? |the |my )(?!lifesaver|genius|star|legend|angel|great|good|amazing|doll|gem|saint)|"
    r"you're (?:now )?(?:an? )(?!lifesaver|genius|star|legend|angel|great|good|amazing|doll|gem|saint)|"
    r"say it as|speak as|talk like|as if (?:i|you) (?:were|was)|"
    r"(?:write|tell|compose|create|generate|draft|finish|continue|make up) (?:me |us )?(?:an? |the |my |some |this )?"
    r"(?:[\w-]+ ){0,4}(?:story|poem|song|rap|script|dialogue|monologue|novel|haiku|limerick|scene|fanfic\w*|screenplay|"
    r"chapter|lyrics|diary|speech|letter|email|tweet|bio|essay|cover letter|review|toast|blog ?post))\b",
    re.I,
)
_LABELLED = re.compile(
    r"^[^\w\n]{0,8}(?:(?:lyrics|song|poem|verse|draft|e-?mail|letter|essay|transcript|script|ad|advert(?:isement)?|"
    r"listing|"
    r"bio|biography|template|caption|tweet|quote|passage|excerpt|abstract|cover letter|resume|cv|summary|article|"
    r"chapter|"
    r"dialog(?:ue)?|example|sample|input|output|prompt|diary|journal entry|original|translation|review|testimonial|"
    r"headline|blurb|subject)\b(?: \w+){0,3}|(?:here(?:'s| is| are)|this is|below is) (?:what (?:you|he|she|they|"
    r"the)|an? "
    r"|the |my |our |your )(?!thing\b|deal\b|situation|context|background|update|(?:little|bit)\b|problem|issue|"
    r"story so|"
    r"plan\b|truth|catch)[^\n:.!?]{0,60}):(?=\s)",
    re.M | re.I,
)
_EDITED = re.compile(
    r"(?:^|[.!?\n,][ \t]{0,8}|\b(?:please|you|to|help me|and|me) )(?:(?:summari[sz]e|translate|rewrite|re-?word|"
    r"rephrase|"
    r"paraphrase|proof-?read|edit|correct|polish|shorten|simplify|spell ?check|critique|grade|review|improve|fix)\b"
    r"[^\n.!?:]{0,60}(?::|\bbelow\b[^\n.!?:]{0,40}[.:!\n])|(?:it|this|the \w+|she|he) (?:says|reads|said|states)\b"
    r"[^\n.!?:]{0,40}:)",
    re.I,
)
_HEADING = re.compile(r"^#{1,6} \S", re.M)
_MAIL_HEADER = re.compile(r"^(?:from|to|cc|date|sent|subject): ", re.M | re.I)
_ACTED = re.compile(r"\*(?:[a-z]+s|[a-z]+ing) [^*\n]{2,80}\*(?!\*)|\b(?:new|next) scene\b|\byour turn\b", re.I)
_STAGE = re.compile(r"\*[^*\n]{2,80}\*(?!\*)")
_FORWARDED = re.compile(
    r"^(?:-{1,100} ?(?:forwarded|original) message|begin forwarded|from: .{1,200}@|on .{5,60} wrote:)",
    re.M | re.S | re.I,
)


def own_words(text: str) -> str:
    """The text at its own length, with all that is not the author's own statement blanked out."""
    text = _blank(_FENCE, text)
    text = _blank_after(_FORWARDED, text, lambda match: match.start())
    if _TASK_ON_ALL.search(text) or _ACTED.search(text):
        return BLANK * len(text)
    text = _blank_headed(text)
    for introduced in (_LABELLED, _EDITED):
        text = _blank_after(introduced, text, lambda match: match.end())
    text = _blank_after(_TASK_FOLLOWS, text, lambda match: match.end())
    text = _blank_after(_PLAY, text, lambda match: _sentence_start(text, match.start()))
    for pattern in (_PASTED_LINE, _HTML, _OPEN_QUOTE, _INLINE_CODE):
        text = _blank(pattern, text)
    text = _blank_speakers(text)
    text = _STAGE.sub(lambda match: BLANK * len(match[0]) if " " in match[0] else match[0], text)
    for pattern in (_QUOTED, _SINGLE_QUOTED):
        text = pattern.sub(_quotation, text)
    return text


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: re.sub(r"[^\n]", BLANK, match[0]), text)


def _blank_after(pattern: re.Pattern[str], text: str, start: Callable[[re.Match[str]], int]) -> str:
    match = pattern.search(text)
    if match is None:
        return text
    return _blank_from(text, start(match))


def _blank_headed(text: str) -> str:
    """Nothing from a heading on, or from the first of the lines that head a mail, is the author's own statement."""
    starts = [match.start() for match in (_HEADING.search(text),) if match]
    headers = [match.start() for match in _MAIL_HEADER.finditer(text)]
    if len(headers) > 1 and "\n" in text[headers[1] :]:
        starts.append(headers[0])
    return text if not starts else _blank_from(text, min(starts))


def _blank_from(text: str, begin: int) -> str:
    return text[:begin] + re.sub(r"[^\n]", BLANK, text[begin:])


def _sentence_start(text: str, position: int) -> int:
    return max(text.rfind(mark, 0, position) for mark in ".!?\n") + 1


def _blank_speakers(text: str) -> str:
    """A transcript has at least two lines that name who speaks; one such line is a heading."""
    return _blank(_SPEAKER, text) if len(_SPEAKER.findall(text)) > 1 else text


def _quotation(match: re.Match[str]) -> str:
    """A short title or name stays, without its marks; whatever speaks is somebody else's, or an example."""
    inner = match[0][1:-1]
    if not inner.strip():
        return "\n" * len(match[0])
    if len(inner.split()) <= _TITLE_WORDS and not _SPEAKS.search(inner) and "\n" not in inner:
        return f" {inner} "
    return re.sub(r"[^\n]", BLANK, match[0])
