"""Decides whether a clause says something durable about its author, by its subject, verb and tense."""

from __future__ import annotations

import re
from dataclasses import dataclass

from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.clause_reader.descriptions import (
    is_name_or_thing,
    is_role,
    lasts_after_be,
    lasts_after_have,
)
from keepsake.domain.extraction.rules.clause_reader.life_events import (
    has_come_through,
    has_medical_object,
    is_life_event,
    is_scheduled,
    names_date,
)
from keepsake.domain.extraction.rules.clause_reader.refusals import is_refusal
from keepsake.domain.extraction.rules.clause_reader.turning_points import (
    concerns_author,
    is_turning_object,
    is_turning_point,
)
from keepsake.domain.extraction.rules.grammar.noun_phrases import (
    head_of,
    is_passing,
    is_person,
    is_proper_name,
    noun_phrase,
)
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase, read_verb_phrase
from keepsake.domain.extraction.rules.grammar.word_forms import CLASSES, is_in, verb_form
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.text import word_set

_MOMENT = re.compile(rf"\b(?:{'|'.join(sorted(CLASSES['moments']))})\b")
_PRICE = re.compile(r"\$|£ ?\d|\b(?:how|what)\b")
_DURATION = re.compile(r"\b(?:since|years?|months?)\b")
_SINCE = re.compile(
    r"\b(?:since (?!this|last night|yesterday|then)\w|in (?:years|months|ages)|for (?:years|\d+ years))"
)
_TO_WORK = re.compile(r"\bto (?:work|school|uni|university|college)\b")
_REGULARLY = re.compile(
    r"\b(?:every (?!time|one|thing)\w+|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|"
    r"(?:once|twice|\d ?x|\w+ times) (?:a|per) \w+|{often})\b".replace(
        "{often}", "weekly|fortnightly|monthly|yearly|most (?:days|mornings|evenings|nights|weekends)"
    )
)
_VAGUE = load_pattern("vague_object")
_OF_AUTHOR = frozenset({"me", "us", "my", "our"})
_NO_NAMES = word_set("it they who which there these those that this what you he she someone everyone")
_NO_OWNERS = word_set("his her their its you your anyone anything something nothing")
_ASSISTANT = load_pattern("assistant")


@dataclass(frozen=True, slots=True)
class MemoryKind:
    """What kind of memory a clause is."""

    type: MemoryType
    subtype: Subtype


_STATE = MemoryKind(MemoryType.FACT, Subtype.IDENTITY)
_HABIT = MemoryKind(MemoryType.PATTERN, Subtype.HABIT)
_GOAL = MemoryKind(MemoryType.GOAL, Subtype.OTHER)
PLAN = MemoryKind(MemoryType.FACT, Subtype.EVENT)
_OF_CLOSE = MemoryKind(MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP)
_OF_THING = MemoryKind(MemoryType.FACT, Subtype.POSSESSION)
KIND_BY_SUBJECT = {
    Subject.AUTHOR: _STATE,
    Subject.CLOSE: _OF_CLOSE,
    Subject.OWN: _OF_THING,
    Subject.OTHER: _STATE,
}


def kind_of(phrase: VerbPhrase) -> MemoryKind | None:
    """What a clause tells for longer than the moment; None where it does not."""
    after = " ".join(phrase.rest)
    if not phrase.rest:
        return KIND_BY_SUBJECT.get(phrase.subject) if _is_durable_by_itself(phrase) else None
    if is_in("pointers", phrase.rest[-1]) or _PRICE.search(after) or _ASSISTANT.search(after):
        return None
    is_over = phrase.tense in (Tense.PAST, Tense.PERFECT)
    if is_scheduled(phrase):
        return PLAN
    if is_over and phrase.subject is not Subject.AUTHOR and has_come_through(phrase):
        return _STATE
    if phrase.subject is Subject.OTHER:
        return _read_other(phrase, after)
    object_head = "" if is_in("durable_adjectives", phrase.rest[0]) else head_of(phrase.rest)
    if phrase.tense is Tense.MODAL or is_in("task_nouns", object_head, phrase.owner.split()[-1]):
        return None
    if phrase.subject is Subject.OWN and not is_in("own_nouns", *phrase.owner.split()):
        is_regular = phrase.tense is Tense.PRESENT and _REGULARLY.search(after) and not phrase.is_negated
        return _OF_THING if is_regular or _names_thing(phrase) else None
    if is_over or phrase.tense is Tense.FUTURE:
        return _read_turn(phrase, after)
    if _MOMENT.search(after):
        return None
    return _read_author(phrase, after) if phrase.subject is Subject.AUTHOR else _read_owned(phrase, after)


