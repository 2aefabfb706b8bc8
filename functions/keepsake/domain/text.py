"""Normalization of text: what it may hold, cleaning, words, stems, slugs and truncation."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, pairwise

from snowballstemmer import stemmer

MAX_SLUG_LENGTH = 80

FORBIDDEN_CHARACTERS = (
    "\u0000-\u0008\u000b-\u001f\u007f-\u009f"  # control characters, but for tab and newline
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional formatting
    "\u2028\u2029"  # line and paragraph separator
    "\ud800-\udfff"  # surrogates
    "\U000e0000-\U000e01ef"  # tags and variation selectors, which carry hidden text
)
"""The forbidden characters as ranges of a pattern; a test compares them with the SQL function ``is_clean_text``."""

_FORBIDDEN_IN_LINE = re.compile(f"[\t\n{FORBIDDEN_CHARACTERS}]")
_VISIBLE_FORM: dict[int, str | None] = {
    code: str(unicodedata.digit(chr(code))) for code in range(0x80, 0x1FC00) if chr(code).isdecimal()
} | dict.fromkeys([0x00AD, 0x034F, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF])
_REPLACED = frozenset(map(chr, _VISIBLE_FORM))
_APOSTROPHES = "\u2019\u2018\u02bc\uff07"

INVISIBLE_CHARACTERS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, joiners, fillers
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"  # zero width space, directions, invisible operators
    "\ufeff\ufff9-\ufffc\ufffe\uffff"  # byte order mark, annotation, placeholder of an object, noncharacters
    "\U000e0000-\U000e01ef"  # tags and variation selectors, which carry hidden text
)
"""What no reader sees, as ranges of a pattern: ``clean_text`` removes it, as does the SQL function of this name."""

JOINED_CHARACTERS = (
    "\u0590-\u1dff\u2190-\u2bff\ufe0f\ufb1d-\ufdff\ufe70-\ufefc\U0001e900-\U0001e95f\U0001f000-\U0001faff"
)
"""Scripts and pictures in which a joiner or a non-joiner between two characters changes what a reader sees."""

_LINE_SEPARATOR = re.compile("\r\n?|[\u2028\u2029]")
_SEPARATOR_WITHIN = re.compile(r"(?<=\w)[\u2028\u2029](?=[a-z\u00df-\u00f6\u00f8-\u00ff])")
"""A separator within a sentence, which goes on in lower case."""
_INVISIBLE = re.compile(f"[{INVISIBLE_CHARACTERS}]+")
_HIDDEN_SPACE = re.compile(f"(?<=[.!?,;:…])[{INVISIBLE_CHARACTERS}]+(?=[^\\W\\d_])")
"""Where nothing but what no reader sees parts two sentences."""
_USELESS_JOINER = re.compile(f"(?<![{JOINED_CHARACTERS}])[\u200c\u200d]|[\u200c\u200d](?![{JOINED_CHARACTERS}])")
MARKS = "".join(
    f"{chr(run[0])}-{chr(run[-1])}"
    for block in (range(0x300, 0x1E00), range(0x302A, 0x309B), range(0xA66F, 0xABEE), range(0xFB1E, 0xFE30))
    for is_mark, run in (
        (is_mark, [*codes]) for is_mark, codes in groupby(block, lambda code: unicodedata.category(chr(code))[0] == "M")
    )
    if is_mark and not 0xFE00 <= run[0] < 0xFE10
)
"""Combining marks, which belong to the word they stand in: vowel signs, tones, points."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_MARKED_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*(?:'[^\W_](?:[^\W_]|[{MARKS}])*)*")
_BETWEEN_WORDS = re.compile(rf"(?:_|[^\w{MARKS}])+")
_STEMMER = stemmer("english")
_MAX_RUN, _MAX_WORD_RUN = 12, 32
_RUN = re.compile(
    rf"(?P<mark>\W)(?P=mark){{{_MAX_RUN},}}|(?P<letter>\w)(?P=letter){{{_MAX_WORD_RUN},}}"
    rf"|(?P<unit>.{{2,8}}?)(?P=unit){{{_MAX_RUN},}}",
    re.DOTALL,
)
"""A long repetition of one or a few characters, which no number, name or word has."""


def word_set(word_list: str) -> frozenset[str]:
    """The words of a list, separated by spaces, as a set."""
    return frozenset(word_list.split())


TITLES = word_set("dr dra mr mrs ms miss maam prof professor st sr sra don dona mme mlle frau herr phd")
"""What stands before a name and is none."""


def has_forbidden_characters(text: str) -> bool:
    """Whether a text of one line contains a forbidden character, a tab or a newline."""
    return _FORBIDDEN_IN_LINE.search(text) is not None


def clean_text(text: str) -> str:
    """The text as it is read and stored: composed (NFC), without what no reader sees, lines parted by newlines.

    Every text comes through here, from wherever it enters: a message, a request, an imported row, a model's reply.
    """
    if text.isascii() and "\r" not in text:
        return text
    lines = _LINE_SEPARATOR.sub("\n", _SEPARATOR_WITHIN.sub(" ", text))
    visible = _USELESS_JOINER.sub("", _INVISIBLE.sub("", _HIDDEN_SPACE.sub(" ", lines)))
    return unicodedata.normalize("NFC", visible)


def normalize_apostrophes(text: str) -> str:
    """The text with every apostrophe as ``'``; its length does not change."""
    for mark in "" if text.isascii() else _APOSTROPHES:
        text = text.replace(mark, "'")
    return text


@lru_cache(maxsize=32)  # each reader of a message shortens the same few texts
def shorten_runs(text: str) -> str:
    """The text with every run of one character, or of a short unit such as ``, ``, cut to a few of them."""
    return text if len(text) <= _MAX_RUN else _RUN.sub(_shortened_run, text)


