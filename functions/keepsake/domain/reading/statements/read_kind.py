"""Reads what a statement is, by its subject, verb and tense: its kind, and its key and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, VerbPhrase, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_adverb
from keepsake.domain.english.inflection import base_phrase
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.english.word_groups import AGE, COUNTS, JOBS, MONTHS, PETS, WEEKDAYS
from keepsake.domain.entities.parse_relative import Relative, parse_relative
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.statements.checks import ASSISTANT, VAGUE_OBJECT
from keepsake.domain.reading.statements.statement_kinds import KINDS, WORDS, StatementKind
from keepsake.domain.text import slug

_PAST = (Tense.PAST, Tense.PERFECT, Tense.USED_TO)
_STATES = ("be", "have")
_MY = ("my ", "our ", "the ")
_ARTICLES = ("a", "an", "the")
_REGULAR = re.compile(r"\b(?:every|each) (?:\w+ )?\w+", re.IGNORECASE)
_WEEKDAY = re.compile(rf"(?<!next )(?<!this )\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE)
_CIRCUMSTANCE = re.compile(rf"\b{load_alternations('circumstances')['circumstances']}\b", re.IGNORECASE)
_AGE = re.compile(
    rf"(?P<age>{AGE})(?:[- ](?P<unit>year|month|week)s?(?:[- ]old|$))?"
    r"(?:$| (?:now|already|this|last|today|yesterday|recently|on|in|and(?! \d))\b)",
    re.IGNORECASE,
)
_ENDED = (
    (" stopped being ", " am not "),
    (" am no longer ", " am not "),
    (" is no longer ", " is not "),
    (" no longer ", " do not "),
)
"""Words that say that something is over, and plain negations that the grammar reads."""
_FROM = re.compile(r"(?<=\bmoved) from [^,;]{2,40}? to\b")
_PET = re.compile(PETS)
_MAX_AGE, _MAX_BEFORE, _MAX_JOB = 120, 6, 5


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it is read; ``what`` is what stands behind its verb, ``before`` the word before one of ``has``."""

    kind: StatementKind
    phrase: VerbPhrase | None = None
    verb_length: int = 0
    what: str = ""
    before: str = ""
    unit: str = "years"
    is_over: bool = False
    """It held, and does no more ("I no longer live there")."""

    @property
    def is_certain(self) -> bool:
        """Whether no classifier need be asked: also of what is over, where it is something by itself."""
        is_thing = self.kind.subtype is not Subtype.POSSESSION or self.what.startswith(("a ", "an ", "my "))
        is_known = self.is_over and self.kind in KINDS and is_thing and VAGUE_OBJECT.match(self.what) is None
        return self.kind.is_certain or is_known

    @property
    def retracts(self) -> bool:
        """Whether it only says that something is over, which ends what its key names."""
        return self.is_over and self.key_and_value()[0] is not None and not (self._is_negated and self.kind.denied)

    @property
    def relative(self) -> Relative | None:
        """The relative whom it is about."""
        if self.phrase is None or self.phrase.subject is not Subject.CLOSE:
            return None
        _, *owner = self.phrase.owner.split() if self.phrase.owner.startswith(_MY) else ("", self.phrase.owner)
        while len(owner) > 1 and is_adverb(owner[-1]):
            owner.pop()
        relative = parse_relative(" ".join(owner))
        is_torn = relative.name != "" and relative.name.split("_")[0] not in map(slug, " ".join(owner).split())
        return Relative(slug(" ".join(owner))) if is_torn else relative  # "pa" in "parrot Kiwi"

    @property
    def _is_negated(self) -> bool:
        return self.phrase is not None and self.phrase.is_negated

    def key_and_value(self) -> tuple[str | None, str | None]:
        """The key of the statement, and its value."""
        if self.phrase is None:
            return None, None
        names = {"done": phrase_slug(" ".join((self.phrase.verb, *self.phrase.rest))), "verb": self.phrase.verb}
        names |= {"owner": phrase_slug(self.phrase.owner), "last": phrase_slug(self.phrase.owner.rpartition(" ")[2])}
        names |= {"before": phrase_slug(self.before), "whom": phrase_slug(self._companion)}
        what = base_phrase(self.what) if self.kind.check == "habit" else self.what
        said = _without_article(slug(what))
        key = self.kind.key.format(what=phrase_slug(what), **names)
        value = (self._is_negated and self.kind.denied) or self.kind.value
        value = value.format(what=said, first=said.partition("_")[0], **names).removesuffix("_with_")
        if not (key and value) or key.endswith("|"):
            return None, None
        value = COUNTS.get(value, value) if self.kind.check == "age" else value
        return f"{self.kind.type.value}|person|{self._whose(key)}", value

    @property
    def _companion(self) -> str:
        """With whom something was done: "Felix" of "Felix and I broke up", and of "I broke up with Felix"."""
        who = self.phrase.owner.removesuffix(" and i").removeprefix("me and ") if self.phrase else ""
        return self.what if who in ("i", "we") else who

    def _whose(self, key: str) -> str:
        """The key with whom it is about before it."""
        relative = self.relative
        if relative is None or self.kind.type is MemoryType.FACT:
            return f"self|{key}"
        animal = relative.relation.rpartition("_")[2]
        is_animal = self.kind.is_certain and any(map(_PET.fullmatch, relative.relation.split("_")))
        return f"self|pet|{animal}|{key}" if is_animal else relative.key(key)


