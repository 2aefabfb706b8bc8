"""Cuts a message into the statements that its author makes, also where a question follows without a full stop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.extraction.rules.clause_reader.omitted_subjects import complete
from keepsake.domain.extraction.rules.clauses import clause_filters
from keepsake.domain.extraction.rules.clauses.normalize_clause import normalize_clause
from keepsake.domain.extraction.rules.clauses.sentences import Sentence, read_sentences, split_message, states_nothing
from keepsake.domain.extraction.rules.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.extraction.rules.grammar.verb_phrase import bare_words, read_verb_phrase
from keepsake.domain.extraction.rules.grammar.word_forms import is_in
from keepsake.domain.extraction.rules.message.quoted_text import MASK

_WORDS = {section: frozenset(entries) for section, entries in load_sections("statements", __package__).items()}
_JOINTS = "|".join(sorted(_WORDS["joints"]))
_NO_SUBORDINATION = "".join(rf"(?<!\b{word})" for word in sorted(_WORDS["subordinating"]))
_ENDS = (
    rf"\s{{0,12}}(?:[,;()]|:(?!\d))\s{{0,12}}(?:(?:{_JOINTS})\s{{1,12}})?|\s{{1,12}}[-\u2013\u2014>&]{{1,4}}\s{{1,12}}",
    rf"\s{{1,12}}(?:{_JOINTS})\s{{1,12}}",
    r"\s{1,12}since\s{1,12}(?!(?:i|we) (?:was|were)\b)(?=(?:i|we|my|our|he|she|they|it)\b)",
    rf"{_NO_SUBORDINATION}\s{{1,12}}(?=(?:i am|i'm|im|we are|we're)\s)",
    r"\s{1,12}(?=(?:what|how|which|where)\s(?:is|are|do|does|should|can|was|much|many)\b)",
)
_JOINT = re.compile(rf"(?=[\s,;():])(?:{'|'.join(_ENDS)})", re.IGNORECASE)
AUTHOR = _WORDS["author"]
"""The words for the author with which a statement may begin."""
_SUBJECTS = AUTHOR | _WORDS["other_subjects"]
_MAX_STATEMENTS = 60
_MAX_SENTENCE = 1_200
_MAX_FRONTED = 16
_MAX_SUBJECT = 6


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a sentence between two joints; ``words`` has its subject first, and is empty where it asks."""

    start: int
    end: int
    words: str = ""
    is_continuation: bool = False


@lru_cache(maxsize=16)
def statements(text: str) -> tuple[Clause, ...]:
    """The statements of a message as clauses in normalized words, in order, each with its quote."""
    split = split_message(text)

    def read(number: int, sentence: Sentence) -> Iterator[Clause]:
        body = split.masked[sentence.start : sentence.end]
        if len(body) > _MAX_SENTENCE or sentence.is_sarcastic or states_nothing(body):
            return
        is_of_other = number > 0 and _OF_OTHER.match(split.masked, split.sentences[number - 1].start) is not None
        for piece in _statement_pieces(body, sentence):
            if is_of_other and piece.words.startswith("I ") and not _NAMES_AUTHOR.match(body, piece.start):
                continue  # "he found something! driver for a hotel van"
            words = normalize_clause(piece.words).words
            if not words or MASK in words or len(words) > MAX_CLAUSE_LENGTH or clause_filters.is_hedged(words):
                continue
            quote = split.message.quote(text, sentence.start + piece.start, sentence.start + piece.end)
            if quote := quote.strip(" \t\n,;:.()-\u2022*"):
                yield Clause(words, quote, has_request=split.last_request >= number, sentence=number)

    return read_sentences(split, read, _MAX_STATEMENTS)


def is_subject_alone(words: str) -> bool:
    """Whether words name somebody or something of the author's, and nothing is said of it ("my eldest, Noor")."""
    named = bare_words(words)
    return 1 < len(named) <= _MAX_SUBJECT and named[0] in ("my", "our", "the") and read_verb_phrase(words) is None


def _statement_pieces(body: str, sentence: Sentence) -> Iterator[_Piece]:
    """The statements of a sentence: neither questions nor requests, each with what continues it."""
    found: list[_Piece] = []
    start, joint = 0, ""
    for end, after, following in _pieces(body):
        if clause_filters.is_afterthought_hedge(body[start:end]) and found:
            found[-1] = replace(found[-1], words="")
        if body[end:after].strip() == ":" and " " not in body[start:end].strip():  # "DEVELOPER: …" is a label
            start, joint = after, following
            continue
        subject = found[-1] if found and is_subject_alone(found[-1].words) else None
        piece = _read_piece(body, start, end, joint, is_after_statement=bool(found and found[-1].words and not subject))
        if (
            found
            and piece.words
            and not piece.is_continuation
            and goes_on_about_other(found[-1].words, body[start:end])
        ):
            piece = replace(piece, is_continuation=True)  # "he's a carpenter, divorced"
        if subject and not joint and not _SUBJECTS.intersection(bare_words(body[start:end])[:1]):
            piece = replace(piece, is_continuation=True)  # "my eldest, Noor, just started school"
        if piece.is_continuation and found and not (sentence.is_question and end == len(body)):
            last = found[-1]
            found[-1] = replace(last, end=end, words=last.words and last.words + body[last.end : end])
        else:
            found.append(piece)
        start, joint = after, following
    if sentence.is_question and (len(found) == 1 or found[-1].words):
        found = found[:-1]
    yield from (piece for piece in found if piece.words and not piece.is_continuation)


def goes_on_about_other(before: str, piece: str) -> bool:
    """Whether words without a subject follow a statement about "him", "her" or "them" that is not of the author too."""
    is_of_other = _OF_OTHER.match(before) is not None and _OBJECTS.isdisjoint(bare_words(before))
    return is_of_other and _SUBJECTS.isdisjoint(bare_words(piece)[:2])