def find_original(part: str, text: str) -> str | None:
    """The part of a text that equals ``part`` once its repetitions are shortened; None where there is none."""
    if part in text:
        return part
    start = shorten_runs(text).find(part)
    if start < 0:
        return None
    return text[_original_index(text, start) : _original_index(text, start + len(part) - 1) + 1]


def _original_index(text: str, shortened: int) -> int:
    """The index in a text of the character that has this index once repetitions are shortened."""
    cut = 0
    for match in _RUN.finditer(text):
        kept = len(_shortened_run(match))
        if match.start() - cut + kept > shortened:
            break
        cut += len(match[0]) - kept
    return shortened + cut


def _shortened_run(match: re.Match[str]) -> str:
    if match["letter"]:
        return match["letter"] * _MAX_WORD_RUN
    return (match["mark"] or match["unit"]) * _MAX_RUN


def strip_invisible(text: str) -> str:
    """The text as a reader sees it, in form NFKC, without invisible characters and with every digit as 0 to 9.

    For detection, not for storage.
    """
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    return text if _REPLACED.isdisjoint(text) else text.translate(_VISIBLE_FORM)


def in_small_letters(text: str) -> str:
    """The text in small letters; its length does not change."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(one.lower()[0] for one in text)


def words(text: str) -> list[str]:
    """The words of a text in lower case, apostrophes kept inside them."""
    pattern = _WORD if text.isascii() else _MARKED_WORD
    return pattern.findall(normalize_apostrophes(text).casefold())


def normalize_words(text: str) -> str:
    """Lower case, single spaces, no punctuation: the form similarity is measured in."""
    return " ".join(words(text))


@lru_cache(maxsize=2000)  # texts that are compared have most of their words in common
def stem(word: str) -> str:
    """The word's stem (``hiking`` and ``hikes`` are ``hike``)."""
    return str(_STEMMER.stemWord(word))


def slug(text: str) -> str:
    """Lower case, punctuation removed, spaces and hyphens as underscores (``Acme Corp.`` is ``acme_corp``)."""
    normalized = unicodedata.normalize("NFKC", normalize_apostrophes(text)).casefold().replace("'", "")
    joined = _BETWEEN_WORDS.sub("_", normalized).strip("_")
    return joined[:MAX_SLUG_LENGTH].rstrip("_")


def truncate_words(text: str, limit: int) -> str:
    """The text cut at the last whole word within ``limit`` characters."""
    if len(text) <= limit:
        return text
    cut = text[: limit + 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else text[:limit]).rstrip(" ,;:-")


MAX_READ_LENGTH = 32_000
"""Characters of one message that extraction reads."""

_ABBREVIATIONS = ("Mr", "Mrs", "Ms", "Dr", "Dra", "Sr", "Sra", "St", "Prof", "Nr", "nr")
_NO_TITLE = "".join(rf"(?<!\b{one})" for one in _ABBREVIATIONS)
_CLOSING = r"[\"'”’)\]）」』]*+"
_SENTENCE_END = re.compile(
    rf"(?<![.!?…。！？]){_NO_TITLE}[.!?…。！？]++(?:(?<=[。！？]){_CLOSING}|{_CLOSING}(?=\s))|\n"
)
_QUOTE_MARK = re.compile(r"[“”„]")
_ORDINAL = re.compile(r"\b\d{1,2}\.$")
"""In many languages "3. April" is one date: a short number may end no sentence."""


def truncate_at_sentence(text: str, limit: int = MAX_READ_LENGTH) -> tuple[str, bool]:
    """The text up to the last sentence end within ``limit``, and whether something was left out."""
    if len(text) <= limit:
        return text, False
    head = text[: limit + 1]
    ends = [match.end() for match in _SENTENCE_END.finditer(head) if match.end() <= limit]
    return (head[: ends[-1]] if ends else text[:limit]), True


def leading_sentences(text: str, count: int) -> str:
    """The first sentences of a text; one with a quote in “…” ends after the quote does."""
    ends = [end for match in _SENTENCE_END.finditer(text) if not has_open_quote(text[: (end := match.end())])]
    return text[: ends[count - 1]].rstrip() if len(ends) >= count else text


def split_at_sentences(text: str) -> list[str]:
    """The sentences of a text; what follows a short number belongs to the sentence before."""
    found = (match.end() for match in _SENTENCE_END.finditer(text))
    ends = [0, *(end for end in found if not _ORDINAL.search(text, max(end - 4, 0), end)), len(text)]
    return list(filter(None, (text[start:end].strip() for start, end in pairwise(ends))))


def split_outside_quotes(text: str) -> list[str]:
    """The sentences of a text that quotes others in “…” or „…“: one with a quote ends after the quote does."""
    sentences = [""]
    for sentence in split_at_sentences(text):
        if has_open_quote(sentences[-1]):
            sentences[-1] += f" {sentence}"
        else:
            sentences.append(sentence)
    *whole, last = sentences
    return [*filter(None, whole), *(split_at_sentences(last) if has_open_quote(last) else filter(None, (last,)))]


def has_open_quote(text: str) -> bool:
    """Whether a quote begins in a text and does not end in it."""
    opened = ""
    for mark in _QUOTE_MARK.findall(text):
        if not opened:
            opened = mark if mark in "“„" else ""
        elif mark == "”" or opened + mark == "„“":
            opened = ""
    return opened != ""


def hash_texts(texts: Sequence[str]) -> str:
    """A hash by which texts are recognized; the hash of nothing is the empty text."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest() if any(texts) else ""
