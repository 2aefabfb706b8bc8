"""Reads what a statement is, by its subject, verb and tense: its kind, and its key and value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, VerbPhrase, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_adverb
from keepsake.domain.english.inflection import base_phrase
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.english.word_groups import AGE, COUNTS, JOBS, MONTHS, PETS, WEEKDAYS
from keepsake.domain.entities.parse_relative import Relative, parse_relative
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.clauses.clause_filters import phrase_length
from keepsake.domain.reading.statements.statement_kinds import KINDS, WORDS, StatementKind
from keepsake.domain.text import slug, word_set

ASSISTANT = load_pattern("assistant")
VAGUE_OBJECT = load_pattern("vague_object")
_PAST = (Tense.PAST, Tense.PERFECT, Tense.USED_TO)
_STATES = ("be", "have")
_ARTICLES = ("a", "an", "the")
_WE = ("i", "we", "me", "and")
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
_LIMITS = frozenset({"when", "whenever", "while", "if", "unless", "until"})
"""Behind these stands when something denied is not so."""
_FROM = re.compile(r"(?<=\bmoved) from [^,;]{2,40}? to\b")
_PET = re.compile(PETS)
_MONTHS = frozenset(map(str.lower, MONTHS))
_MIN_AGE_OF_AUTHOR, _MAX_AGE, _MAX_BEFORE, _MAX_JOB = 6, 120, 6, 5


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it is read; ``what`` is what stands behind its verb."""

    kind: StatementKind
    phrase: VerbPhrase | None = None
    verb_length: int = 0
    what: str = ""
    detail: str = ""
    """The word before one of ``has``, the unit of an age, an exception, or what stands in a place."""
    is_over: bool = False
    """It held, and does no more ("I no longer live there")."""

    @property
    def is_certain(self) -> bool:
        """Whether no classifier need be asked: also of what is over, where it is something by itself."""
        is_thing = self.kind.subtype is not Subtype.POSSESSION or self.what.startswith(("a ", "an ", "my "))
        return self.kind.is_certain or (self.is_over and is_thing and VAGUE_OBJECT.match(self.what) is None)

    @property
    def is_negated(self) -> bool:
        """Whether it says that something is not so."""
        return self.phrase is not None and self.phrase.is_negated

    @property
    def retracts(self) -> bool:
        """Whether it only says that something is over, which ends what its key names."""
        return self.is_over and self.key_and_value()[0] is not None and not (self.is_negated and self.kind.denied)

    @property
    def relative(self) -> Relative | None:
        """The relative whom it is about."""
        if self.phrase is None or self.phrase.subject is not Subject.CLOSE:
            return None
        owner = self.phrase.owner.split()
        owner = owner[owner[0] in ("my", "our", "the") :]
        while len(owner) > 1 and is_adverb(owner[-1]):
            owner.pop()
        return parse_relative(" ".join(owner))

    def key_and_value(self) -> tuple[str | None, str | None]:
        """The key of the statement, and its value; none where it denies something for a time ("not when I drive")."""
        phrase = self.phrase
        if phrase is None or (phrase.is_negated and not _LIMITS.isdisjoint(phrase.rest)):
            return None, None
        what = slug(self.what)
        first, _, behind = what.partition("_")
        names = {
            "verb": phrase.verb,
            "done": phrase_slug(" ".join((phrase.verb, *phrase.rest))),
            "owner": phrase_slug(phrase.owner),
            "last": phrase_slug(phrase.owner.rpartition(" ")[2]),
            "companion": phrase_slug(" ".join(word for word in phrase.owner.split() if word not in _WE)),
            "detail": phrase_slug(self.detail),
            "first": first,
        }
        key = self.kind.key.format(what=phrase_slug(self.what), **names)
        value = (phrase.is_negated and self.kind.denied) or self.kind.value
        value = value.format(what=behind if behind and first in _ARTICLES else what, **names).removesuffix("_with_")
        if not (key and value) or key.endswith("|"):
            return None, None
        return f"{self.kind.type.value}|person|{self._whose(key)}", value

    @property
    def animal(self) -> str:
        """The animal that it is about, "kiwi" of "my parrot Kiwi"; the empty text where it is about none."""
        parts = self.relative.relation.split("_") if self.relative else []
        return parts[-1] if self.kind.is_certain and any(map(_PET.fullmatch, parts)) else ""

    def _whose(self, key: str) -> str:
        """The key with whom it is about before it."""
        if self.relative is None or self.kind.type is MemoryType.FACT:
            return f"self|{key}"
        return f"self|pet|{self.animal}|{key}" if self.animal else self.relative.key(key)


