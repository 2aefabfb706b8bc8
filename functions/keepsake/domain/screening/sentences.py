"""Cuts a text into sentences and clauses, as the classifiers of claims read them: also where a writer hides words."""

from __future__ import annotations

import re

from keepsake.domain.screening.homoglyphs import fold_homoglyphs
from keepsake.domain.text import TITLES, normalize_apostrophes, shorten_runs, strip_invisible

SPACED_LETTERS = re.compile(r"(?<!\w)(?:\w\s{1,3}){5,200}\w(?!\w)")
"""Letters with blanks between them ("i g n o r e")."""

_SEPARATED = re.compile(r"(?<!\w)(?:\w[-._*]){2,60}\w(?!\w)")
"""Letters with separators between them ("i-g-n-o-r-e")."""

_GAP = re.compile(r"\s{2,}")
_NO_SEPARATORS = str.maketrans("", "", "-._*")
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"(?<=[a-z])[013457@$](?=\w?[a-z])", re.IGNORECASE)
_LEET_START = re.compile(r"(?<!\w)[013457@$](?=[a-z]{3})", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|[\n。！？]")
_JOINING = r"(?:and|but|or|so|because|while|though|although|that|since)"
_CLAUSE_BORDER = re.compile(rf"(?:,\s|[:(]\s?|\s[-–—]\s)(?:{_JOINING}\s)?|\s{_JOINING}\s")
_MIN_CLAUSE_WORDS = 3


def visible_form(text: str) -> str:
    """The text as a reader sees it, in lower case and without long repetitions."""
    return shorten_runs(normalize_apostrophes(strip_invisible(text)).lower())


def readable_forms(text: str) -> list[str]:
    """The visible form of a text, and with lookalikes, separated letters and digits as the letters they stand for."""
    visible = visible_form(text)
    folded = fold_homoglyphs(visible)
    joined = SPACED_LETTERS.sub(_without_blanks, _SEPARATED.sub(lambda word: word[0].translate(_NO_SEPARATORS), folded))
    spelled = _LEET_START.sub(_as_letter, _LEET_WORD.sub(_as_letter, folded))
    return list(dict.fromkeys((visible, folded, joined, spelled)))


def read_sentences(text: str) -> list[str]:
    """The sentences of each readable form of a text, each once. A title ("dr.") is none."""
    sentences = (sentence for form in readable_forms(text) for sentence in _SENTENCE_END.split(form))
    return list(dict.fromkeys(one for one in sentences if one.strip() and one.strip(" .") not in TITLES))


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


def _without_blanks(letters: re.Match[str]) -> str:
    """The words of letters with blanks between them; wider gaps part the words."""
    return " ".join("".join(word.split()) for word in _GAP.split(letters[0]))


def _as_letter(digit: re.Match[str]) -> str:
    return digit[0].translate(_LEET)