def _without_article(value: str) -> str:
    first, _, rest = value.partition("_")
    return rest if rest and first in _ARTICLES else value


_HABIT = StatementKind(Subtype.HABIT, MemoryType.PATTERN, key="habit|{done}", value="yes")
_AVOIDANCE = StatementKind(Subtype.PREFERENCE, key="avoids|{done}", denied="yes", importance=2)
_PLAN = StatementKind(Subtype.EVENT, key="plan|{done}", value="yes")
_OF_CLOSE = StatementKind(Subtype.RELATIONSHIP, MemoryType.RELATIONSHIP, key="{done}", value="yes", importance=2)
_OCCASION = StatementKind(Subtype.EVENT, key="when|{owner}", value="{what}")
_OF_OWN = StatementKind(Subtype.POSSESSION, importance=2)
_IDENTITY = StatementKind(Subtype.IDENTITY, importance=2)
"""What has no key is told a first context, which shows who the person is in words of their own."""


def read_kind(words: str, fronted_phrase: str = "") -> Statement:
    """What a statement is; a plan where it names a day to come."""
    said = (
        words.replace(" stopped being ", " am not ")
        .replace(" am no longer ", " am not ")
        .replace(" is no longer ", " is not ")
    )
    said = said.replace(" no longer ", " do not ", 1)
    phrase = read_verb_phrase(_FROM.sub(" to", said))
    if phrase is None:
        return Statement(replace(_IDENTITY, subtype=Subtype.EVENT, importance=1) if names_day(words) else _IDENTITY)
    ends = said != words or (phrase.is_negated and words.endswith(WORDS["no_more"]))
    is_plan = _names_day_to_come(words, phrase)
    is_limited = _CIRCUMSTANCE.search(f"{fronted_phrase} {words}") is not None
    found = [
        statement
        for statement in _statements(_FROM.sub(" to", said), phrase, is_over=ends or phrase.tense is Tense.USED_TO)
        if not statement.kind.is_certain
        or not ((is_plan and phrase.verb not in _STATES) or (is_limited and "{" not in statement.kind.key))
    ]
    best = max(found, key=lambda one: (one.kind.is_certain, one.verb_length), default=None)
    if best is not None and (best.kind.is_certain or not (is_plan and phrase.verb in _STATES)):
        return best
    return _other(phrase, is_plan=is_plan)


def _other(phrase: VerbPhrase, *, is_plan: bool) -> Statement:
    """A statement whose verb is in no kind of the table."""
    what = " ".join(phrase.rest)
    if phrase.subject is not Subject.AUTHOR:
        kind = {Subject.CLOSE: _OF_CLOSE, Subject.OWN: _OF_OWN}.get(phrase.subject, _IDENTITY)
        if is_plan and kind is not _OF_CLOSE and phrase.verb == "be" and phrase.owner.startswith("my "):
            kind = _OCCASION
        elif is_plan:
            kind = replace(kind, subtype=Subtype.EVENT, importance=1)
    elif is_plan:
        kind = _PLAN
    elif phrase.is_negated and phrase.verb != "be" and phrase.tense in (Tense.PRESENT, Tense.ABILITY):
        kind = _AVOIDANCE
    else:
        kind = {Tense.PRESENT: _HABIT, Tense.FUTURE: _PLAN}.get(phrase.tense, _IDENTITY)
    is_denied = phrase.is_negated and not kind.denied
    return Statement(replace(kind, key="") if is_denied else kind, phrase, 1, what.removesuffix(" now"))


def _statements(words: str, phrase: VerbPhrase, *, is_over: bool) -> Iterator[Statement]:
    """What a statement may be by the kinds of the table."""
    tokens = [token for token in words.split() if bare_words(token)]
    for kind in KINDS:
        length = _verb_length(kind, phrase, is_over=is_over)
        if not length:
            continue
        statement = Statement(kind, phrase, length, is_over=is_over or kind.ends)
        if not kind.is_certain:
            yield replace(statement, what=" ".join(phrase.rest[length - 1 :]).removesuffix(" now"))
            continue
        behind = tokens[len(tokens) - len(phrase.rest) + length - 1 :]
        if (certain := _with_value(statement, behind)) is not None:
            yield certain


def _verb_length(kind: StatementKind, phrase: VerbPhrase, *, is_over: bool) -> int:
    """How many words of a statement, from its verb on, are the verb; 0 where it is of another kind."""
    if phrase.subject is not kind.about or (kind.owners and phrase.owner.partition(" ")[2] not in kind.owners):
        return 0
    if kind.subtype is Subtype.POSSESSION and phrase.rest[:1] == ("to",):  # "I have to go", "I drive to work"
        return 0
    if (kind.only_if_subject_known and " " in phrase.owner) or not set(kind.not_of).isdisjoint(phrase.owner.split()):
        return 0
    said = (phrase.verb, *phrase.rest)
    lengths = [len(words) for verb in kind.verbs if said[: len(words := verb.split())] == tuple(words)]
    is_kind = phrase.tense.value in kind.tenses and (kind.denied if phrase.is_negated else kind.value)
    ends = is_over and kind.value and Tense.PRESENT.value in kind.tenses
    return max(lengths, default=0) if is_kind or ends else 0


