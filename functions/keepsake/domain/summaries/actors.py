"""Who did what: finds a part of a sentence that says of one person what its text says of another.

The subject of the part is compared with that of the clause that shares most of its other words. Where one of the two is
a pronoun or a thing, nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas, known_tags
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.text import normalize_apostrophes, stem, words

_PART = re.compile(
    r"(?<=[.!?;:])\s+|;|,? (?:and|but|while|whereas|because|since|so) (?=(?:he|she|they|his|her)\b|[A-Z])|, (?=[A-Z])"
)
_CLAUSE = re.compile(
    r"(?<=[.!?;:])\s+|[;\n]|, (?=(?:(?:and|but|so) )?(?:[A-Z]|(?:he|she|they|i|we)\b))|,? (?:but|because) "
)
_LEAD = re.compile(
    r"(?:On|In|By|At|After|Before|Since|From|Then|So|And|But|Now|Well)\b[^,]{0,30}, |(?:So|And|But|Then|Now|Well|Also) "
)
_SELF = re.compile(r"(?:i|we)(?:'\w+)?$", re.IGNORECASE)
_TITLE = re.compile(r"(?:Mrs?|Ms|Dra?|Prof|Sr|Sra|Don|Dona)\.? ")
_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'-]+")
_TOKEN = re.compile(r"[^\W\d_][\w'-]*")
_OWNERS = frozenset({"my", "his", "her", "their", "our"})
_FIRST_PERSON = frozenset({"me", "my", "us", "our", "i"})
_PRONOUNS = frozenset({"him", "her", "them", "me", "us", "you", "it", "himself", "herself"})
_MIN_SHARED, _SUBJECT_WORDS = 2, 6
AUTHOR = ""
"""The author of the texts, among the subjects of a clause."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause with its subjects, as far as they are people, and the stems of its other words."""

    text: str
    subjects: frozenset[str]
    stems: frozenset[str]

    def mentions(self, name: str) -> bool:
        """Whether it names somebody anywhere."""
        return name in words(self.text) or (
            name == AUTHOR and bool({"me", "my", "us", "our", "i"} & set(words(self.text)))
        )


def names_other_actor(sentence: str, texts: Iterable[str], person: str, names: Collection[str]) -> bool:
    """Whether a part of the sentence has another subject than the clause it comes from; ``person`` wrote the texts."""
    shown = [
        _clause(part, person.casefold(), names)
        for text in texts
        for part in _CLAUSE.split(normalize_apostrophes(text))
        if part
    ]
    for part in _PART.split(normalize_apostrophes(sentence)):
        said = _part(part, person.casefold(), names)
        if not said.subjects:
            continue
        best = max(shown, key=lambda one: len(one.stems & said.stems), default=None)
        if best is None or not best.subjects or not _says_the_same(best, said):
            continue
        ties = [one for one in shown if len(one.stems & said.stems) == len(best.stems & said.stems)]
        if all(_differs(said, one) for one in ties):
            return True
    return False


def _says_the_same(source: _Clause, said: _Clause) -> bool:
    """Whether a part has most of what a clause says."""
    shared = len(source.stems & said.stems)
    return shared >= _MIN_SHARED or (bool(source.stems) and source.stems <= said.stems)


def _differs(said: _Clause, source: _Clause) -> bool:
    """Whether somebody is the subject of the one and not even named in the other."""
    if not source.subjects:
        return False
    return any(name not in source.subjects and not source.mentions(name) for name in said.subjects)


def _part(text: str, person: str, names: Collection[str]) -> _Clause:
    clause = _clause(text, person, names)
    subjects = frozenset(AUTHOR if name == person else name for name in clause.subjects)
    return _Clause(text, frozenset() if _begins_with_pronoun(text) else subjects, clause.stems)


def _clause(text: str, person: str, names: Collection[str]) -> _Clause:
    rest = _LEAD.sub("", text.strip(), count=1)
    rest = _TITLE.sub("", rest)
    tokens = _TOKEN.findall(rest)[:_SUBJECT_WORDS]
    found: set[str] = set()
    for index, token in enumerate(tokens):
        folded = token.casefold()
        if _SELF.match(token):
            found.add(AUTHOR)
        elif _NAME.fullmatch(token) and folded.removesuffix("'s") in names:
            if folded.endswith("'s"):
                return _Clause(text, frozenset(), _stems(text, names, person))
            found.add(folded)
        elif folded in _OWNERS or folded in {"and", "the", "both"} or kinship_of(folded) is not None:
            continue
        elif not index and _is_verb_form(folded):
            found.add(AUTHOR)
            break
        else:
            break
    return _Clause(text, frozenset(found), _stems(text, names, person))


def _begins_with_pronoun(text: str) -> bool:
    return bool(re.match(r"\s*(?:he|she|they|it|this|that)\b", _LEAD.sub("", text.strip(), count=1), re.IGNORECASE))


def _is_verb_form(word: str) -> bool:
    """Whether a word at the beginning says what the author did: "Called her"."""
    lemmas = known_lemmas(word, "VERB")
    return bool(lemmas) and any(tag in {"VBD", "VBG"} for lemma in lemmas for tag in known_tags(word, lemma))


def _stems(text: str, names: Collection[str], person: str) -> frozenset[str]:
    return frozenset(
        stem(word)
        for word in words(text)
        if word not in STOPWORDS and word not in names and word not in _PRONOUNS and word != person
    )
