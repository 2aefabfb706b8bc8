"""Evidence: whether the words of a model's statement are the person's own, as far as English goes.

A quote alone proves little: a model cites "I love pizza" for "Lives in Rome". Each word of the statement must occur in
the clauses that are quoted, or be one of a few usual words with a cue there ("lives" where they write "moved to").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_sections, load_words
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.english.similarity import content_words
from keepsake.domain.english.word_groups import AGE, COUNTS, MONTHS, WEEKDAYS
from keepsake.domain.reading.clauses import clauses
from keepsake.domain.text import normalize_apostrophes, shorten_runs, stem, word_set, words

EvidenceError = Literal["not_stated", "no_statement", "invented_words", "negation", "other_subject"]

_FIRST_PERSON = re.compile(r"(?<![\w'])(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|our|us)(?![\w'])", re.IGNORECASE)
_AUTHOR = re.compile(r"(?:i|i'?m|i'?ve|i'?d|i'?ll|me|mine|myself|we|we'?re|we'?ve|ours|us)(?![\w'])", re.IGNORECASE)
_OF_AUTHOR = r"(?:(?:nick)?name|fav\w*|pronouns|birth\w+|age|job|goals?|hobb\w+|home\w*|diet|dream|plans?|allerg\w+)\b"
_OPENING = r"(?:(?:and|but|so|well|because|also|then|yes|yeah|no|ok|okay|actually|honestly|lol)\W{1,3}){0,3}"
_PRONOUNS = "he|she|they|you|it|this|that|these|those|there|everyone|everybody|someone|somebody|people"
_DETERMINER = rf"(?:(?:my|our) (?!{_OF_AUTHOR})|(?:the|an?|his|her|their|your|some|this|that) )"
_OTHER_SUBJECT = re.compile(
    rf"^{_OPENING}(?:(?P<pronoun>{_PRONOUNS})(?:'\w{{1,2}})?\s|{_DETERMINER}(?P<noun>[\w-]+))", re.IGNORECASE
)
_INTRODUCTION = re.compile(
    rf"^{_OPENING}(?:this is|it'?s) (?P<name>[\w'-]+)(?: [\w'-]+)? (?:again|here|speaking|calling|writing)\b",
    re.IGNORECASE,
)
"""How the author says their own name: "this is Greta again"."""
_NAMING = re.compile(r"^(?:(?:first )?name is|is (?:named|called)|goes by) ", re.IGNORECASE)
_DATE_WORDS = frozenset({*map(str.lower, MONTHS), *map(str.lower, WEEKDAYS), *(str(day) for day in range(1, 32))})
_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE_DATE = re.compile(
    r"\b(?:to(?:day|night|morrow)|yesterday|morning|week|weekend|month|year|days?|ago|last|next|on the|\w+day|"
    r"fortnight|just|new|now|soon|recently|since)\b",
    re.IGNORECASE,
)
_WORDLESS_VALUES = word_set("yes no like dislike")
_EITHER_POLARITY = load_words("either_polarity", __package__)
_NEGATIONS = frozenset(load_sections("similarity")["negations"])
_CONTRACTED_NEGATION = re.compile(r"\w+n't|(?:do|ca|wo|is|did|does|was|ai|have|has)nt")
_PIECE = re.compile(r"[,.;:!?\n()]+|\s(?:and|but|so|because|coz|cuz|btw|though|although)\s", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?\n])")
_NAMES = re.compile(r"\b[A-Z]\w{1,40}(?: [A-Z]\w{1,40}){1,5}")
_MIN_PREFIX = 5
_MIN_WORDS = 2
_MAX_VALUE_WORDS = 5
_ATTRIBUTE_FILLERS = word_set("status date of type preferred current")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a statement may rest on: the quoted clauses, and texts that only explain them."""

    clauses: Sequence[str]
    quote: str = ""
    context: str = ""
    """Questions that the message answers, and the memory that it is about."""

    def error(
        self, text: str, *, terms: str = "", is_about_self: bool = True, is_change: bool = False
    ) -> EvidenceError | None:
        """Why the clauses do not say this, or None; ``terms`` are further words that must be the person's own.

        What tells a change (``is_change``) may be negated where the person's words are not ("sold the fiat").
        """
        if not self.clauses or text.endswith("?"):
            return "not_stated"
        if is_in_first_person(text) or (not is_change and len(words(text)) < _MIN_WORDS):
            return "no_statement"
        pieces = self.pieces(text)
        named = " ".join(word for word in terms.split() if word not in _WORDLESS_VALUES)
        if self._invented(f"{text} {named}") or not (pieces or is_change):
            return "invented_words"
        if not is_change and _contradicts(text, pieces):
            return "negation"
        if is_about_self and pieces and all(_has_other_subject(piece, text) for piece in pieces):
            return "other_subject"
        return None

    def supports_slot(self, attribute: str, value: str) -> bool:
        """Whether the clauses speak of the attribute, and the value is not just a sentence of theirs.

        A wrong attribute with one value would take the place of what is known.
        """
        said = normalize_apostrophes(" ".join(self.clauses))
        known = _Words(said)
        named = (word for word in words(attribute.replace("_", " ")) if word not in _ATTRIBUTE_FILLERS)
        return len(words(value)) <= _MAX_VALUE_WORDS and all(known.contains(w) or _has_cue(w, said) for w in named)

    def _invented(self, text: str) -> set[str]:
        """The words of the text that nobody wrote."""
        said = normalize_apostrophes(" ".join((*self.clauses, self.quote)))
        known = _Words(f"{said} {self.context}")
        initials = {word for name in _NAMES.findall(text) for word in words(name) if _initials(name) in known}
        has_date = _RELATIVE_DATE.search(said) is not None
        return {
            word
            for word in words(text.replace("_", " "))
            if not (
                word in load_words("plain_words", __package__)
                or word.endswith("n't")
                or not content_words(word)
                or known.contains(word)
                or _has_cue(word, said)
                or word in initials
                or (has_date and (word in _DATE_WORDS or _YEAR.fullmatch(word)))
            )
        }

    def pieces(self, text: str) -> list[str]:
        """The parts of the clauses that share words with the text."""
        wanted = _Words(" ".join((text, *map(_initials, _NAMES.findall(text)))))
        pieces = [piece for clause in self.clauses for piece in _PIECE.split(normalize_apostrophes(clause)) if piece]
        shared = [(sum(map(wanted.contains, content_words(piece))), piece) for piece in pieces]
        return [piece.strip() for count, piece in shared if count]


