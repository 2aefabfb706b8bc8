"""Makes candidates of the pieces of a message that are classified as durable facts about its author."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.clause_reader.clause_candidate import third_person_text
from keepsake.domain.extraction.rules.clause_reader.durable_statements import KIND_BY_SUBJECT, PLAN, MemoryKind
from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.grammar.verb_phrase import (
    Subject,
    Tense,
    VerbPhrase,
    bare_words,
    read_verb_phrase,
)
from keepsake.domain.extraction.rules.grammar.word_forms import is_known_word
from keepsake.domain.extraction.rules.matching.apply_rules import breaks_off
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern
from keepsake.domain.extraction.rules.statement_classifier.statement_guards import is_durable, says_something
from keepsake.domain.extraction.rules.statement_classifier.statement_pieces import Piece, statement_pieces
from keepsake.domain.extraction.rules.statement_classifier.statement_score import statement_score
from keepsake.domain.extraction.rules.statement_classifier.statement_text import first_person_words
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.screening.claim_classifier import claim_score
from keepsake.domain.screening.secret_classifier import secret_score
from keepsake.domain.screening.secret_detection import mentions_credential
from keepsake.domain.text import truncate_words

RULE = "statement_classifier"
LIMIT = 1.0
"""The score from which a piece is remembered."""
_LIMIT_OF_OTHER = 2.5
"""The same for a piece about somebody or something that is not said to be the author's."""
_CONFIDENCE = 0.5
_IMPORTANCE = 2
"""A first context shows them: who the person is, in words that no rule knows."""
_ASSISTANT = load_pattern("assistant")
_OWN_WORDS = 4
"""Words that a piece has besides a statement that was found inside it."""
_MAX_LENGTH, _MAX_LINE_BREAKS = 700, 3
_MAX_UNKNOWN = 0.4
_MAX_SECRET_SCORE, _MAX_CLAIM_SCORE = -2.0, -3.0
_ALLERGY_OF_ANOTHER = re.compile(
    r"^(?:and |but |so )?[A-Z][a-z]{1,15} is (?:also |very |really |severely |deathly )?(?:allergic|"
    r"intolerant) to [a-z]{3}"
)
"""Who cooks for Jack must know what he cannot eat, whoever he is."""
_CODE = re.compile(r"[{}\\|]|\(\)|;\n|://|\w = \w|['\"]: ?['\"\d]")
_MARKS = re.compile(r"[=<>{}|\\#@$£€]")


def classified_statements(text: str, read: Sequence[Clause]) -> Iterator[Candidate]:
    """The candidates of the pieces of a message that are classified as durable facts; ``read`` is what was read.

    A long message, one of many lines, and one with code in it are mostly not the author's own words, and left alone.
    """
    if len(text) > _MAX_LENGTH or text.count("\n") > _MAX_LINE_BREAKS or _CODE.search(text):
        return
    found = list(_classify(text, read))
    if found and not _may_be_unsafe(text):  # which takes longer than most messages have reason to
        yield from found


def _classify(text: str, read: Sequence[Clause]) -> Iterator[Candidate]:
    for piece in statement_pieces(text):
        if piece.asks or piece.is_hedged or _has_unknown_words(piece) or any(_is_read(piece, one) for one in read):
            continue
        score = _LIMIT_OF_OTHER if _ALLERGY_OF_ANOTHER.search(piece.words) else statement_score(piece)
        if score >= LIMIT and (candidate := _candidate(piece, score)) is not None:
            yield candidate


def _may_be_unsafe(text: str) -> bool:
    """Whether a message may tell a secret or claim authority: a stricter limit than that of the screening."""
    may_be_secret = mentions_credential(text) or secret_score(text) > _MAX_SECRET_SCORE
    return may_be_secret or claim_score(text) > _MAX_CLAIM_SCORE


def _has_unknown_words(piece: Piece) -> bool:
    """Whether many of the words in lower case are in no English dictionary, or it has marks that sentences have not."""
    words = [word for token in piece.words.split() if (word := token.strip(".,'\"!?")).isalpha() and word.islower()]
    unknown = sum(not (is_known_word(word) or word in load_words("function_words", __package__)) for word in words)
    return unknown > len(words) * _MAX_UNKNOWN or _MARKS.search(piece.words) is not None


def _is_read(piece: Piece, clause: Clause) -> bool:
    """Whether a piece was read already, or adds hardly anything to what was."""
    if clause.quote in piece.quote and clause.is_embedded:
        return len(piece.quote.split()) - len(clause.quote.split()) < _OWN_WORDS
    return piece.quote in clause.quote or clause.quote in piece.quote


def _candidate(piece: Piece, score: float) -> Candidate | None:
    """The candidate of a piece; None where its words make no statement."""
    words = first_person_words(piece.words) if " " in piece.words else None
    if words is None or _ASSISTANT.search(words) or breaks_off(words):
        return None
    phrase = read_verb_phrase(words)
    may_be_close = score >= _LIMIT_OF_OTHER
    if not (
        says_something(bare_words(words)) if phrase is None else is_durable(phrase, words, may_be_close=may_be_close)
    ):
        return None
    kind = _kind_of(phrase, words)
    return Candidate(
        type=kind.type,
        subtype=kind.subtype,
        text=truncate_words(third_person_text(words), MAX_TEXT_LENGTH),
        quote=piece.quote,
        confidence=_CONFIDENCE,
        importance=1 if kind is PLAN else _IMPORTANCE,
        entity_type="person",
        why=RULE,
    )


def _kind_of(phrase: VerbPhrase | None, words: str) -> MemoryKind:
    """The kind of memory that a statement is, by its subject and tense; a plan where it names a day to come."""
    is_over = phrase is not None and phrase.tense in (Tense.PAST, Tense.PERFECT, Tense.USED_TO)
    if names_day(words) and not is_over:
        return PLAN
    return KIND_BY_SUBJECT[Subject.AUTHOR if phrase is None else phrase.subject]
