"""Finds short clauses in messages that can be told alone: what the person did or felt, what somebody with a name did.

For summaries without a model. A clause is in the past, all its words are known, it refers to nothing before it, and
nothing makes it unreal ("if", "almost", a question). What is doubtful is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import PartOfSpeech, known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.relative_dates import RELATIVE_DATE
from keepsake.domain.evidence.clauses_around import is_calendar_word
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.compose_sentences import weekday_and_date
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.text import normalize_apostrophes, words

MAX_COPIED = 8
"""Words of a message that a summary says in a row."""
_MIN_TOLD = 2
_SENTENCE = re.compile(r"[^.!?;\n…()]+(?:[.!?;\n…()]+|$)")
_TITLE = re.compile(r"\b(Mrs?|Ms|Dra?|Prof|St)\.(?= )")
_PART = re.compile(r",\s+|\s+(?:and|but)\s+(?=(?:then\b[^,]{0,30}\s)?i\b)|\s+but\s+", re.IGNORECASE)
_BOUNDARY = re.compile(r" (?=(?:and|because|so|after|before|for|with|since|on|in|at|to|from|about|by|like|without)\b)")
_WORD = re.compile(r"[^\W_][\w'-]*")
_MID_NAME = re.compile(r"(?<=[a-zà-ÿ,] )[A-ZÀ-ÖØ-Þ][a-zà-ÿ]+\b")
_START_NAME = re.compile(r"(?:^|[.!?(] ?)([A-ZÀ-ÖØ-Þ][a-zà-ÿ]+)\b")
_I = re.compile(
    r"(?:(?:and|but|so|well|yes|ok|okay|then)\b )*(?:then (?P<where>[\w ]{0,30}) )?i (?P<rest>.+)", re.IGNORECASE
)
_QUOTE = re.compile(r"[“”‘\"]|(?<!\w)'")
_ORDINAL = re.compile(r"\d(?:st|nd|rd|th)\b")
_NEAR = {"today": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": -1, "last night": -1}
_KINDS: Sequence[PartOfSpeech] = ("NOUN", "VERB", "ADJ", "ADV")
_OWN = {"me": "them", "my": "their", "myself": "themselves"}
_LISTS = {name: frozenset(lines) for name, lines in load_sections("plain_clauses", __package__).items()}


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence of a message, and whether the person is who the sentence is about so far."""

    text: str
    message: SaidMessage
    is_own: bool


def find_plain_clauses(messages: Sequence[SaidMessage], names: frozenset[str]) -> list[SourceMemory]:
    """What such clauses say, in their order; ``names`` are those of people."""
    found = (_clause(part, names) for message in messages for part in _parts(message, names))
    return [one for one in found if one is not None and rejection_of_text(one.text) is None]


def names_in(messages: Sequence[SaidMessage], labels: Iterable[str]) -> frozenset[str]:
    """The names in messages, in small letters: ``labels``, what is written as one, or is unknown and comes up again."""
    names = {word.casefold() for label in labels for word in _WORD.findall(label)}
    starts: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for message in messages:
        names |= {name.casefold() for name in _MID_NAME.findall(_TITLE.sub(r"\1", message.text))}
        starts.update({name.casefold() for name in _START_NAME.findall(message.text)})
        small.update({word for word in _WORD.findall(message.text) if word.islower()})
    names |= {word for word, count in starts.items() if count > 1 and word not in small}
    names |= {word for word, count in small.items() if count > 1 and word.isalpha() and not _is_word(word)}
    return frozenset(word for word in names if word not in STOPWORDS and kinship_of(word) is None)


def with_capitals(text: str, labels: Iterable[str]) -> str:
    """The text with names, months and days of the week as they are written."""
    written = {label.casefold(): label for label in labels}
    written |= {word.casefold(): word.capitalize() for word in (*WEEKDAYS, *MONTHS)}
    return _WORD.sub(lambda match: match[0] if match[0] in _LISTS["small"] else written.get(match[0], match[0]), text)


def _is_word(word: str) -> bool:
    return word in STOPWORDS or any(known_lemmas(word, kind) for kind in _KINDS)


def _parts(message: SaidMessage, names: frozenset[str]) -> Iterator[_Part]:
    """The parts of the sentences that say what happened."""
    is_own = True
    for match in _SENTENCE.finditer(_TITLE.sub(r"\1", normalize_apostrophes(message.text))):
        sentence = match[0].strip(" .!;:\n…()")
        tokens = {word.casefold() for word in _WORD.findall(sentence)}
        if sentence.endswith("?") or _QUOTE.search(sentence) or tokens & _LISTS["unreal"]:
            is_own = False
            continue
        for text in _PART.split(sentence):
            if _I.fullmatch(text.strip()):
                is_own = True
            elif _subject_length(text.split(), names) or _first(text) in _LISTS["others"]:
                is_own = False
            yield _Part(text.strip(), message, is_own)


def _is_age(said: Sequence[str]) -> bool:
    return len(said) > 1 and said[0].casefold() == "is" and said[1].isdigit()


def _first(text: str) -> str:
    return next(iter(_WORD.findall(text)), "").casefold().partition("'")[0]


