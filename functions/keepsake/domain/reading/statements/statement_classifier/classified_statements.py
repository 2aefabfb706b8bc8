"""Makes candidates of the clauses of a message that are classified as durable facts about its author."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from keepsake.domain.english.classifiers import is_listed
from keepsake.domain.english.grammar.verb_phrase import Subject, read_verb_phrase
from keepsake.domain.memory import Candidate, Subtype
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.statements.across_clauses.coreference import resolve_by_mention
from keepsake.domain.reading.statements.matching.apply_rules import breaks_off
from keepsake.domain.reading.statements.matching.checks import ASSISTANT, VAGUE_OBJECT
from keepsake.domain.reading.statements.statement_classifier.statement_candidate import statement_candidate
from keepsake.domain.reading.statements.statement_classifier.statement_score import statement_score
from keepsake.domain.reading.statements.statement_classifier.statement_text import first_person_words
from keepsake.domain.screening.named_secrets import mentions_credential
from keepsake.domain.screening.sentence_scores import claim_score, secret_score

LIMIT = 0.1
"""The score from which a clause is remembered."""
_LIMIT_OF_OTHER = 1.7
"""The same for a clause about somebody or something that is not said to be the author's."""
_OWN_WORDS = 2
"""Words that a clause has besides a statement that was found inside it."""
_MAX_LENGTH, _MAX_LINE_BREAKS = 700, 3
_MAX_UNKNOWN = 0.4
_ENGLISH_BEGINNINGS = ("i ", "we ", "i'm ", "im ", "i've ", "ive ", "my ", "on ")
"""Behind these one unknown word is allowed: "I'm on metformin"."""
_MAX_SCORES, _MAX_SCORES_OF_OWN = (-2.0, -3.0), (0.0, 0.0)
"""How much a message may read as a secret, and as a claim of authority: less than the screening allows; and more where
a statement is plainly about the author or somebody close."""
_CODE = re.compile(r"[{}\\|]|\(\)|;\n|://|\w = \w|['\"]: ?['\"\d]")
_MARKS = frozenset("=<>{}|\\#@$£€")


def classified_statements(text: str, read: Sequence[Clause], message_before: str = "") -> Iterator[Candidate]:
    """The candidates of the clauses of a message that are classified as durable facts; ``read`` is what was read.

    A long message, one of many lines, and one with code in it are mostly not the author's own words, and left alone; so
    is one in another language.
    Whom "she" means is looked up in what was said before, in this message and in the one before.
    """
    if len(text) > _MAX_LENGTH or text.count("\n") > _MAX_LINE_BREAKS or _CODE.search(text) or is_unreadable(text):
        return
    scores: tuple[float, float] | None = None
    for clause in clauses(text):
        if clause.is_embedded or _is_no_english_sentence(clause.said) or any(_is_read(clause, one) for one in read):
            continue
        before = said_before(clause, text, message_before)
        said = clause.words if clause.is_elliptic else clause.said
        named = replace(clause, said=resolve_by_mention(said, before) or said)
        score = statement_score(named)
        found = _candidate(named, score) if score >= LIMIT else None
        if found is None:
            continue
        candidate, is_own = found
        if scores is None:  # which takes longer than most messages have reason to
            scores = _unsafe_scores(text)
        limits = _MAX_SCORES_OF_OWN if is_own else _MAX_SCORES
        if all(score <= limit for score, limit in zip(scores, limits, strict=True)):
            yield candidate


def said_before(clause: Clause, text: str, message_before: str) -> str:
    """What the author said before a clause: the message before, and this one up to the clause."""
    return f"{message_before}\n{text[: max(0, text.find(clause.quote))]}"


def _unsafe_scores(text: str) -> tuple[float, float]:
    """How much a message reads as a secret, and as a claim of authority."""
    secret = float("inf") if mentions_credential(text) else secret_score(text)
    return secret, claim_score(text)


def _is_no_english_sentence(said: str) -> bool:
    """Whether many words are in no English dictionary, or it has marks that sentences have not."""
    words = [word for token in said.split() if (word := token.strip(".,'\"!?")).isalpha() and word.islower()]
    unknown = sum(not is_listed(word) for word in words)
    allowed = max(said.lower().startswith(_ENGLISH_BEGINNINGS), len(words) * _MAX_UNKNOWN)
    return unknown > allowed or not _MARKS.isdisjoint(said)


def _is_read(clause: Clause, read: Clause) -> bool:
    """Whether a clause was read already, or adds hardly anything to what was."""
    if read.quote in clause.quote and read.is_embedded:
        length = max(len(clause.quote.split()), len(clause.words.split()))  # "my sister Ana does" has more than it says
        return length - len(read.quote.split()) < _OWN_WORDS
    return clause.quote in read.quote or read.quote in clause.quote


def _candidate(clause: Clause, score: float) -> tuple[Candidate, bool] | None:
    """The candidate of a clause, and whether it is plainly about the author or somebody close; None where none is."""
    words = first_person_words(clause.said)
    if words is None or ASSISTANT.search(words) or breaks_off(words):
        return None
    phrase = read_verb_phrase(words)
    is_own = phrase is not None and (
        phrase.subject in (Subject.AUTHOR, Subject.CLOSE) or phrase.rest[:1] in (("me",), ("us",))
    )
    if phrase is not None and phrase.subject is Subject.OTHER and not is_own and score < _LIMIT_OF_OTHER:
        return None
    candidate = statement_candidate(words, clause.quote)
    is_vague = phrase is not None and VAGUE_OBJECT.match(" ".join(phrase.rest)) is not None
    return None if is_vague and candidate.subtype is Subtype.PREFERENCE else (candidate, is_own)