def _read_other(phrase: VerbPhrase, after: str) -> MemoryKind | None:
    """What is said of somebody or something else than the author and what is theirs."""
    if phrase.is_negated:
        return None
    if phrase.tense in (Tense.PAST, Tense.PERFECT):
        return _STATE if concerns_author(phrase) else None
    return None if _MOMENT.search(after) else _read_named(phrase) or _read_affecting(phrase, after)


def is_momentary(words: str) -> bool:
    """Whether a clause tells what somebody is doing, or where they are, at the moment."""
    phrase = read_verb_phrase(words)
    if phrase is None:
        return False
    if phrase.tense is Tense.PROGRESSIVE:
        lasts = is_in("ongoing_verbs", *phrase.verb_forms) or phrase.rest[:1] == ("to",)
        return not (lasts or names_day(" ".join(phrase.rest)))
    return phrase.tense is Tense.PRESENT and phrase.verb == "be" and phrase.rest[:2] in (("at", "the"), ("in", "the"))


def _read_author(phrase: VerbPhrase, after: str) -> MemoryKind | None:
    """What holds of the author."""
    if phrase.tense is Tense.USED_TO:
        return _STATE if is_in("former_verbs", phrase.verb) else None
    if phrase.tense is Tense.ABILITY:
        return _STATE if _is_unable(phrase, after) else None
    if phrase.tense is Tense.PROGRESSIVE:
        return _read_ongoing(phrase, after)
    if phrase.verb == "be":
        if _REGULARLY.search(after) and len(phrase.rest) > 2:
            return _HABIT
        return _STATE if lasts_after_be(phrase.rest) and not phrase.is_negated else None
    if phrase.verb == "have":
        return _STATE if lasts_after_have(phrase.rest) else None
    if phrase.verb in ("get", "take") and _TO_WORK.search(after):
        return _HABIT
    if phrase.verb in ("start", "begin", "join", "move") and names_date(phrase.rest) and not phrase.is_negated:
        return PLAN
    if is_in("goal_openers", phrase.verb):
        return _GOAL if _names_goal(phrase) else None
    return _HABIT if _is_habit(phrase, after) else None


def _read_ongoing(phrase: VerbPhrase, after: str) -> MemoryKind | None:
    """What the author is doing for weeks, or on a day to come."""
    if phrase.is_negated or _VAGUE.match(after) or phrase.rest[0] in ("hard", "so"):
        return None
    if is_passing(phrase.rest) and phrase.rest[0] != "for":
        return None
    is_start = phrase.verb == "start" and phrase.rest[0] in ("to", "at")
    if is_in("ongoing_verbs", *phrase.verb_forms) and not is_start:
        return _STATE
    if phrase.verb == "wait" and is_in("awaited", *phrase.rest):
        return _STATE
    if phrase.verb == "try":
        aim = phrase.rest[1:]
        return _GOAL if phrase.rest[0] == "to" and len(aim) > 1 and is_in("goal_verbs", aim[0]) else None
    if phrase.verb in ("turn", "pay"):
        return _STATE if any(word.isdigit() for word in phrase.rest) or phrase.verb == "turn" else None
    if names_day(after):
        return PLAN
    is_fleeting = is_in("fleeting_activities", *phrase.verb_forms) or is_in("passing_verbs", *phrase.verb_forms)
    return None if is_fleeting or len(phrase.rest) < 2 or phrase.rest[0] == "to" else _STATE


