"""The text as a reader sees it, where a writer hides words: its letters, and its forms, sentences and clauses."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.text import TITLES, normalize_apostrophes, strip_invisible

UNSPACED_LETTER = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter of a script that writes no spaces between words, or few."""
_MIN_UNSPACED = 4
"""Letters of such a script that may be several words."""

_SPACED_LETTERS = re.compile(r"(?<!\w)(?:\w\s{1,3}){5,200}\w(?!\w)|(?<!\w)(?:\w[-._*]){2,60}\w(?!\w)")
"""Letters with blanks between them ("i g n o r e"), or with other separators ("i-g-n-o-r-e")."""
_NO_SEPARATORS = str.maketrans("", "", " \t\n-._*")
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_LETTER = re.compile(r"(?<=[a-z])[013457@$](?=\w?[a-z])|(?<!\w)[013457@$](?=[a-z]{3})", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|[\n。！？]")
_JOINING = r"(?:and|but|or|so|because|while|though|although|that|since)"
_CLAUSE_BORDER = re.compile(rf"(?:,\s|[:(]\s?|\s[-–—]\s)(?:{_JOINING}\s)?|\s{_JOINING}\s")
_MIN_CLAUSE_WORDS = 3


def _letters_by_lookalike() -> dict[int, str]:
    lookalikes = load_pairs("homoglyphs", __package__).items()
    table = {ord(one): letter for letter, similar in lookalikes for one in similar}
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base.isascii() and code not in table:
            table[code] = base
    return table


_LETTERS_BY_LOOKALIKE = _letters_by_lookalike()
_LOOKALIKES = frozenset(map(chr, _LETTERS_BY_LOOKALIKE))


def fold_homoglyphs(text: str) -> str:
    """The text with each lookalike as the letter it looks like; its length does not change."""
    return text if text.isascii() or _LOOKALIKES.isdisjoint(text) else text.translate(_LETTERS_BY_LOOKALIKE)


def is_unspaced(text: str) -> bool:
    """Whether a text may be several words in a script that writes no spaces between them."""
    return len(UNSPACED_LETTER.findall(text)) >= _MIN_UNSPACED


@lru_cache(maxsize=32)  # a screening reads the same few texts several times
def readable_forms(text: str) -> tuple[str, ...]:
    """The text as it is seen, in lower case; and with lookalikes, separated letters and digits as letters."""
    visible = normalize_apostrophes(strip_invisible(text)).lower()
    folded = fold_homoglyphs(visible)
    joined = _SPACED_LETTERS.sub(_join_letters, folded)
    spelled = _LEET_LETTER.sub(lambda digit: digit[0].translate(_LEET), folded)
    return tuple(dict.fromkeys((visible, folded, joined, spelled)))


def _join_letters(letters: re.Match[str]) -> str:
    """The words of letters with blanks or other marks between them; wider gaps part the words."""
    return " ".join(word.translate(_NO_SEPARATORS) for word in letters[0].split("  "))


@lru_cache(maxsize=32)
def read_sentences(text: str) -> tuple[str, ...]:
    """The sentences of each readable form of a text, each once. A title ("dr.") is none."""
    sentences = (sentence for form in readable_forms(text) for sentence in _SENTENCE_END.split(form))
    return tuple(dict.fromkeys(one for one in sentences if one.strip() and one.strip(" .") not in TITLES))


def read_clauses(sentence: str) -> list[str]:
    """Each clause of a sentence that has several, each two that stand together, and all from each border on.

    None has fewer than three words.
    """
    borders = list(_CLAUSE_BORDER.finditer(sentence))
    if not borders:
        return []
    starts = [0, *(border.end() for border in borders)]
    ends = [*(border.start() for border in borders), len(sentence)]
    spans = [*zip(starts, ends, strict=True)]
    if len(borders) > 1:
        spans += zip(starts, ends[1:], strict=False)
    spans += ((start, len(sentence)) for start in starts[1:-2])
    parts = (sentence[start:end] for start, end in spans)
    return [part for part in parts if len(part.split()) >= _MIN_CLAUSE_WORDS]