_HABIT = StatementKind(Subtype.HABIT, MemoryType.PATTERN, key="habit|{done}", value="yes", importance=1)
_AVOIDANCE = StatementKind(Subtype.PREFERENCE, key="avoids|{done}", denied="yes")
_PLAN = StatementKind(Subtype.EVENT, key="plan|{done}", value="yes", importance=1)
_OF_CLOSE = StatementKind(Subtype.RELATIONSHIP, MemoryType.RELATIONSHIP, key="{done}", value="yes")
_OCCASION = StatementKind(Subtype.EVENT, key="when|{owner}", value="{what}", importance=1)
_OF_OWN = StatementKind(Subtype.POSSESSION)
_IDENTITY = StatementKind(Subtype.IDENTITY)
"""What has no key is told a first context, which shows who the person is in words of their own."""

_HABITUAL = word_set("every each always never usually often normally")


def read_kind(words: str, fronted_phrase: str = "") -> Statement:
    """What a statement is; a plan where it names a day to come."""
    said = words
    for over, denied in _ENDED:
        said = said.replace(over, denied, 1)
    is_over = said != words
    said = _FROM.sub(" to", said)
    phrase = read_verb_phrase(said)
    if phrase is None:
        return Statement(replace(_IDENTITY, subtype=Subtype.EVENT, importance=1) if names_day(words) else _IDENTITY)
    is_denied = phrase.is_negated and words.endswith(tuple(WORDS["no_more"]))
    is_over = is_over or is_denied or phrase.tense is Tense.USED_TO
    is_plan, is_state = _names_day_to_come(words, phrase), phrase.verb in _STATES
    is_limited = _CIRCUMSTANCE.search(f"{fronted_phrase} {words}") is not None
    found = (
        statement
        for statement in _statements(said, phrase, is_over=is_over)
        if not (is_plan and statement.kind.is_certain != is_state)
        and not (is_limited and statement.kind.is_certain and "{" not in statement.kind.key)
    )
    best = max(found, key=lambda one: (one.kind.is_certain, one.verb_length), default=None)
    return best or _other(phrase, is_plan=is_plan)


def _other(phrase: VerbPhrase, *, is_plan: bool) -> Statement:
    """A statement whose verb is in no kind of the table."""
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
    what = " ".join(phrase.rest).removesuffix(" now")
    return Statement(replace(kind, key="") if is_denied else kind, phrase, 1, what)


def _statements(words: str, phrase: VerbPhrase, *, is_over: bool) -> Iterator[Statement]:
    """What a statement may be by the kinds of the table."""
    tokens = [token for token in words.split() if bare_words(token)]
    for kind in KINDS.get((phrase.subject, phrase.verb), ()):
        length = _verb_length(kind, phrase, is_over=is_over)
        if not length:
            continue
        rest, start = phrase.rest[length - 1 :], 0
        if kind.check == "place" and rest[:1] and rest[0] in (*_ARTICLES, "my", "our") and "in" in rest[:-1]:
            start = len(rest) - rest[::-1].index("in")  # "a tiny flat in Gdansk"
        if phrase_length(rest[start:], kind.never):
            continue
        behind = tokens[len(tokens) - len(rest) + start :]
        found = _object(kind, behind) if kind.is_certain else (" ".join(rest), "")
        if found is not None:
            what, detail = found
            detail = detail or " ".join(rest[:start])
            yield Statement(kind, phrase, length, what.removesuffix(" now"), detail, is_over or kind.ends)


def _verb_length(kind: StatementKind, phrase: VerbPhrase, *, is_over: bool) -> int:
    """How many words of a statement, from its verb on, are the verb; 0 where it is of another kind."""
    if kind.owners and phrase.owner.partition(" ")[2] not in kind.owners:
        return 0
    if (kind.only_if_subject_known and " " in phrase.owner) or not set(kind.not_of).isdisjoint(phrase.owner.split()):
        return 0
    is_kind = phrase.tense.value in kind.tenses and (kind.denied if phrase.is_negated else kind.value)
    ends = is_over and kind.value and Tense.PRESENT.value in kind.tenses
    return phrase_length((phrase.verb, *phrase.rest), kind.verbs) if is_kind or ends else 0