def _read_owned(phrase: VerbPhrase, after: str) -> MemoryKind | None:
    """What holds of a close person, an animal or a thing of the author."""
    if phrase.tense is Tense.PROGRESSIVE:
        is_durable = is_in("ongoing_verbs", *phrase.verb_forms) or names_day(after)
    elif phrase.verb == "be":
        is_named = is_person(phrase.owner.split()) and is_proper_name(phrase.rest)
        is_amount = phrase.subject is Subject.OWN and phrase.rest[0].isdigit()
        is_placed = phrase.rest[0] == "in" and len(phrase.rest) > 1 and is_proper_name(phrase.rest[1:2])
        lasts = lasts_after_be(phrase.rest) or is_named or is_amount or is_placed
        is_durable = lasts and not phrase.is_negated
    elif phrase.tense is Tense.ABILITY:
        is_durable = _is_unable(phrase, after)
    elif phrase.verb == "have":
        is_durable = lasts_after_have(phrase.rest)
    else:
        is_durable = phrase.tense is Tense.PRESENT and _is_habit(phrase, after)
    return KIND_BY_SUBJECT[phrase.subject] if is_durable else None


def _read_named(phrase: VerbPhrase) -> MemoryKind | None:
    """What holds of somebody whom the author only names ("Marek is my husband", "Ottilie lives with us")."""
    owner = tuple(phrase.owner.split())
    if phrase.tense not in (Tense.PRESENT, Tense.PROGRESSIVE) or owner[0] in _NO_NAMES:
        return None
    if phrase.verb == "be" and phrase.rest[0] in ("my", "our"):
        named = noun_phrase(phrase.rest)
        if is_person(named):
            return _OF_CLOSE
        is_thing = len(named) > 1 and is_in("own_nouns", *named) and not is_in("task_nouns", *named)
        return _OF_THING if is_thing and not is_in("vague_subjects", owner[0]) else None
    if len(owner) > 1 or not is_proper_name(owner):
        return None
    is_with_author = not {"me", "us"}.isdisjoint(phrase.rest) and is_in("ongoing_verbs", phrase.verb)
    is_described = phrase.verb == "be" and lasts_after_be(phrase.rest)
    return _OF_CLOSE if is_with_author or is_described else None


def _read_affecting(phrase: VerbPhrase, after: str) -> MemoryKind | None:
    """What somebody or something else does to the author or to what is theirs ("their gran minds our two")."""
    is_of_author = not _OF_AUTHOR.isdisjoint(phrase.rest)
    first = phrase.owner.split()[0]
    form = verb_form(first)
    if form is not None and form.is_base and not is_in("determiners", first):  # "empty the contents of my list"
        return None
    is_known = first not in _NO_NAMES and first not in _NO_OWNERS
    is_habitual = (
        phrase.tense is Tense.PRESENT and not is_in("passing_verbs", *phrase.verb_forms) and phrase.verb != "be"
    )
    if not (is_of_author and is_known and is_habitual) or _VAGUE.match(after):
        return None
    return None if is_in("task_nouns", *phrase.owner.split(), *phrase.rest) else _OF_CLOSE


def _is_unable(phrase: VerbPhrase, after: str) -> bool:
    """Whether somebody cannot do what most people do ("cannot have eggs")."""
    return phrase.is_negated and is_in("ability_verbs", phrase.verb) and not _VAGUE.match(after)


def _is_durable_by_itself(phrase: VerbPhrase) -> bool:
    """Whether subject and verb say enough alone ("is breastfeeding", "my wife does not drive")."""
    if phrase.is_negated:
        return phrase.tense is Tense.PRESENT and is_in("refrained_from", phrase.verb)
    return phrase.tense is Tense.PROGRESSIVE and is_in("ongoing_by_itself", phrase.verb)


