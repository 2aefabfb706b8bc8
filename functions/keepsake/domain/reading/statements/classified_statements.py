"""Finds durable facts in the clauses that no rule took, by a linear classifier, and completes their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from keepsake.domain.english.classifiers import is_listed, load_weights, word_features
from keepsake.domain.english.grammar.verb_phrase import Subject, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_known_word
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.memory import Candidate, Subtype
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.clauses.subjects import AUTHOR
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.statements.read_kind import ASSISTANT, VAGUE_OBJECT
from keepsake.domain.reading.statements.statement_candidate import breaks_off, statement_candidate
from keepsake.domain.screening.named_secrets import mentions_credential
from keepsake.domain.screening.sentence_scores import claim_score, secret_score

_UNCLEAR_SUBJECTS = frozenset(load_sections("statement_text", __package__)["unclear_subjects"])
_REQUESTS = load_sections("clauses", "keepsake.domain.reading.clauses")["requests"]
_OF_AUTHOR = frozenset({"me", "us", "my", "our"})
_PLEASE = frozenset({"please", "pls"})
_MAX_FRONTED_PHRASE, _MAX_OWNER = 6, 3
_MARGIN = 1.5
"""How much better than none a beginning has to fit a clause, which may stay as it is."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*|\d[\d.,:/]*")
_MAX_WORDS, _LONG = 40, 5
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
_CODE = ("{", "}", "\\", "|", "()", "://", " = ", ";\n", "': '", '": ')
_MARKS = frozenset("=<>{}|\\#@$£€")


def statement_features(clause: Clause) -> list[str]:
    """The features of a clause, each once: its words, its length, whether it asks, and its place in the message."""
    tokens = _WORD.findall(clause.said)[:_MAX_WORDS]
    length = len(clause.said.split())
    places = {"asks": clause.asks, "first": clause.is_first, "last": clause.is_last}
    found = (
        *word_features(tokens),
        f"long {length if length < _LONG else _LONG + min(length // 4, 4)}",
        *(name for name, is_there in places.items() if is_there),
    )
    return list(dict.fromkeys(found))


def statement_score(clause: Clause) -> float:
    """The logarithm of the odds that a clause states a durable fact about its author."""
    weights = load_weights("statement")
    return sum(weights.get(feature, 0.0) for feature in statement_features(clause))


def classified_statements(text: str, said: Iterable[Clause], read: Sequence[Clause]) -> Iterator[Candidate]:
    """The candidates of the clauses of a message that are classified as durable facts, but for those that were read.

    A long message, one of many lines, and one with code in it are mostly not the author's own words, and left alone; so
    is one in another language.
    """
    if len(text) > _MAX_LENGTH or text.count("\n") > _MAX_LINE_BREAKS or is_unreadable(text):
        return
    if any(mark in text for mark in _CODE):
        return
    for clause in said:
        if clause.is_embedded or _is_no_english_sentence(clause.said) or any(_is_read(clause, one) for one in read):
            continue
        score = statement_score(clause)
        words = first_person_words(_with_subject(clause)) if score >= LIMIT else None
        if words is None or ASSISTANT.search(words) or breaks_off(words):
            continue
        phrase = read_verb_phrase(words)
        rest = phrase.rest if phrase else ()
        is_own = phrase is not None and (
            phrase.subject in (Subject.AUTHOR, Subject.CLOSE) or rest[:1] in (("me",), ("us",))
        )
        if phrase is not None and phrase.subject is Subject.OTHER and not is_own and score < _LIMIT_OF_OTHER:
            continue
        candidate = statement_candidate(words, clause.quote)
        is_vague = candidate.subtype is Subtype.PREFERENCE and VAGUE_OBJECT.match(" ".join(rest)) is not None
        if not is_vague and _is_safe(text, _MAX_SCORES_OF_OWN if is_own else _MAX_SCORES):
            yield candidate


def _with_subject(clause: Clause) -> str:
    """A clause as it was typed, with somebody else before it whom the clause before names ("my gran is 89 and | …")."""
    subject = clause.words.removesuffix(clause.said)
    return clause.said if subject.startswith("I ") or subject == clause.words else clause.words


def _is_safe(text: str, limits: tuple[float, float]) -> bool:
    """Whether a message reads less as a secret, and as a claim of authority, than it may."""
    max_secret, max_claim = limits
    return not mentions_credential(text) and secret_score(text) <= max_secret and claim_score(text) <= max_claim


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


def first_person_words(clause: str) -> str | None:
    """The words of a clause as a statement of its author, with the beginning that was left out.

    None where its subject says nothing by itself ("it", "there"), and where it requests or states nothing.
    """
    said = clause[: clause_filters.statement_length(clause)]
    first, second, *_ = (*said.split(), "", "")
    is_interjection = first.islower() and first not in AUTHOR and not is_known_word(first)
    if is_interjection and (second.lower() in AUTHOR or second in _REQUESTS):
        said = said.partition(" ")[2]  # "yaar my roommate snores"
    for pronoun in (" he ", " she "):  # "my husband he is a cook"
        who, found, behind = said.partition(pronoun)
        if found and who.lower().startswith(("my ", "our ")) and len(who.split()) <= _MAX_OWNER:
            said = f"{who} {behind}"
    normalized = normalize_clause(said)
    words, tokens = normalized.words, bare_words(normalized.words)
    is_request = words.partition(" ")[0].lower() in _REQUESTS or clause_filters.is_question_or_request(words)
    if not tokens or is_request or not _PLEASE.isdisjoint(tokens):
        return None
    if tokens[0] in AUTHOR:
        fronted = normalized.fronted_phrase
        return f"{words} {fronted}".strip() if len(fronted.split()) <= _MAX_FRONTED_PHRASE else None
    if tokens[0] == "they" and not _OF_AUTHOR.isdisjoint(tokens):
        return words
    said = words[len("as ") :] if tokens[:2] in (("as", "a"), ("as", "an")) else words
    beginning = beginning_of(said, None, _MARGIN)
    if tokens[0] in _UNCLEAR_SUBJECTS or beginning == NOTHING or (not beginning and len(tokens) == 1):
        return None
    return begin(beginning, said) if beginning else words
