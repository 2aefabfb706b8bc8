"""Checks whether a statement says of its subject what the quoted clause says of somebody else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.evidence.clauses_around import Passage, is_calendar_word, same_thing
from keepsake.domain.evidence.speaker_words import has_speaker_words, speaker_words
from keepsake.domain.evidence.text_forms import fold, folded_words, has_no_spaces, stems, stopwords
from keepsake.domain.text import TITLES

SpeakerError = Literal["other_subject", "author_subject"]

_GREETING_LENGTH = 3
"""Words between a greeting and the name of somebody who is greeted."""
_SUBJECT_LENGTH = 3
"""Words at the beginning of a statement that may name its subject ("My old friend Ana …")."""
_AUTHOR = frozenset({"i", "me"})
_WE = frozenset({"we", "we're", "we've", "us", "our"})
_BEING = frozenset({"am", "m", "was"})
_OTHERS = frozenset({"they", "their", "my"})
_MARKS = "。！？、，,.!?\n"


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
    if has_no_spaces(quote):
        is_of_wrong = _is_named_afterwards if about else _is_of_named_other
        return _error(about) if is_of_wrong(statement, message, quote, language) else None
    passage = Passage(message, quote, language)
    subject = folded_words(about)
    anchor = _anchor(statement, passage, subject)
    if anchor is None:
        return None
    words = folded_words(statement)
    if about:
        is_wrong = _is_said_of_author(passage, anchor, subject, statement)
    elif _has_subject(language, words, names) or _begins_with_person(statement, passage):
        is_wrong = False
    else:
        is_wrong = _is_greeted(passage, anchor) or _is_of_other(passage, anchor, words)
    return _error(about) if is_wrong else None


def _error(about: str) -> SpeakerError:
    return "author_subject" if about else "other_subject"


def _is_said_of_author(passage: Passage, anchor: int, about: Sequence[str], statement: str) -> bool:
    """Whether the author says of themselves what a statement says of somebody else."""
    words = folded_words(statement)
    if _is_named_as_object(words, about):
        return False
    if passage.language != "en":
        return _is_named_later(passage, anchor, about, statement) or _is_clause_of_author(passage, anchor, about)
    return (
        _begins_with_subject(words, about)
        and _is_of_author(passage, anchor, about)
        and not _is_introduced(passage, anchor, about, words)
    )


def _is_named_as_object(statement: Sequence[str], about: Sequence[str]) -> bool:
    """Whether a statement names somebody, but not where a subject stands ("Becomes the godmother of Ilvy")."""
    names = [word for word in about if kinship_of(word) is None and word not in TITLES]
    places = [place for place, word in enumerate(statement) if same_thing(word, names)]
    return bool(places) and places[0] >= _SUBJECT_LENGTH


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


def _has_subject(language: str, statement: Sequence[str], names: Collection[str]) -> bool:
    """Whether a statement about the author names a subject of its own ("Max wants …", "Sa chienne …")."""
    table = speaker_words(language)
    articles = {word for word in statement[:1] if ("the", "") in table.senses(word) or word == "the"}
    if any(sense in table.senses(word) for word in statement[:1] for sense in (("their", ""), ("my", ""))):
        return True
    first = next((word for word in statement[:2] if word not in articles), "")
    return first in {*names, *TITLES}


def _begins_with_person(statement: str, passage: Passage) -> bool:
    """Whether the first word of a statement is one for people that the quoted clause has too ("Sonen Elis …")."""
    stated = Passage(statement, statement, passage.language)
    if passage.span is None or passage.language == "en" or not stated.tokens or not stated.is_person(0):
        return False
    clauses = passage.clauses(*passage.span)
    return any(stated.tokens[0].startswith(passage.tokens[place]) for clause in clauses for place in clause)


def _begins_with_subject(statement: Sequence[str], about: Sequence[str]) -> bool:
    """Whether an English statement begins with its subject ("Brother Gene …", not "Told mother …")."""
    first = [word for word in statement if word not in stopwords()][:2]
    names = [word for word in about if kinship_of(word) is None]
    return bool(first) and (same_thing(first[0], about) or same_thing(first[-1], names))


def _is_greeted(passage: Passage, anchor: int) -> bool:
    """Whether a word is the name after a greeting, before the first mark."""
    for index in range(anchor - 1, max(-1, anchor - 1 - _GREETING_LENGTH), -1):
        if passage.is_mark(index) or passage.kinds(index) & {"i", "my"}:
            return False
        if "hello" in passage.kinds(index):
            return index <= 1 or passage.is_mark(index - 1) or "hello" in passage.kinds(index - 1)
    return False


def _is_of_other(passage: Passage, anchor: int, statement: Sequence[str]) -> bool:
    """Whether the subject before a word is somebody whom the statement does not name."""
    if anchor and "their" in passage.kinds(anchor - 1) and not passage.kinds(anchor - 1) & {"my", "i", "they"}:
        return not _names_person(statement)
    for index in range(anchor, -1, -1):
        if passage.is_mark(index):
            return False
        found = _is_other_here(passage, index, anchor, statement)
        if found is not None:
            return found
    return False


def _is_other_here(passage: Passage, index: int, anchor: int, statement: Sequence[str]) -> bool | None:
    """Whether the word at an index shows that the subject is somebody else, or the author; None where it is neither."""
    kinds = passage.kinds(index)
    if "i" in kinds or (passage.language != "en" and kinds & {"and", "me"} and index < anchor):
        return False
    if "they" in kinds and "my" not in kinds:
        return not _names_person(statement)
    if "my" in kinds and (noun := _noun_after(passage, index)) is not None:
        return _is_other_subject(passage, index, noun, anchor, statement)
    if index < anchor and _begins_clause(passage, index) and kinds & {"the", "person"}:
        return _is_unnamed(passage, index, anchor, statement)
    return None


def _is_unnamed(passage: Passage, index: int, anchor: int, statement: Sequence[str]) -> bool:
    """Whether a clause begins with a person ("la voisine apprend …") whom the statement does not name."""
    people = [place for place in range(index, min(index + 3, anchor)) if "person" in passage.kinds(place)]
    return bool(people) and not any(same_thing(passage.tokens[place], statement) for place in people)


def _begins_clause(passage: Passage, index: int) -> bool:
    return index == 0 or passage.is_mark(index - 1) or bool(passage.kinds(index - 1) & {"and", "hello"})


def _is_other_subject(passage: Passage, index: int, noun: int, anchor: int, statement: Sequence[str]) -> bool:
    """Whether "my" at an index and its noun are the subject of what follows, and the statement does not name it."""
    word = passage.tokens[noun]
    if noun >= anchor or "own" in passage.kinds(noun) or same_thing(word, statement):
        return False
    between = (passage.tokens[place] for place in range(noun, anchor))
    if any(one not in stopwords() and same_thing(one, statement) for one in between):
        return False
    is_genitive = word.endswith("'s") or (
        (kinship_of(word) or "").endswith("s") and kinship_of(word.removesuffix("s")) is not None
    )
    has_article = index > 0 and "the" in passage.kinds(index - 1) and _begins_clause(passage, index - 1)
    if not (_begins_clause(passage, index) or has_article or is_genitive):
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
    before = [place for place in range(max(0, index - 2), index) if not passage.is_mark(place)]
    return any(passage.kinds(place) & _AUTHOR for place in before)


def _is_introduced(passage: Passage, anchor: int, about: Sequence[str], statement: Sequence[str]) -> bool:
    """Whether an English statement says who somebody is, whom the author names so ("I have a new doctor, Ines")."""
    verbs = (index + 1 for index in range(anchor - 1) if "i" in passage.kinds(index))
    if "is" not in statement[1:4] or any(passage.tokens[index] in _BEING for index in verbs):
        return False
    for index in range(anchor, len(passage.tokens)):
        if same_thing(passage.tokens[index], about):
            return True
        if not (passage.is_mark(index) or same_thing(passage.tokens[index], statement)):
            return False
    return False


def _is_of_author(passage: Passage, anchor: int, about: Sequence[str]) -> bool:
    """Whether the nearest subject before a word is the author, and nobody else is named between."""
    for index in range(anchor, -1, -1):
        kinds = passage.kinds(index)
        if passage.is_sentence_end(index):
            return False
        if same_thing(passage.tokens[index], about) or kinds & {"they", "their"} - kinds & {"my"}:
            return False
        if passage.tokens[index] in _WE:
            return False
        if "i" in kinds:
            return not _is_coordinated_with_other(passage, index, about)
        if "my" in kinds and index == anchor - 1:
            return kinship_of(passage.tokens[anchor]) is None
    return False


def _is_clause_of_author(passage: Passage, anchor: int, about: Sequence[str]) -> bool:
    """Whether the author is the subject of a clause in which nobody else is named."""
    (clause,) = (one for one in passage.clauses(anchor, anchor + 1) if anchor in one)
    kinds = {kind for index in clause for kind in passage.kinds(index)}
    if kinds & (_OTHERS | {"person"}) or any(same_thing(passage.tokens[index], about) for index in clause):
        return False
    return any("i" in passage.kinds(index) for index in clause if index < anchor)


def _is_named_later(passage: Passage, anchor: int, about: Sequence[str], statement: str) -> bool:
    """Whether a clause names nobody, and the subject of the statement comes up after it: then it is of the author.

    Many languages leave out "I" where the verb shows it. The subject is whom the model names, if the message has the
    name, else any person of the statement.
    """
    (clause,) = (one for one in passage.clauses(anchor, anchor + 1) if anchor in one)
    if any(passage.kinds(index) & _OTHERS or passage.is_person(index) for index in clause):
        return False
    stated = Passage(statement, statement, passage.language)
    people = [stated.tokens[place] for place in range(len(stated.tokens)) if stated.is_person(place)]
    named, others = (
        [place for place, token in enumerate(passage.tokens) if same_thing(token, words)] for words in (about, people)
    )
    return min(named or others, default=-1) > clause[-1]


def _is_coordinated_with_other(passage: Passage, index: int, about: Sequence[str]) -> bool:
    """Whether the author is named together with the subject ("my brother and I", "jake and i")."""
    if index < 2 or "join" not in passage.kinds(index - 1):
        return False
    return any(same_thing(passage.tokens[place], about) for place in range(max(0, index - 4), index - 1))


def _is_of_named_other(statement: str, message: str, quote: str, language: str) -> bool:
    """Whether a person, and not the author, is named before the quoted words in a script without blanks."""
    start = fold(message).find(fold(quote))
    before = fold(message)[: max(0, start)]
    clause = max((before.rfind(mark) for mark in _MARKS), default=-1)
    table = speaker_words(language)
    pieces = {piece for piece, sense in table.pieces(before[clause + 1 :] + fold(quote)) if sense[0] == "person"}
    own = [piece for piece, sense in table.pieces(before[clause + 1 :]) if sense[0] == "i"]
    return bool(pieces) and not own and not any(piece in fold(statement) for piece in pieces) and start > 0


def _is_named_afterwards(statement: str, message: str, quote: str, language: str) -> bool:
    """The same in a script without blanks: nobody is named up to the mark that ends the quoted clause."""
    said, place = fold(message), fold(message).find(fold(quote))
    end = min((found for mark in _MARKS if (found := said.find(mark, place + len(quote))) >= 0), default=-1)
    table = speaker_words(language)
    people = {piece for piece, (kind, _) in table.pieces(statement) if kind == "person"}
    before = {piece for piece, (kind, _) in table.pieces(said[: max(0, end)]) if kind in ("person", "they", "their")}
    return min(place, end) >= 0 and not before and any(piece in said[end:] for piece in people)


def _names_person(statement: Sequence[str]) -> bool:
    return any(kinship_of(word.removesuffix("'s")) is not None for word in statement)