def _read_turn(phrase: VerbPhrase, after: str) -> MemoryKind | None:
    """What changed the life of the author or of somebody close, or is going to."""
    if is_refusal(phrase):
        return KIND_BY_SUBJECT[phrase.subject]
    if phrase.is_negated and phrase.tense is Tense.PERFECT and phrase.subject is Subject.AUTHOR:
        is_since = _SINCE.search(after) is not None and not is_in("task_nouns", *phrase.rest)
        return _STATE if is_since and _VAGUE.match(after) is None else None
    if phrase.is_negated or _VAGUE.match(after):
        return None
    kind, is_perfect = KIND_BY_SUBJECT[phrase.subject], phrase.tense is Tense.PERFECT
    if phrase.tense is Tense.FUTURE:
        is_plan = is_turning_point(phrase) or (names_day(after) and not is_in("passing_verbs", *phrase.verb_forms))
        return PLAN if is_plan and phrase.verb != "be" else None
    if phrase.verb == "be" and is_perfect:
        lasts = lasts_after_be(phrase.rest) or _DURATION.search(after)
        return kind if lasts and phrase.rest[0] not in ("for", "since") else None
    if phrase.verb == "be":
        was_so = is_in("durable_adjectives", phrase.rest[0]) and not is_in("passing_adjectives", phrase.rest[0])
        return kind if was_so or is_role(phrase.rest) else None
    if phrase.verb == "have":
        if has_medical_object(phrase):
            return kind
        return kind if lasts_after_have(phrase.rest) and (is_perfect or names_day(after)) else None
    if phrase.subject is Subject.AUTHOR and is_life_event(phrase):
        return kind
    changes = is_turning_object(phrase.rest) if phrase.verb == "get" else is_turning_point(phrase)
    is_of_author = phrase.subject is Subject.CLOSE and concerns_author(phrase)
    return kind if changes or is_of_author else None


def _names_thing(phrase: VerbPhrase) -> bool:
    """Whether it says what a thing of the author is ("my Polo is a 2014 model")."""
    is_description = phrase.tense is Tense.PRESENT and phrase.verb == "be" and is_name_or_thing(phrase.rest)
    return is_description and phrase.owner.startswith("my ") and not is_in("passing_nouns", phrase.owner.split()[-1])


def _names_goal(phrase: VerbPhrase) -> bool:
    """Whether it says what the author wants for longer ("want to study medicine")."""
    has_goal = phrase.rest[0] == "to" and is_in("goal_verbs", *phrase.rest[1:2]) and len(phrase.rest) > 2
    return has_goal and not phrase.is_negated and _VAGUE.match(" ".join(phrase.rest[2:])) is None


def _is_habit(phrase: VerbPhrase, after: str) -> bool:
    """Whether a clause in the present tells what somebody does again and again."""
    if phrase.is_negated and phrase.verb in ("do", "live", "work"):
        return False
    if all(is_in("adverbs", word) for word in phrase.rest):
        return False
    if is_in("lasting_with_particle", phrase.verb_forms[1]) and not phrase.is_negated:
        return len(phrase.rest) > 1 and _VAGUE.match(" ".join(phrase.rest[1:])) is None
    if phrase.verb == "turn" and phrase.rest[0].isdigit():
        return True
    if phrase.verb in ("start", "end", "finish") and phrase.rest[0] == "at" and phrase.subject is Subject.OWN:
        return True
    is_auxiliary = phrase.verb == "do" and is_in("ends_noun_phrase", phrase.rest[0])
    is_of_moment = is_in("passing_verbs", *phrase.verb_forms) and not (
        _REGULARLY.search(after) and not phrase.is_negated
    )
    return not (is_auxiliary or is_of_moment or _VAGUE.match(after))
