"""Finds durable facts in the clauses that no rule took, by a linear classifier, and completes their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from keepsake.domain.english.classifiers import is_listed, load_weights, word_features
from keepsake.domain.english.grammar.verb_phrase import Subject, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_known_word
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.memory import Candidate, Subtype
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.clause_filters import is_question_or_request
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.clauses.subjects import AUTHOR, subject_first
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.statements.checks import ASSISTANT, VAGUE_OBJECT
from keepsake.domain.reading.statements.coreference import breaks_off, resolve_by_mention
from keepsake.domain.reading.statements.statement_candidate import statement_candidate
from keepsake.domain.screening.named_secrets import mentions_credential
from keepsake.domain.screening.sentence_scores import claim_score, secret_score

_WORDS = {section: frozenset(entries) for section, entries in load_sections("statement_text", __package__).items()}
_REQUESTS = load_sections("clauses", "keepsake.domain.reading.clauses")["requests"]
_TWO_SUBJECTS = re.compile(r"^((?:my|our) [\w'-]++(?: (?!she\b|he\b)[\w'-]++)?),? (?:she|he) ", re.IGNORECASE)
_REQUEST_INSIDE = re.compile(
    r"\b(?:do not|don't|dont|please|pls)(?: ever)? "
    r"(?:suggest|recommend|give|tell|send|say|show|make|ask|put|(?<!\bi do not )(?<!\bi don't )(?<!\bi dont )use)\b",
    re.IGNORECASE,
)
_OF_AUTHOR = frozenset({"me", "us", "my", "our"})
_MAX_FRONTED_PHRASE = 6
_MARGIN = 1.5
"""How much better than none a beginning has to fit a clause, which may stay as it is."""


def first_person_words(clause: str) -> str | None:
    """The words of a clause as a statement of its author, with the beginning that was left out.

    None where its subject says nothing by itself ("it", "there"), and where it requests or states nothing.
    """
    said = _without_interjection(clause[: clause_filters.statement_length(clause)])
    said = subject_first(said) or said
    normalized = normalize_clause(_TWO_SUBJECTS.sub(r"\1 ", said))
    words, tokens = normalized.words, bare_words(normalized.words)
    is_done_to_author = tokens[:1] == ("they",) and not _OF_AUTHOR.isdisjoint(tokens)
    if not tokens or (tokens[0] in _WORDS["unclear_subjects"] and not is_done_to_author) or _is_request(words):
        return None
    if tokens[0] in AUTHOR:
        fronted = normalized.fronted_phrase
        return f"{words} {fronted}".strip() if len(fronted.split()) <= _MAX_FRONTED_PHRASE else None
    if tokens[0] in _WORDS["indefinite_subjects"]:
        return words
    if is_done_to_author:
        return words
    said = words[len("as ") :] if tokens[:2] in (("as", "a"), ("as", "an")) else words
    beginning = beginning_of(said, None, _MARGIN)
    if beginning == NOTHING or (not beginning and len(tokens) == 1):
        return None
    return begin(beginning, said) if beginning else words


def _is_request(words: str) -> bool:
    """Whether words request something, at their beginning or behind a statement."""
    is_order = words.partition(" ")[0].lower() in _REQUESTS
    return is_order or is_question_or_request(words) or _REQUEST_INSIDE.search(words) is not None


def _without_interjection(clause: str) -> str:
    """The clause without a first word that no dictionary has and that cannot be a name ("yaar my roommate snores")."""
    first, _, rest = clause.partition(" ")
    is_before_clause = rest.partition(" ")[0].lower() in AUTHOR or _is_request(rest)
    return rest if is_before_clause and first.islower() and not is_known_word(first) else clause


_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d[\d.,:/]*")
_MAX_WORDS = 40
_LONG = 5


def statement_features(clause: Clause) -> list[str]:
    """The features of a clause, each once."""
    tokens = _WORD.findall(clause.said)[:_MAX_WORDS]
    return list(dict.fromkeys((*word_features(tokens), *_place(clause))))


def statement_score(clause: Clause) -> float:
    """The logarithm of the odds that a clause states a durable fact about its author."""
    weights = load_weights("statement")
    return sum(weights.get(feature, 0.0) for feature in statement_features(clause))


def _place(clause: Clause) -> Iterator[str]:
    """How long a clause is, whether it asks, and where in its message it stands."""
    length = len(clause.said.split())
    yield f"long {length if length < _LONG else _LONG + min(length // 4, 4)}"
    if clause.asks:
        yield "asks"
    if clause.is_first:
        yield "first"
    if clause.is_last:
        yield "last"


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
        named = replace(clause, said=resolve_by_mention(clause.said, before) or clause.said)
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
