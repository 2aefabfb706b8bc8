"""Finds lasting facts in what neither a rule nor the clause reader took: by a classifier, not by patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules import coreference, trailing_remarks
from keepsake.domain.extraction.rules.clause_reader.clause_candidate import third_person_text
from keepsake.domain.extraction.rules.clause_reader.verb_phrase import (
    Subject,
    Tense,
    VerbPhrase,
    bare_words,
    read_verb_phrase,
)
from keepsake.domain.extraction.rules.clause_reader.word_forms import is_in
from keepsake.domain.extraction.rules.language import is_fragment
from keepsake.domain.extraction.rules.split_clauses import Clause
from keepsake.domain.extraction.rules.statement_classifier import statement_score
from keepsake.domain.extraction.rules.statement_pieces import Piece, statement_pieces
from keepsake.domain.extraction.rules.statement_text import first_person_words
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.text import truncate_words

RULE = "statement_classifier"
LIMIT = 1.0
"""The score from which a piece is remembered."""
_LIMIT_OF_OTHER = 2.5
"""The same for a piece about somebody or something that is not said to be the author's."""
_CONFIDENCE = 0.5
_MIN_WORDS = 3
_OWN_WORDS = 4
"""Words that a piece has besides a statement that was found inside it."""
_MARKS = re.compile(r"[=<>{}|\\#@$£€]")
_OF_AUTHOR = frozenset({"i", "me", "us", "we", "my", "our"})
_BARE_SPAN = re.compile(r"^(?:about |nearly |almost )?[\w.,]+ (?:years?|months?|weeks?|days?|hours?)(?: old| today| now| ago)?$")


@dataclass(frozen=True, slots=True)
class _Kind:
    type: MemoryType
    subtype: Subtype


_KIND_BY_SUBJECT = {
    Subject.AUTHOR: _Kind(MemoryType.FACT, Subtype.IDENTITY),
    Subject.CLOSE: _Kind(MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP),
    Subject.OWN: _Kind(MemoryType.FACT, Subtype.POSSESSION),
    Subject.OTHER: _Kind(MemoryType.FACT, Subtype.IDENTITY),
}
_PLAN = _Kind(MemoryType.FACT, Subtype.EVENT)


def classified_statements(text: str, read: Sequence[Clause]) -> Iterator[Candidate]:
    """The candidates of the pieces of a message that are classified as lasting facts; ``read`` is what was read."""
    for piece in statement_pieces(text):
        if piece.asks or piece.is_hedged or _MARKS.search(piece.words) or any(_is_read(piece, one) for one in read):
            continue
        score = statement_score(piece)
        if score >= LIMIT and (candidate := _candidate(piece, score)) is not None:
            yield candidate


def _is_read(piece: Piece, clause: Clause) -> bool:
    """Whether a piece was read already, or adds hardly anything to what was."""
    if clause.quote in piece.quote and clause.is_embedded:
        return len(piece.quote.split()) - len(clause.quote.split()) < _OWN_WORDS
    return piece.quote in clause.quote or clause.quote in piece.quote


def _candidate(piece: Piece, score: float) -> Candidate | None:
    """The candidate of a piece; None where its words make no statement."""
    words = first_person_words(piece.words)
    if words is None or trailing_remarks.is_incomplete(words) or coreference.is_unresolved(words) or is_fragment(words):
        return None
    phrase = read_verb_phrase(words)
    if not (_says_something(bare_words(words)) if phrase is None else _is_complete(phrase)):
        return None
    if phrase is not None and phrase.subject is Subject.OTHER and not _may_be_close(phrase, words, score):
        return None
    kind = _kind_of(phrase, words)
    return Candidate(
        type=kind.type,
        subtype=kind.subtype,
        text=truncate_words(third_person_text(words), MAX_TEXT_LENGTH),
        quote=piece.quote,
        confidence=_CONFIDENCE,
        entity_type="person",
        rule=RULE,
    )


def _says_something(words: tuple[str, ...]) -> bool:
    """Whether a phrase without a verb says something by itself: no bare number, and no afterthought."""
    is_afterthought = is_in("afterthoughts", words[0]) or is_in("pointers", words[-1])
    said = words[1:] if words[0] in ("my", "our") else words
    return len(said) >= _MIN_WORDS and not is_afterthought and _BARE_SPAN.match(" ".join(words)) is None


def _is_complete(phrase: VerbPhrase) -> bool:
    """Whether something follows the verb that says what it is about."""
    if not phrase.rest:
        return phrase.tense is Tense.PROGRESSIVE and is_in("ongoing_by_itself", phrase.verb)
    return not is_in("pointers", phrase.rest[-1]) and not phrase.rest[-1].isdigit() or len(phrase.rest) >= _MIN_WORDS


def _may_be_close(phrase: VerbPhrase, words: str, score: float) -> bool:
    """Whether somebody or something whom the author only names may be theirs: not "a guy at the gym"."""
    if phrase.owner.split()[0] in ("a", "an"):
        return False
    return score >= _LIMIT_OF_OTHER or not _OF_AUTHOR.isdisjoint(bare_words(words))


def _kind_of(phrase: VerbPhrase | None, words: str) -> _Kind:
    """The kind of memory that a statement is, by its subject and tense; a plan where it names a day to come."""
    if phrase is None:
        return _PLAN if names_day(words) else _KIND_BY_SUBJECT[Subject.AUTHOR]
    is_over = phrase.tense in (Tense.PAST, Tense.PERFECT, Tense.USED_TO)
    return _PLAN if names_day(words) and not is_over else _KIND_BY_SUBJECT[phrase.subject]