def _clause(part: _Part, names: frozenset[str]) -> SourceMemory | None:
    """The memory that a part makes; None where it says nothing that can be told."""
    tokens = [token for token in part.text.split() if token.casefold().strip(",") not in _LISTS["fillers"]]
    length = _subject_length(tokens, names)
    if length:
        subject, said = tokens[:length], tokens[length:]
        if not (_is_age(said) or (said and said[0].casefold() not in _LISTS["reports"] and _is_past(said[0]))):
            return None
        said = said[:2] if _is_age(said) else said
        subject = subject[1:] if subject[0].casefold() == "my" else subject
        text = _told(said, part.message, names)
        shown = " ".join(subject)
        return _memory(part, f"{shown[:1].upper()}{shown[1:]} {text}", label=subject[-1]) if text else None
    said = _own(" ".join(tokens), names, is_own=part.is_own)
    text = _told(said, part.message, names) if said else None
    return _memory(part, f"{text[:1].upper()}{text[1:]}") if text else None


def _own(text: str, names: frozenset[str], *, is_own: bool) -> list[str]:
    """What the person says of themselves, from its verb on, in the third person; nothing where it is none."""
    match = _I.fullmatch(text)
    if match is not None and match["where"] and any(_is_past(word) for word in match["where"].split()):
        return []
    said = (match["rest"] if match else text).split()
    while said and said[0].casefold() in _LISTS["adverbs"]:
        said = said[1:]
    if len(said) < _MIN_TOLD or not (match or is_own):
        return []
    first, second = said[0].casefold(), said[1].casefold()
    if first in {"feel", "felt"}:
        return ["felt", *said[1:]]
    if match and first in {"have", "need", "want"} and second == "to":
        return [{"have": "has"}.get(first, f"{first}s"), *said[1:]]
    is_whole = match is not None or (first not in _LISTS["imperatives"] and _is_object(said[1], names))
    return said if is_whole and first not in _LISTS["unsaid"] and _is_past(first) else []


def _is_object(token: str, names: frozenset[str]) -> bool:
    """Whether a word after a verb without a subject shows that it is a verb: "left the", "called Frank"."""
    folded = token.casefold()
    is_named = token[0].isupper() or token[0].isdigit() or folded in names or kinship_of(folded) is not None
    return is_named or folded in _LISTS["before_objects"]


def _is_past(word: str) -> bool:
    folded = word.casefold()
    return any("VBD" in known_tags(folded, lemma) for lemma in known_lemmas(folded, "VERB")) or folded in {"was", "had"}


def _subject_length(tokens: Sequence[str], names: frozenset[str]) -> int:
    """How many words at the beginning name somebody: "Gene", "my sister Joana", "Karen and Max"."""
    length = 0
    for index, token in enumerate(tokens):
        folded = token.casefold()
        is_named = folded in names or kinship_of(folded) is not None
        if not (is_named or folded in _LISTS["before_names"]):
            return length
        if is_named:
            length = index + 1
    return 0


def _told(said: Sequence[str], message: SaidMessage, names: frozenset[str]) -> str | None:
    """The clause from its verb on, with its date, cut to what a summary may copy; None where it cannot be told."""
    text = _with_date(" ".join(said), message.said_at.date())
    if text is None:
        return None
    original = words(message.text)
    for end in [len(text), *reversed([match.start() for match in _BOUNDARY.finditer(text)])]:
        kept = text[:end].rstrip(" ,")
        told = " ".join(_OWN.get(word.casefold(), word) for word in kept.split())
        is_cut = end < len(text)
        tokens = [word.casefold() for word in _WORD.findall(kept)]
        if _is_tellable(tokens, names, is_cut=is_cut) and longest_copy(words(told), [original]) <= MAX_COPIED:
            return told
    return None


def _with_date(text: str, day: date) -> str | None:
    """The text with "today" and "yesterday" as dates; None where it has another relative date."""
    for near, offset in _NEAR.items():
        on = weekday_and_date(day + timedelta(days=offset))
        text = re.sub(rf"\b{near}\b", f"on {on}", text, count=1, flags=re.IGNORECASE)
    rest = re.sub(r"\bon \w+day \d{1,2} \w+", "", text)
    return None if RELATIVE_DATE.search(rest) or _ORDINAL.search(rest) else text


def _is_tellable(tokens: Sequence[str], names: frozenset[str], *, is_cut: bool) -> bool:
    """Whether words say something by themselves: known ones, and none that points to what was said before."""
    if len(tokens) < _MIN_TOLD or any(word.partition("'")[0] in _LISTS["pointers"] for word in tokens):
        return False
    unknown = [
        word
        for word in tokens
        if not (_is_word(word) or word in names or word[0].isdigit() or is_calendar_word(word, "en"))
    ]
    if len(unknown) > 1 or not any(word not in STOPWORDS or kinship_of(word) for word in tokens[1:]):
        return False
    is_open = tokens[-1] in _LISTS["open_ends"] or tokens[-2] in {"and", "or"} or tokens[-1].endswith("ing")
    return not (is_cut and is_open)


def _memory(part: _Part, text: str, label: str | None = None) -> SourceMemory:
    is_feeling = text.startswith("Felt ")
    return SourceMemory(
        part.message.id,
        MemoryType.EMOTION if is_feeling else MemoryType.FACT,
        Subtype.FEELING if is_feeling else Subtype.OTHER,
        text,
        part.message.said_at.date(),
        entity_label=label,
        conversation_id=part.message.conversation_id,
        is_by_rules=True,
    )


def longest_copy(tokens: Sequence[str], messages: Iterable[Sequence[str]]) -> int:
    """The most words in a row that a statement and a message have in common."""
    matches = (SequenceMatcher(None, tokens, said, autojunk=False).find_longest_match() for said in messages)
    return max((match.size for match in matches), default=0)
