"""Recognizes words that go on about somebody else than the author of the message, or say what somebody does it for."""

from __future__ import annotations

import re

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, bare_words, read_verb_phrase
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.message.language import is_unreadable

_PIECE = re.compile(r"[^.!?;:,()\n]+")
_JOINED = re.compile(r"\b(?:and|or)\s*+$")
_MIN_WORDS = 3
"""Words that say something, and are no greeting."""
_MARGIN = 1.0
"""How much better than none a beginning has to fit."""
_I = frozenset({"i", "i'm", "i've", "i’m", "i’ve"})
_OBJECTS = (("me",), ("us",))
_ME = _I | frozenset({"im", "ive", "we", "we're", "we've", "me", "my", "our", "us"})


def is_note_of_other(candidate: Candidate, message: str) -> bool:
    """Whether a statement about the author was made of words that go on about another, or in another language.

    That is a note to which a rule added the verb, where the message has named others and not its author ("There's a new
    cellist, Dolores, retired librarian"), and the second verb of a clause ("mom wants to sell it and have the money").
    """
    said, stated = bare_words(candidate.quote), bare_words(candidate.text)
    verbs = {*known_lemmas(stated[0], "VERB")} if stated and stated[0].endswith("s") else set()
    if not verbs or stated[-1] not in said or "|self|" not in (candidate.key or "|self|"):
        return False
    is_note = not any(verbs & {*known_lemmas(word, "VERB")} for word in said)
    if is_note and _I.isdisjoint(said) and is_unreadable(message):
        return True  # "im Café"
    is_as_said = said[:1] == stated[:1]  # "Laughs like a bird": an author leaves out "I", and no "-s"
    if not (is_as_said or _ME.isdisjoint(said)):
        return False
    before = message[: max(0, message.find(candidate.quote))]
    read = (read_verb_phrase(_with_beginning(piece)) for piece in _PIECE.findall(before))
    subjects = {
        Subject.AUTHOR if phrase.owner == "they" and phrase.rest[:1] in _OBJECTS else phrase.subject
        for phrase in read
        if phrase is not None
    }
    words_before = bare_words(before)
    if is_as_said and len(words_before) >= _MIN_WORDS and _ME.isdisjoint(words_before):
        return True
    if not subjects or Subject.AUTHOR in subjects:
        return False
    return is_as_said or _JOINED.search(before) is not None or (is_note and Subject.OTHER in subjects)


def _with_beginning(piece: str) -> str:
    """The standard words of a piece, with what was left out before them."""
    words = normalize_clause(piece).words
    beginning = beginning_of(words, None, _MARGIN)
    return words if beginning in ("", NOTHING) else begin(beginning, words)


def is_purpose(candidate: Candidate, message: str) -> bool:
    """Whether it says what something is done for once: "Ben is taking him to school tomorrow so I make it on time"."""
    before, is_found, _ = message.partition(candidate.quote)
    main, so, rest = before.rpartition(" so ")
    what = next(reversed(_PIECE.findall(main)), "")
    if not (is_found and so) or rest not in ("", "that ") or "|habit|" not in (candidate.key or ""):
        return False
    phrase = read_verb_phrase(normalize_clause(what).words)
    return names_day(what) or (phrase is not None and phrase.tense is Tense.FUTURE)
