"""Cuts a text into sentences and clauses, as the classifiers of claims read them: also where a writer hides words."""

from __future__ import annotations

import re

from keepsake.domain.screening.deobfuscation import readable_forms
from keepsake.domain.text import TITLES, normalize_apostrophes, shorten_runs, strip_invisible

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|[\n。！？]")
_JOINING = r"(?:and|but|or|so|because|while|though|although|that|since)"
_CLAUSE_BORDER = re.compile(rf"(?:,\s|[:(]\s?|\s[-–—]\s)(?:{_JOINING}\s)?|\s{_JOINING}\s")
_MIN_CLAUSE_WORDS = 3


def read_sentences(text: str) -> list[str]:
    """The sentences of each readable form of a text, in lower case, each once: as written, and with hiding undone.

    A title ("dr.") is none.
    """
    visible = shorten_runs(normalize_apostrophes(strip_invisible(text)).lower())
    sentences = (sentence for form in readable_forms(visible) for sentence in _SENTENCE_END.split(form))
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