def is_in_first_person(text: str) -> bool:
    """Whether a statement speaks as the person, not about them."""
    return _FIRST_PERSON.search(normalize_apostrophes(text)) is not None


def quoted_clauses(quote: str, message: str) -> tuple[str, ...]:
    """The statements of a message that a quote overlaps with; questions and suppositions are none."""
    cited = _normalize(quote)
    return tuple(clause for clause in _clauses(message) if clause in cited or cited in clause)


def questions(text: str | None) -> str:
    """The questions of a text, which say what a short answer is about."""
    return " ".join(sentence for sentence in _SENTENCE_END.split(text or "") if sentence.endswith("?"))


@lru_cache(maxsize=64)
def _clauses(message: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_normalize(clause.quote) for clause in clauses(message)))


def _normalize(text: str) -> str:
    return " ".join(normalize_apostrophes(shorten_runs(text)).split())


class _Words:
    """The words of a text in any form."""

    def __init__(self, text: str) -> None:
        written = words(text)
        self._words = frozenset((*written, *(word.removesuffix("'s") for word in written)))
        self._stems = frozenset(content_words(text))
        self._numbers = {COUNTS[word] for word in self._words & COUNTS.keys()}
        self._prefixes = {word[:_MIN_PREFIX] for word in self._words if len(word) >= _MIN_PREFIX}

    def __contains__(self, word: object) -> bool:
        return word in self._words

    def contains(self, word: str) -> bool:
        """Whether the word occurs, in another form or as another word for the same relative too."""
        return (
            word in self._words
            or stem(word) in self._stems
            or (kinship_of(word) or word) in self._stems
            or not content_words(word).isdisjoint(self._stems)
            or word in self._numbers
            or COUNTS.get(word) in self._words
            or word[:_MIN_PREFIX] in self._prefixes
        )


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()).lower()


def _contradicts(text: str, pieces: Sequence[str]) -> bool:
    """Whether the text is negated and the pieces are not, or the other way round."""
    if any(not _EITHER_POLARITY.isdisjoint(words(part)) for part in (text, *pieces)):
        return False
    return _is_negated(text) != any(_is_negated(piece, text) for piece in pieces)


def _is_negated(said: str, text: str | None = None) -> bool:
    """Whether there is a negation; with ``text``, one that stands at or before a word of it."""
    written = words(said)
    first = next((place for place, word in enumerate(written) if _negates(word)), None)
    if first is None or text is None:
        return first is not None
    wanted = _Words(text)
    return any(content_words(word) and wanted.contains(word) for word in written[first:])


def _negates(word: str) -> bool:
    return word in _NEGATIONS or _CONTRACTED_NEGATION.fullmatch(word) is not None


def _has_other_subject(piece: str, text: str) -> bool:
    """Whether somebody or something else does what the piece tells, and the text does not name them."""
    if _AUTHOR.match(piece):
        return False
    match = _OTHER_SUBJECT.match(piece)
    if match is None or _introduces_author(piece, text):
        return False
    return not _Words(text).contains((match["noun"] or match["pronoun"]).lower())


def _introduces_author(piece: str, text: str) -> bool:
    """Whether the piece is how a letter or a call begins, and the text says no more than the name in it."""
    match = _INTRODUCTION.match(piece)
    return match is not None and _NAMING.match(text) is not None and _Words(text).contains(match["name"].lower())


def _has_cue(word: str, said: str) -> bool:
    cues = _cues().get(word)
    return cues is not None and any(cue.search(said) for cue in cues)


@cache
def _cues() -> dict[str, list[re.Pattern[str]]]:
    """The cues of each word that a statement may use."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for row in read_toml("data/predicates.toml", __package__)["predicate"]:
        cues = "|".join(row["cues"]).replace("{age}", AGE)
        cue = re.compile(rf"(?<!\w)(?:{cues})(?!\w)", re.IGNORECASE)
        for word in row["words"].split():
            found.setdefault(word, []).append(cue)
    return found


def shares_subject_matter(quote: str, texts: Iterable[str]) -> bool:
    """Whether the quote has a word in common with one of the texts, or a cue for one of their words."""
    said = _Words(quote)
    named = {word for text in texts for word in words(text) if content_words(word)}
    return any(said.contains(word) or _has_cue(word, quote) for word in named)
