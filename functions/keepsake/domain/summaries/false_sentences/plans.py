"""What a sentence of a summary tells as done, where its texts have no more than a wish, an offer or a plan of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from keepsake.domain.english.lemmas import known_lemmas, known_tags
from keepsake.domain.summaries.false_sentences.clauses import content, find_nearest, split_clauses
from keepsake.domain.text import stem, word_set, words

_AHEAD = re.compile(
    r"\b(?:will|would|wants?|wanted|plans?|planned|planning|hop(?:es?|ed|ing)|might|may|if|should|could|can|must"
    r"|going to|gonna|thinking (?:about|of)|offer(?:s|ed|ing)?|asked|asks|begging|need(?:s|ed)?|has to|have to|had to"
    r"|agreed|about to|supposed|meant|next)\b|'ll\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"n't\b|\b(?:not|no|never|cannot)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|where) .*")
_SAID_OF_PLANS = word_set(
    "be have do want need plan hope think feel know believe say tell ask figure expect wish like love mean intend"
    " decide agree call offer promise consider discuss talk mention suggest invite can will may tire bear"
    " let allow clear try"
)
"""Verbs whose past says no more of a plan than that there is one."""


def find_unfinished(sentence: str, texts: Sequence[str], all_texts: Sequence[str], names: frozenset[str]) -> str | None:
    """A verb in the past of a part whose nearest clauses all look ahead, and that no text tells of the same as past."""
    clauses, every = ([clause for text in own for clause in split_clauses(text)] for own in (texts, all_texts))
    past = [(content(clause), _done(clause)) for clause in every if not _is_open(clause)]
    for part in split_clauses(sentence):
        done = _done(_RELATIVE.sub("", part))
        if not done or _is_open(part):
            continue
        said = content(part)
        if any(set(done.values()) & set(verbs.values()) and len(said & known) > 1 for known, verbs in past):
            continue
        near = find_nearest(part, clauses, names)
        if near and all(_leaves_open(clause, done.values()) for clause in near):
            return next(iter(done))
    return None


def _leaves_open(clause: str, verbs: Collection[str]) -> bool:
    """Whether a clause only plans, or denies with the same verb, what a part says."""
    is_denied = _DENIED.search(clause) and content(clause) & set(map(stem, verbs))
    return bool(_AHEAD.search(clause) or is_denied) and not _done(clause)


def _is_open(text: str) -> bool:
    return bool(_AHEAD.search(text) or _DENIED.search(text))


@lru_cache(maxsize=1024)  # the sentences of a reply are checked one by one against the same texts
def _done(text: str) -> Mapping[str, str]:
    """The verbs of a text that can only be past, each with its base form, but for those that tell of plans."""
    found: dict[str, str] = {}
    for word in words(text):
        lemmas = known_lemmas(word, "VERB")
        tags = {tag for lemma in lemmas for tag in known_tags(word, lemma)}
        if tags & {"VBD", "VBN"} and not tags & {"VB", "VBP"} and not _SAID_OF_PLANS & set(lemmas):
            found[word] = lemmas[0]
    return found