def _with_value(statement: Statement, behind: list[str]) -> Statement | None:
    """A statement of a certain kind with what stands behind its verb; None where that is something else."""
    kind, words = statement.kind, [token.lower().strip(" ,.!?") for token in behind]
    is_inside = words[:1] and words[0] in (*_ARTICLES, "my", "our")
    if kind.check == "place" and is_inside and "in" in words[:-1]:  # "a tiny flat in Gdansk"
        start = len(words) - words[::-1].index("in")
        statement = replace(statement, kind=replace(kind, text=""))
        behind, words = behind[start:], words[start:]
    if _begins(" ".join(words), kind.never):
        return None
    if kind.check == "age":
        return _with_age(statement, " ".join(words))
    if kind.one_of:
        return _with_one_of(statement, words)
    return _with_word(statement, words) if kind.has else _with_object(statement, behind, words)


def _with_age(statement: Statement, said: str) -> Statement | None:
    match = _AGE.match(said)
    if match is None or (match["age"].isdigit() and not 0 < int(match["age"]) <= _MAX_AGE):
        return None
    unit = match["unit"] or "year"
    is_possible = unit == "year" or statement.kind.about is not Subject.AUTHOR  # "I'm 26 weeks"
    return replace(statement, what=match["age"], unit=f"{unit}s") if is_possible else None


def _with_one_of(statement: Statement, words: list[str]) -> Statement | None:
    """A statement whose value is one of few, and stands by itself: not "single-storey"."""
    start = 0
    if not _begins(" ".join(words), statement.kind.one_of):  # "long answers" begins with an adverb
        start = next((at for at, word in enumerate(words) if word not in WORDS["degrees"] and not is_adverb(word)), 0)
    value = _begins(" ".join(words[start:]), statement.kind.one_of)
    rest = " ".join(words[start + len(value.split()) :])
    is_alone = not rest or _begins(rest, (*WORDS["stops"], *WORDS["beside_values"]))
    if _begins(rest, WORDS["exceptions"]):  # which the text says: "vegan except for honey"
        statement = replace(statement, kind=replace(statement.kind, text=""))
    return replace(statement, what=value) if value and is_alone else None


def _with_word(statement: Statement, words: list[str]) -> Statement | None:
    """A statement with one of its words near the verb: "a nut allergy", "a severe allergy to nuts"."""
    has = statement.kind.has
    index = next((index for index in range(_MAX_BEFORE) if _begins(" ".join(words[index:]), has)), None)
    if index is None:
        return None
    of = words[index + 2 :] if words[index + 1 : index + 2] == ["to"] else words[max(index - 1, 0) : index]
    return replace(statement, what=" ".join(words), before=" ".join(of))


def _with_object(statement: Statement, behind: list[str], words: list[str]) -> Statement | None:
    """A statement about what stands behind its verb, without what is said beside it."""
    kind = statement.kind
    ends = WORDS.get(f"beside_{kind.check}s", WORDS["stops"])
    length = next((index for index in range(1, len(words)) if _begins(" ".join(words[index:]), ends)), len(words))
    what = " ".join(behind[:length]).strip(" ,.;:!")
    if not _fits(kind, what, words[:length]):
        return None
    is_vague = not what or VAGUE_OBJECT.match(what) is not None or ASSISTANT.search(what) is not None
    return None if is_vague and "{what}" in kind.key + kind.value else replace(statement, what=what)


def _fits(kind: StatementKind, what: str, words: list[str]) -> bool:
    """Whether the object of a statement is what its kind asks for."""
    is_date = any(word[:1].isdigit() for word in words) or any(month.lower() in words for month in MONTHS)
    match kind.check:
        case "habit":
            return what.partition(" ")[0].endswith("ing") and {"it", "this", "that"}.isdisjoint(words)
        case "job":
            return 0 < len(words) <= _MAX_JOB and words[-1] in JOBS
        case "name":
            return what[:1].isupper()
        case "nothing":
            return not what or bool(_begins(" ".join(words), WORDS["stops"]))
        case "date" | "birthplace":
            return is_date == (kind.check == "date")
    return True


def _begins(said: str, phrases: tuple[str, ...]) -> str:
    """The phrase with which the words begin; the empty text where there is none."""
    return next((phrase for phrase in phrases if f"{said} ".startswith(f"{phrase} ")), "")


def _names_day_to_come(words: str, phrase: VerbPhrase) -> bool:
    """Whether a statement names a day to come; what is done on weekdays is mostly done every week."""
    if phrase.tense in _PAST:
        return False
    is_habit = phrase.tense is Tense.PRESENT and phrase.verb not in _STATES
    said = _REGULAR.sub("", words)
    return names_day(_WEEKDAY.sub("", said) if is_habit else said)
