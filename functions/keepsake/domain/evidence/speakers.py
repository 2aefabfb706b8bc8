"""Checks whether a statement says of its subject what the quoted clause says of somebody else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.evidence.clauses_around import (
    Passage,
    has_speaker_words,
    is_calendar_word,
    same_thing,
    speaker_words,
)
from keepsake.domain.evidence.names import TITLES
from keepsake.domain.evidence.text_forms import folded_words, stems, stopwords

SpeakerError = Literal["other_subject", "author_subject"]

_NO_SUBJECT = frozenset({("my", ""), ("their", ""), ("small", "")})
_SUBJECT_LENGTH = 3
"""Words at the beginning of a statement that may name its subject."""
_GREETING_LENGTH = 3
"""Words between a greeting and the name of somebody who is greeted."""


def speaker_error(
    statement: str, message: str, quote: str, *, about: str = "", names: Collection[str] = (), language: str
) -> SpeakerError | None:
    """Why the quoted clause is not about the subject of the statement, or None.

    ``about`` names somebody else ("daughter priya"); empty means the author. For a statement about the author the
    subject before the quoted words must not be somebody whom it does not name ("my wife is a surgeon" for "Is a
    surgeon"), nor may it rest on the name of somebody who is greeted. For one about somebody else that subject must
    not be the author alone. ``names`` are the folded names of people, one of which may begin a statement. The words
    before a quote count. Without word lists of the language nothing is found.
    """
    if not has_speaker_words(language):
        return None
    passage = Passage(message, quote, language)
    anchor = _anchor(statement, passage, folded_words(about))
    if anchor is None:
        return None
    statement_words = folded_words(statement)
    if about:
        is_subject = _begins_with(passage.language, statement_words, folded_words(about))
        return "author_subject" if is_subject and _is_of_author(passage, anchor, folded_words(about)) else None
    if set(statement_words[:_SUBJECT_LENGTH]) & {*names, *TITLES}:
        return None
    if _is_greeted(passage, anchor):
        return "other_subject"
    return "other_subject" if _is_of_other(passage, anchor, statement_words) else None


def _anchor(statement: str, passage: Passage, about: Sequence[str]) -> int | None:
    """The first quoted word that the statement repeats, by the order of the statement; its subject is left out."""
    if passage.span is None:
        return None
    quoted = [index for index in range(*passage.span) if not passage.is_mark(index)]
    dates: list[int] = []
    for word in folded_words(statement):
        if word in stopwords() or same_thing(word, about):
            continue
        for index in quoted:
            if about and index and "my" in passage.kinds(index - 1) and passage.language != "en":
                continue
            if stems(word) & stems(passage.tokens[index]):
                if not is_calendar_word(word, passage.language):
                    return index
                dates.append(index)
    return None if about else next(iter(dates), None)


def _begins_with(language: str, statement: Sequence[str], about: Sequence[str]) -> bool:
    """Whether a statement begins with its subject ("Brother Gene …", "Tochter Lina …", not "Told mother …")."""
    table = speaker_words(language)
    first = [word for word in statement if word not in stopwords() and not table.senses(word) & _NO_SUBJECT][:2]
    names = [word for word in about if kinship_of(word) is None]
    return bool(first) and (same_thing(first[0], about) or same_thing(first[-1], names))


def _is_greeted(passage: Passage, anchor: int) -> bool:
    """Whether a word is the name after a greeting, before the first mark."""
    for index in range(anchor - 1, max(-1, anchor - 1 - _GREETING_LENGTH), -1):
        if passage.is_mark(index) or passage.kinds(index) & {"i", "my"}:
            return False
        if "hello" in passage.kinds(index):
            return index == 0 or passage.is_mark(index - 1) or "hello" in passage.kinds(index - 1) or index == 1
    return False


def _is_of_other(passage: Passage, anchor: int, statement: Sequence[str]) -> bool:
    """Whether the subject before a word is somebody whom the statement does not name."""
    if anchor and "their" in passage.kinds(anchor - 1) and not passage.kinds(anchor - 1) & {"my", "i", "they"}:
        return not _names_person(statement)
    for index in range(anchor, -1, -1):
        if passage.is_mark(index):
            return False
        kinds = passage.kinds(index)
        if "i" in kinds or (passage.language != "en" and "and" in kinds and index < anchor):
            return False
        if "they" in kinds and "my" not in kinds:
            return not _names_person(statement)
        if "my" in kinds and index < anchor + 1 and (noun := _noun_after(passage, index)) is not None:
            return _is_other_subject(passage, index, noun, anchor, statement)
    return False


def _is_other_subject(passage: Passage, index: int, noun: int, anchor: int, statement: Sequence[str]) -> bool:
    """Whether "my" at an index and its noun are the subject of what follows, and the statement does not name it."""
    word = passage.tokens[noun]
    if noun >= anchor or "own" in passage.kinds(noun) or same_thing(word, statement):
        return False
    between = (passage.tokens[place] for place in range(noun, anchor))
    if any(word not in stopwords() and same_thing(word, statement) for word in between):
        return False
    is_genitive = word.endswith("'s") or ((kinship_of(word) or "").endswith("s") and kinship_of(word[:-1]) is not None)
    begins = index == 0 or passage.is_mark(index - 1) or bool(passage.kinds(index - 1) & {"and", "hello"})
    if not (begins or is_genitive):
        return _is_of_other(passage, index - 1, statement) if index else False
    return not _is_coordinated(passage, index)


def _noun_after(passage: Passage, index: int) -> int | None:
    """The noun after "my": the next word, or one after it that names a relative or says something of the author."""
    places = list(range(index + 1, min(index + 4, len(passage.tokens))))
    if not places or passage.is_mark(places[0]):
        return None
    known = (p for p in places if kinship_of(passage.tokens[p].removesuffix("'s")) or "own" in passage.kinds(p))
    return next(known, places[0])


def _is_coordinated(passage: Passage, index: int) -> bool:
    """Whether the author is named together with somebody ("me n my gf")."""
    before = [passage.tokens[place] for place in range(max(0, index - 2), index) if not passage.is_mark(place)]
    return bool({"me", "i", "yo", "ich", "moi", "io", "eu", "ik", "jag", "jeg"} & set(before))


def _is_of_author(passage: Passage, anchor: int, about: Sequence[str]) -> bool:
    """Whether the nearest subject before a word is the author, and nobody else is named between."""
    for index in range(anchor, -1, -1):
        kinds = passage.kinds(index)
        if passage.is_sentence_end(index) or (passage.language != "en" and (passage.is_mark(index) or "and" in kinds)):
            return False
        if same_thing(passage.tokens[index], about) or kinds & {"they", "their"} - kinds & {"my"}:
            return False
        if "i" in kinds:
            return not _is_coordinated_with_other(passage, index, about)
        if "my" in kinds and index == anchor - 1 and passage.language == "en":
            return kinship_of(passage.tokens[anchor]) is None
    return False


def _is_coordinated_with_other(passage: Passage, index: int, about: Sequence[str]) -> bool:
    """Whether the author is named together with the subject ("my brother and I", "jake and i")."""
    if index < 2 or "join" not in passage.kinds(index - 1):
        return False
    return any(same_thing(passage.tokens[place], about) for place in range(max(0, index - 4), index - 1))


def _names_person(statement: Sequence[str]) -> bool:
    return any(kinship_of(word.removesuffix("'s")) is not None for word in statement)
