"""Finds short clauses in messages that can be told alone: what the person did or felt, what somebody with a name did.

For summaries without a model. A clause is in the past, all its words are known, it refers to nothing before it, and
nothing makes it unreal ("if", "almost", a question). What is doubtful is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.relative_dates import RELATIVE_DATE
from keepsake.domain.evidence.clauses_around import is_calendar_word
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.compose_sentences import weekday_and_date
from keepsake.domain.summaries.copied_words import find_runs, is_copy
from keepsake.domain.summaries.names_in_messages import is_word
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.text import normalize_apostrophes, words

_MIN_WORDS = 2
_SENTENCE = re.compile(r"[^.!?;\n…()]++[.!?;\n…()]*+")
_TITLE = re.compile(r"\b(Mrs?|Ms|Dra?|Prof|St)\.(?= )")
_PART = re.compile(r",\s++|(?<!\s)\s++(?:and\s++(?=(?:then\b[^,]{0,30}\s)?i\b)|but\s++)", re.IGNORECASE)
_BOUNDARY = re.compile(r" (?=(?:and|because|so|after|before|for|with|since|on|in|at|to|from|about|by|like|without)\b)")
_WORD = re.compile(r"[^\W_][\w'-]*")
_I = re.compile(
    r"(?:(?:and|but|so|well|yes|ok|okay|then)\b )*(?:then (?P<where>[\w ]{0,30}) )?i (?P<rest>.+)", re.IGNORECASE
)
_QUOTE = re.compile(r"[“”‘\"]|(?<!\w)'")
_ORDINAL = re.compile(r"\d(?:st|nd|rd|th)\b")
_NEAR = {"today": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": -1, "last night": -1}
_OWN = {"my": "their", "myself": "themselves"}
_ME = frozenset({"me", "myself", "i", "us"})
_OBLIGATION = ("Has to ", "Needs to ", "Wants to ")
_HALF_FELT = re.compile(r"\bit (?:feels?|felt)\b|\bbut\b|\band (?:then|yet)\b", re.IGNORECASE)
_PEOPLE = "boy|girl|man|woman|guy|lady|kids?|child|children|baby"
_POINTING = re.compile(rf" (?:about|with|for|to|of|at|by|from) (?:the|that|this) (?:{_PEOPLE})\b.*")
_LISTS = {name: frozenset(lines) for name, lines in load_sections("message_clauses", __package__).items()}


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence of a message, and whether the person is who the sentence is about so far."""

    text: str
    message: SaidMessage
    is_own: bool


def find_message_clauses(
    messages: Sequence[SaidMessage], names: frozenset[str], person: str = ""
) -> list[SourceMemory]:
    """What such clauses say, in their order; ``names`` are those of people, ``person`` wrote the messages."""
    found = []
    for index, message in enumerate(messages):
        read = (_clause(part, names, person) for part in _parts(message, names))
        kept = [one for one in read if one is not None and rejection_of_text(one.text) is None]
        found += [one for one in kept if not _is_superseded(one.text, messages[index + 1 :])]
    return found


def _is_superseded(text: str, later: Sequence[SaidMessage]) -> bool:
    """Whether it says what is still to be done, and a later message is about the same thing."""
    if not text.startswith(_OBLIGATION):
        return False
    things = {word for word in words(text)[2:] if known_lemmas(word, "NOUN") and word not in STOPWORDS}
    return any(things & set(words(one.text)) for one in later)


def is_half_felt(message: str) -> bool:
    """Whether a message says two feelings that belong together: "happy, and it feels wrong to be happy"."""
    return _HALF_FELT.search(message) is not None


def without_pointing(text: str) -> str:
    """The text without an addition about somebody whom only the message makes known: "about the boy"."""
    return _POINTING.sub("", text)


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


def _clause(part: _Part, names: frozenset[str], person: str) -> SourceMemory | None:
    """The memory that a part makes; None where it says nothing that can be told."""
    tokens = [token for token in part.text.split() if token.casefold().strip(",") not in _LISTS["fillers"]]
    length = _subject_length(tokens, names)
    if length:
        subject, said = tokens[:length], tokens[length:]
        if not (_is_age(said) or (said and said[0].casefold() not in _LISTS["reports"] and _is_past(said[0]))):
            return None
        said = said[:2] if _is_age(said) else said
        subject = subject[1:] if subject[0].casefold() == "my" else subject
        text = _shorten(_of_person(said, person), part.message, names)
        shown = " ".join(subject)
        return _memory(part, f"{shown[:1].upper()}{shown[1:]} {text}", label=subject[-1]) if text else None
    said = _own(" ".join(tokens), names, is_own=part.is_own)
    text = _shorten(said, part.message, names) if said else None
    if text and text.startswith("felt ") and is_half_felt(part.message.text):
        return None
    return _memory(part, f"{text[:1].upper()}{text[1:]}") if text else None


def _of_person(said: Sequence[str], person: str) -> list[str]:
    """What is said of somebody else, with the person's name for "me"; nothing where it would have none."""
    named = {"me": person, "my": f"{person}'s"}
    if not person and any(word.casefold() in named for word in said):
        return []
    return [named.get(word.casefold(), word) for word in said]


def _own(text: str, names: frozenset[str], *, is_own: bool) -> list[str]:
    """What the person says of themselves, from its verb on, in the third person; nothing where it is none."""
    match = _I.fullmatch(text)
    if match is not None and match["where"] and any(_is_past(word) for word in match["where"].split()):
        return []
    said = (match["rest"] if match else text).split()
    while said and said[0].casefold() in _LISTS["adverbs"]:
        said = said[1:]
    if len(said) < _MIN_WORDS or not (match or is_own):
        return []
    first, second = said[0].casefold(), said[1].casefold()
    if first in {"feel", "felt"}:
        return ["felt", *said[1:]]
    if match and first in {"have", "need", "want"} and second == "to":
        return [{"have": "has"}.get(first, f"{first}s"), *said[1:]]
    is_complete = match is not None or (first not in _LISTS["imperatives"] and _is_object(said[1], names))
    is_usable = is_complete and first not in _LISTS["unsaid"] and _is_past(first) and not _is_plural(second)
    return said if is_usable else []


def _is_plural(word: str) -> bool:
    """Whether a noun is of many: "designed bridges" says what one used to do, and not what happened."""
    return word.endswith("s") and any(lemma != word for lemma in known_lemmas(word, "NOUN"))


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


def _shorten(said: Sequence[str], message: SaidMessage, names: frozenset[str]) -> str | None:
    """The clause from its verb on, with its date, cut to what a summary may copy; None where it cannot be told."""
    text = _with_date(" ".join(said), message.said_at.date())
    if not text:
        return None
    runs = find_runs([words(message.text)])
    for end in [len(text), *reversed([match.start() for match in _BOUNDARY.finditer(text)])]:
        kept = text[:end].rstrip(" ,")
        shown = " ".join(_OWN.get(word.casefold(), word) for word in kept.split())
        is_cut = end < len(text)
        tokens = [word.casefold() for word in _WORD.findall(kept)]
        is_known = _POINTING.search(shown) is None and not _ME.intersection(tokens)
        if is_known and _is_tellable(tokens, names, is_cut=is_cut) and not is_copy(words(shown), runs):
            return shown
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
    if len(tokens) < _MIN_WORDS or any(word.partition("'")[0] in _LISTS["pointers"] for word in tokens):
        return False
    unknown = [
        word
        for word in tokens
        if not (is_word(word) or word in names or word[0].isdigit() or is_calendar_word(word, "en"))
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
