"""Who did what: finds a part of a sentence that says of one person what its text says of another.

The subject of the part is compared with that of the clause that shares most of its other words. Where one of the two is
a pronoun or a thing, nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas, verb_tags
from keepsake.domain.evidence.clauses_around import is_calendar_word
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.text import TITLES, normalize_apostrophes, stem, words

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
_NAME = re.compile(r"(?<![\w'-])[A-ZÀ-ÖØ-Þ][\w'-]+")
_PLACE = re.compile(r"\b(?:in|at|near) [A-ZÀ-ÖØ-Þ][\w'-]+")
_TOKEN = re.compile(r"[^\W\d_][\w'-]*")
_TITLE_POINT = re.compile(r"\b(?P<title>Mrs?|Ms|Dra?|Prof|Sra?|St)\. (?=[A-ZÀ-ÖØ-Þ])")
_THIRD_PERSON = frozenset({"he", "she", "they", "his", "her", "him", "their", "them", "hes", "shes"})
_AUXILIARIES = frozenset({"is", "was", "has", "had", "did", "does"})
_PARTICLES = [["in"], ["out"], ["up"], ["with"], ["to"], ["that"], ["him"], ["her"], ["me"], ["us"], ["them"]]
_OWNERS = frozenset({"my", "his", "her", "their", "our"})
_FIRST_PERSON = frozenset({"me", "my", "us", "our", "i"})
_PRONOUNS = frozenset({"him", "her", "them", "me", "us", "you", "it", "himself", "herself"})
_MIN_SHARED, _MIN_SHARED_OF_NOTE, _SUBJECT_WORDS, _NAME_WORDS = 2, 3, 6, 2
AUTHOR = ""
"""The author of the texts, among the subjects of a clause."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause with its subjects, as far as they are people, and the stems of its other words."""

    text: str
    subjects: frozenset[str]
    stems: frozenset[str]
    message: str = ""
    """The text that the clause is of."""

    def mentions(self, name: str) -> bool:
        """Whether it names somebody anywhere, as "Max" in "Max's spring break"."""
        present = {word.partition("'")[0] for word in words(self.text)}
        return name in present or (name == AUTHOR and bool(_FIRST_PERSON & present))


def names_other_actor(sentence: str, texts: Sequence[str], person: str, names: Collection[str]) -> bool:
    """Whether a part of the sentence has another subject than the clause it comes from; ``person`` wrote the texts."""
    shown = [
        replace(_clause(part, person.casefold(), names), message=text)
        for text in texts
        for part in _CLAUSE.split(_without_points(text))
        if part
    ]
    named = _people_in(sentence, names) - set(words(person))
    if any(_is_absent(one, texts, names) for one in named):
        return True
    for part in _parts(sentence):
        said = _part(part, person.casefold(), names)
        if any(_is_absent(one, texts, names) for one in said.subjects & {*names}):
            return True
        if not said.subjects:
            continue
        best = max(shown, key=lambda one: len(one.stems & said.stems), default=None)
        if best is not None and _is_note_without(said, best):
            return True
        if best is None or not best.subjects or not _says_the_same(best, said):
            continue
        ties = [one for one in shown if len(one.stems & said.stems) == len(best.stems & said.stems)]
        if all(_differs(said, one) for one in ties):
            return True
    return False


def _people_in(sentence: str, names: Collection[str]) -> set[str]:
    """The names of a sentence, but for those that are words for things too."""
    written = (word.partition("'")[0] for word in _NAME.findall(_PLACE.sub("", normalize_apostrophes(sentence))))
    found = {word.casefold() for word in written if not word.isupper()}
    return {one for one in found & {*names} - TITLES if not known_lemmas(one, "NOUN") and not _is_of_calendar(one)}


def _is_absent(name: str, texts: Sequence[str], names: Collection[str]) -> bool:
    """Whether no text names somebody, nor means them with a pronoun before any other person."""
    for text in texts:
        said = [word.partition("'")[0] for word in words(text)]
        first = next((word for word in said if word in _THIRD_PERSON or word in names or kinship_of(word)), "")
        if first in _THIRD_PERSON or name in said or f"{name}s" in said:
            return False
    return bool(texts)


def _without_points(text: str) -> str:
    """The text without the points of titles, which end no sentence."""
    return _TITLE_POINT.sub(r"\g<title> ", normalize_apostrophes(text))


def _parts(sentence: str) -> list[str]:
    """The parts of a sentence; names that "and" joins stay together: "Ann and Bo drive"."""
    parts: list[str] = []
    for part in _PART.split(_without_points(sentence)):
        if parts and _are_names(parts[-1].split()):
            parts[-1] = f"{parts[-1]} and {part}"
        else:
            parts.append(part)
    return parts