def _object(kind: StatementKind, behind: Sequence[str]) -> tuple[str, str] | None:
    """What stands behind the verb of a kind, and its detail; None where the kind asks for something else."""
    words = [token.lower().strip(" ,.!?") for token in behind]
    if kind.check == "age":
        return _age(kind, " ".join(words))
    if kind.one_of or kind.has:
        return _phrase(kind, words)
    ends = WORDS.get(f"beside_{kind.check}s", WORDS["stops"])
    length = next((index for index in range(1, len(words)) if phrase_length(words[index:], ends)), len(words))
    what = " ".join(behind[:length]).strip(" ,.;:!")
    if kind.check in _FITS and not _FITS[kind.check](behind[:length], words[:length]):
        return None
    is_vague = not what or VAGUE_OBJECT.match(what) is not None or ASSISTANT.search(what) is not None
    if is_vague and "{what}" in kind.key + kind.value:
        return None
    return base_phrase(what) if kind.check == "habit" else what, ""


_FITS: Mapping[str, Callable[[Sequence[str], Sequence[str]], object]] = {
    "habit": lambda _, words: words and words[0].endswith("ing") and {"it", "this", "that"}.isdisjoint(words),
    "job": lambda _, words: 0 < len(words) <= _MAX_JOB and words[-1] in JOBS,
    "name": lambda said, _: said and said[0][0].isupper(),
    "nothing": lambda _, words: not words or phrase_length(words, WORDS["stops"]),
    "date": lambda _, words: any(word[:1].isdigit() or word in _MONTHS for word in words),
}
"""Whether the words of an object, as they are said and in lower case, are what the ``check`` of a kind asks for."""


def _age(kind: StatementKind, said: str) -> tuple[str, str] | None:
    match = _AGE.match(said)
    if match is None:
        return None
    age, unit = COUNTS.get(slug(match["age"]), match["age"]), match["unit"] or "year"
    is_author = kind.about is Subject.AUTHOR  # neither "I'm one" nor "I'm 26 weeks" says how old somebody is
    is_age = not age.isdigit() or (_MIN_AGE_OF_AUTHOR if is_author else 1) <= int(age) <= _MAX_AGE
    return (age, f"{unit}s") if is_age and (unit == "year" or not is_author) else None


def _phrase(kind: StatementKind, words: Sequence[str]) -> tuple[str, str] | None:
    """One of the phrases of a kind that stand behind its verb.

    One of ``has`` may have others before it ("a severe nut allergy", "an allergy to nuts"), one of ``one_of`` stands
    by itself: not "single-storey".
    """
    found = ((at, phrase_length(words[at:], kind.has or kind.one_of)) for at in range(_MAX_BEFORE))
    start, length = next(((at, length) for at, length in found if length), (0, 0))
    before, rest = words[:start], words[start + length :]
    if not length:
        return None
    if kind.has:
        return " ".join(words), " ".join(words[start + 2 :] if rest[:1] == ["to"] else before[-1:])
    is_alone = not rest or phrase_length(rest, WORDS["stops"] | WORDS["beside_values"])
    has_only_degrees = all(word in WORDS["degrees"] or is_adverb(word) for word in before)
    exception = " ".join(rest) if phrase_length(rest, WORDS["exceptions"]) else ""
    return (" ".join(words[start : start + length]), exception) if is_alone and has_only_degrees else None


def _names_day_to_come(words: str, phrase: VerbPhrase) -> bool:
    """Whether a statement names a day to come; what is done on weekdays is mostly done every week."""
    said = words.replace(",", "").split()
    if phrase.tense in _PAST or not _HABITUAL.isdisjoint(said):
        return False
    if phrase.tense is Tense.PRESENT and phrase.verb not in _STATES:
        pairs = zip(["", *said], said, strict=False)
        said = [word for before, word in pairs if before in ("next", "this") or word.lower() not in WEEKDAYS]
    return names_day(" ".join(said))