def _pieces(body: str) -> Iterator[tuple[int, int, str]]:
    """Where each piece between joints ends, where the next one begins, and the joint between them."""
    start = 0
    for match in _JOINT.finditer(body):
        joint = match[0].strip(" ,").lower()
        if match.start() > 0 and not (joint in ("and", "n", "&") and _begins_subject(body, start, match)):
            yield match.start(), match.end(), joint
            start = match.end()
    yield len(body), len(body), ""


def _begins_subject(body: str, start: int, joint: re.Match[str]) -> bool:
    """Whether a joint stands within a subject ("my mum and dad split up", "Mateo n Luz are 3")."""
    return _FIRST_OF_TWO.match(body, start, joint.start()) is not None and (
        _SECOND_OF_TWO.match(body, joint.end()) is not None
    )


def _read_piece(body: str, start: int, end: int, joint: str, *, is_after_statement: bool) -> _Piece:
    """What a piece is: a statement, a question or request (without words), or the continuation of another one."""
    is_first = start == 0
    start += _interjections(body[start:end])
    piece = body[start:end].strip(" \t\n.-*\u2022")
    words = bare_words(piece)
    if not words or (joint == "so" and _PURPOSE.match(piece)):
        return _Piece(start, end, is_continuation=True)
    if joint == "while" and _IS_IN.match(piece):
        return _Piece(start, end)
    if words[0] in _SUBJECTS:
        return _Piece(start, end, expand_is(piece), is_continuation=len(words) == 1)
    if new := _NEW.match(piece):
        return _Piece(start, end, f"my new {new['what']} is {piece[new.end() :]}")
    if moved := subject_first(piece):
        return _Piece(start, end, moved)
    if len(words) > 2 and words[1] in ("is", "are", "was") and is_in("own_nouns", words[0]):
        return _Piece(start, end, piece)
    if clause_filters.is_question_or_request(piece) or words[0] in _WORDS["questions"]:
        return _Piece(start, end)
    if completed := complete(piece, words, is_first=is_first, is_after_statement=is_after_statement, joint=joint):
        return _Piece(start, end, completed)
    if words[0] in _WORDS["requests"] and joint not in ("and", "n"):
        return _Piece(start, end)
    expanded = expand_is(piece)
    is_statement = len(words) > 2 and read_verb_phrase(normalize_clause(expanded).words) is not None
    return _Piece(start, end, expanded, is_continuation=not is_statement)


def _interjections(piece: str) -> int:
    """The length of the words before a statement that say nothing ("oh wait")."""
    length = 0
    while match := _WORD.match(piece, length):
        is_refusal = match[1].lower() == "no" and "," not in match[0]  # "no car"
        if is_refusal or not is_in("interjections", match[1].lower()) or match.end() == len(piece):
            break
        length = match.end()
    return length


def subject_first(piece: str) -> str | None:
    """The words of "at home we speak Czech" with the subject before what was fronted; None where nothing was."""
    first, *tokens = piece.split() or [""]
    if first.lower() not in _WORDS["fronting"]:
        return None
    for index in range(1, min(len(tokens) - 1, _MAX_FRONTED)):
        if tokens[index].lower() in AUTHOR - {"my", "our"}:
            return " ".join((*tokens[index:], first.lower(), *tokens[:index])).rstrip(",")
    return None


_WORD = re.compile(r"\s*+([\w']++)[\s,]*+")
_NEW = re.compile(r"(?:my |our |the )?new (?P<what>[\w-]+(?: [\w-]+)?)(?: is| =|'s) ", re.IGNORECASE)
_AFTER_IS = frozenset(
    {"a", "an", "the", "my", "in", "on", "at", "not", "from", "set", "booked", "scheduled", "due"},
)
_IS_IN = re.compile(r"(?:i|we)(?: am| are|'?m|'re) in ", re.IGNORECASE)
_LEADING = r"(?:(?i:and|but|so|well|basically|actually|honestly|anyway|now|both) )?"
_FIRST_OF_TWO = re.compile(rf"\W*+{_LEADING}(?:(?i:my|our) [\w'-]+|[A-Z][a-z'-]+)\s*$")
_VERBS_OF_TWO = "are|were|have|both|lives?|work|split|met|got|start(?:ed)?|moved|want|love|like|turn(?:ed)?"
_SECOND_OF_TWO = re.compile(rf"(?:(?:my|our) )?[\w'-]+ (?:{_VERBS_OF_TWO})\b", re.IGNORECASE)
_OF_OTHER = re.compile(r"\W*+(?:he|she|they)(?:s|re|ve|'\w+)? ", re.IGNORECASE)
_OBJECTS = frozenset({"me", "us"})
_NAMES_AUTHOR = re.compile(r"\W*+(?:\w+ )?(?:i|im|ive|we)\b", re.IGNORECASE)
_PURPOSE = re.compile(r"(?:i|we) (?:can|could) (?!only|barely|hardly|never|not)", re.IGNORECASE)
_IS = re.compile(r"^(?P<who>(?:(?:my|our) )?(?:[\w-]+ ){0,2}[\w-]+)'s (?P<next>[\w-]+)", re.IGNORECASE)


def expand_is(piece: str) -> str:
    """The words of "my boy's autistic" with "is" for the contraction, where it is one."""
    match = _IS.match(piece)
    if match is None:
        return piece
    following = match["next"].lower()
    if following == "been":
        verb = "has"
    elif following in _AFTER_IS or is_in("durable_adjectives", following):
        verb = "is"
    else:
        return piece
    return f"{match['who']} {verb} {piece[match.start('next') :]}"
