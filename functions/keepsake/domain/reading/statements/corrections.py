"""Resolves corrections without a subject: "actually it's ramen" is about the statement before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.third_person import capitalize, to_third_person_pronouns
from keepsake.domain.english.word_groups import MONTHS
from keepsake.domain.memory import Candidate, Memory, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.text import slug, word_set
from keepsake.domain.text import words as words_of

_WORDS = load_alternations("corrections")

_CORRECTION = re.compile(
    rf"^{_WORDS['correction_openers']}?(?P<value>(?!{_WORDS['not_a_value']})[^,;]{{1,60}}?)(?:,? (?:now|"
    rf"not .{{1,40}}|instead|actually)|, (?:[\w']{{1,20}} ){{1,3}}(?:is|was|are|were)\b.{{1,60}})?$",
    re.I,
)
_PRONOUN = re.compile(
    r"^(?:it|that|she|he|they) (?:is|was|are)\b|^make (?:it|that)\b|^I (?:meant?|said|should have said)\b", re.I
)
_STATEMENT = word_set("i my we our you your is are was were do does can will the")
_OPENING_NOW = re.compile(r"^(?:it is )?now (?:it is |in |at |on |as )?", re.I)
_MAX_BARE_WORDS = 4
_MAX_LOOK_BACK = 3
_SPELLING_REMARK = re.compile(r" (?:with|without) an? \w+$|,? spel(?:led|t) .{0,100}$", re.I)
_PREPOSITION = re.compile(r"^(?:on|at|in) ", re.I)
_DATE = re.compile(rf"\d|day\b|\b(?:{'|'.join(MONTHS)})\b", re.I)

_KINDS_BY_PREPOSITION = {"in": frozenset({"home", "hometown", "birthplace"}), "at": frozenset({"employer"})}
_NAMED_KINDS = frozenset({"home", "hometown", "birthplace", "employer", "name", "nickname"})
"""What has a name for its value: a name that corrects no other kind is about one of these."""
_MIN_SIMILARITY = 60

_TEMPLATES = {
    "name": "Name is {0}", "nickname": "Likes to be called {0}", "home": "Lives in {0}", "hometown": "Is from {0}",
    "employer": "Works at {0}",
    "occupation": "Works as {0}", "age": "Is {0} years old", "birthday": "Birthday is {0}", "pronouns":
    "Pronouns are {0}",
    "birthplace": "Was born in {0}", "diet": "Is {0}", "sun_sign": "Is a {0}",
}  # fmt: skip


def resolve_correction(clause: Clause, earlier: Sequence[Candidate], recent: Sequence[Memory]) -> Candidate | None:
    """The statement a bare correction makes about the last single-valued thing the person stated, if it is one."""
    words = clause.words
    opening_now = _OPENING_NOW.match(words) if earlier and earlier[-1].retracts else None
    match = _CORRECTION.match(words if opening_now is None else words[opening_now.end() :])
    has_pronoun = _PRONOUN.match(words) is not None
    replaces_retraction = bool(earlier) and earlier[-1].retracts and has_pronoun
    if match is None or not (clause.corrects or opening_now or replaces_retraction):
        return None
    value = _SPELLING_REMARK.sub("", match["value"].strip())
    states_more = not _STATEMENT.isdisjoint(word.partition("'")[0] for word in words_of(value))
    if not has_pronoun and (len(value.split()) > _MAX_BARE_WORDS or states_more):
        return None
    last = _last_stated(earlier, recent, value, is_number=value.isdigit())
    text = None if last is None else _text(last, value)
    if last is None or text is None or slug(_PREPOSITION.sub("", value)) == last.value:
        return None
    return Candidate(
        type=last.type,
        subtype=last.subtype if last.subtype is not Subtype.OTHER else Subtype.IDENTITY,
        text=text,
        quote=clause.quote,
        confidence=last.confidence if last.confidence < 1 else 0.8,
        key=last.key,
        value=slug(re.sub(r"^(?:(?:on|at|in) )?(?:(?:an?|the) )?", "", value, flags=re.IGNORECASE)),
        importance=last.importance,
        entity_type="person",
        entity_refs=last.entity_refs,
        entity_label=value if attribute_of(last) in ("name", "nickname") else last.entity_label,
        corrects=True,
        persona_id=last.persona_id,
        why="correction",
    )


def _last_stated(
    earlier: Sequence[Candidate], recent: Sequence[Memory], value: str, *, is_number: bool
) -> Candidate | Memory | None:
    """The newest statement that a value may correct: where one message states several, one like it or of its kind.

    A number corrects a number, if one of the last three is one. Beyond the message that states the newest thing nothing
    else is corrected: "I started yoga" stands between "I live in Graz" and "actually it's Linz".
    """
    newest: list[Candidate | Memory] = [*reversed(earlier), *recent]
    stated = [one for one in newest if one.key and one.value]
    numbers = [one for one in stated[:_MAX_LOOK_BACK] if is_number and (one.value or "").isdigit()]
    if numbers or not stated:
        return numbers[0] if numbers else None
    message = [one for one in _of_one_message(earlier, recent) if one.key and one.value]
    similar = [one for one in message if fuzz.ratio(one.value or "", slug(value)) >= _MIN_SIMILARITY]
    kinds = _KINDS_BY_PREPOSITION.get(value.partition(" ")[0].lower(), frozenset())
    of_kind = [one for one in message if attribute_of(one) in kinds]
    if similar or of_kind:
        return (similar or of_kind)[0]
    if not value[:1].isupper():
        return stated[0]
    named = [one for one in message if _has_name(one)]
    is_unlike = attribute_of(stated[0]) in _NAMED_KINDS and not _has_name(stated[0])  # "Works at a bakery"
    if is_unlike or _text(stated[0], value) is None:
        return next(iter(named), stated[0])
    is_ambiguous = {attribute_of(one) for one in named} >= {"home", "employer"}
    return None if is_ambiguous else stated[0]


def _has_name(stated: Candidate | Memory) -> bool:
    """Whether the value of a statement is a name: "Works at Acme", and not "Works at a bakery"."""
    return attribute_of(stated) in _NAMED_KINDS and stated.text.rpartition(" ")[2][:1].isupper()


def _of_one_message(earlier: Sequence[Candidate], recent: Sequence[Memory]) -> Sequence[Candidate | Memory]:
    """What the message before says, or this one before the correction, the newest first."""
    if earlier:
        return [*reversed(earlier)]
    return [one for one in recent if one.last_said_at == recent[0].last_said_at]


def attribute_of(stated: Candidate | Memory) -> str:
    """The attribute that a key is about: its last part, or ``when`` where that part names the occasion."""
    parts = (stated.key or "").split("|")
    return "when" if "when" in parts[-2:] else parts[-1]


def _text(last: Candidate | Memory, value: str) -> str | None:
    """The text of the last statement with the new value; None where that is not possible."""
    attribute = attribute_of(last)
    numeric = any(character.isdigit() for character in value)
    if attribute == "age" and not numeric:
        return None
    if attribute in _NAMED_KINDS and value[:1].islower() and value.endswith("ing"):  # "actually it's raining"
        return None
    in_third_person = to_third_person_pronouns(_PREPOSITION.sub("", value) if attribute in _NAMED_KINDS else value)
    if attribute == "when":
        return f"{last.text.rpartition(' is ')[0]} is {in_third_person}" if _DATE.search(value) else None
    if attribute.startswith("favorite_"):
        return f"Favorite {attribute.removeprefix('favorite_').replace('_', ' ')} is {in_third_person}"
    if (last.key or "").startswith("relationship|"):
        subject = capitalize(parse_key(last.key).subject.replace("_", " "))
        if attribute != "name" and last.entity_label:
            subject = f"{subject} {last.entity_label}"
        return {
            "age": f"{subject} is {in_third_person} years old",
            "name": f"{subject} is named {in_third_person}",
            "home": f"{subject} lives in {in_third_person}",
        }.get(attribute)
    template = _TEMPLATES.get(attribute)
    return None if template is None else template.format(in_third_person)