def _are_names(tokens: Sequence[str]) -> bool:
    """Whether a part is a name and no more."""
    return 0 < len(tokens) <= _NAME_WORDS and all(token[0].isupper() and token[-1].isalpha() for token in tokens)


def _is_note_without(said: _Clause, source: _Clause) -> bool:
    """Whether the text is a note of the author's own ("one wrong note"), and the part says it of somebody it lacks."""
    present = frozenset(part for word in words(source.message) for part in (word, word.partition("'")[0]))
    is_own = not source.subjects and not present & _THIRD_PERSON and not any(map(kinship_of, present))
    is_named = any(name in present for name in said.subjects - {AUTHOR})
    is_same = len(source.stems & said.stems) >= _MIN_SHARED_OF_NOTE
    return is_own and is_same and AUTHOR not in said.subjects and not is_named


def _says_the_same(source: _Clause, said: _Clause) -> bool:
    """Whether a part has most of what a clause says."""
    shared = len(source.stems & said.stems)
    return shared >= _MIN_SHARED or (bool(source.stems) and source.stems <= said.stems)


def _differs(said: _Clause, source: _Clause) -> bool:
    """Whether somebody is the subject of the one and not even named in the other."""
    if not source.subjects:
        return False
    if said.subjects == {AUTHOR} and source.subjects & set(words(said.text)):
        return False  # "Walt has a sore elbow" of "Elbow is sore"
    return any(name not in source.subjects and not source.mentions(name) for name in said.subjects)


def _part(text: str, person: str, names: Collection[str]) -> _Clause:
    clause = _clause(text, person, names)
    return replace(clause, subjects=frozenset()) if _begins_with_pronoun(text) else clause


def _clause(text: str, person: str, names: Collection[str]) -> _Clause:
    rest = _LEAD.sub("", text.strip(), count=1)
    rest = _TITLE.sub("", rest)
    tokens = _TOKEN.findall(rest)[:_SUBJECT_WORDS]
    found: set[str] = set()
    for index, token in enumerate(tokens):
        folded = token.casefold()
        if found and token[0].isupper() and f"{tokens[index - 1]} {token}" in rest and _NAME.match(tokens[index - 1]):
            continue  # a surname
        if _SELF.match(token):
            found.add(AUTHOR)
        elif _NAME.fullmatch(token) and folded.removesuffix("'s") in names and not _is_of_calendar(folded):
            if folded.endswith("'s"):
                return _Clause(text, frozenset(), _stems(text, names, person))
            found.add(folded)
        elif not index and token[0].isupper() and _is_subject(folded, tokens[1:3]):
            found.add(folded)
            break
        elif folded in _OWNERS or folded in {"and", "the", "both"} or kinship_of(folded) is not None:
            continue
        elif not index and _is_verb_form(folded):
            found |= set() if folded.endswith("ing") and _is_noun(tokens[1:2]) else {AUTHOR}
            break
        else:
            break
    subjects = frozenset(AUTHOR if name == person else name for name in found)
    return _Clause(text, subjects, _stems(text, names, person))


def _is_of_calendar(word: str) -> bool:
    """Whether it names a day or a month, of one or of many: "Mondays"."""
    return is_calendar_word(word, "en") or is_calendar_word(word.removesuffix("s"), "en")


def _begins_with_pronoun(text: str) -> bool:
    return bool(re.match(r"\s*(?:he|she|they|it|this|that)\b", _LEAD.sub("", text.strip(), count=1), re.IGNORECASE))


def _is_subject(word: str, following: Sequence[str]) -> bool:
    """Whether the first word is what the clause is about: "Rex" in "Rex is limping"."""
    if (
        not following
        or word.partition("'")[0] in STOPWORDS | _PRONOUNS | _THIRD_PERSON
        or kinship_of(word) is not None
        or _is_verb_form(word)
        or _is_of_calendar(word)
    ):
        return False
    verb = following[0].casefold()
    tags = verb_tags(verb)
    is_verb = not known_lemmas(verb, "NOUN") or following[1:2] in _PARTICLES
    return verb in _AUXILIARIES or (bool(tags & {"VBZ", "VBD"}) and is_verb)


def _is_noun(following: Sequence[str]) -> bool:
    """Whether a noun follows: "washing machine died" says what no person did."""
    return any(known_lemmas(word.casefold(), "NOUN") and kinship_of(word.casefold()) is None for word in following)


def _is_verb_form(word: str) -> bool:
    """Whether a word at the beginning says what the author did: "Called her"."""
    return not verb_tags(word).isdisjoint({"VBD", "VBG"})


def _stems(text: str, names: Collection[str], person: str) -> frozenset[str]:
    return frozenset(
        stem(word)
        for word in words(text)
        if word not in STOPWORDS and word not in names and word not in _PRONOUNS and word != person
    )
