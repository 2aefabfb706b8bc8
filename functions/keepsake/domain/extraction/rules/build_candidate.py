"""What a rule makes of the parts it found: the key and the value as slugs, the text in the third person."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import SINGLE_RELATIONS, canonical_relation
from keepsake.domain.english.number_words import COUNTS
from keepsake.domain.english.third_person import capitalise, third_person, turned
from keepsake.domain.english.verbs import base_phrase, present_phrase
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.rule import Rule, thing, titled, worded
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType
from keepsake.domain.text import slug, truncate_words

_UNSAID = re.compile(
    r"^(I(?: am| have)?) (?:(?:also|actually|honestly|do(?= (?:like|love|enjoy|prefer|want|have|own)\b)|sure|have "
    r"to say|happen to|currently|still) "
    r")+(?=\w)",
    re.I,
)
_MERE_DEGREE = re.compile(r"\b(?:so|really|just)\b ?", re.I)


def filled(rule: Rule, values: dict[str, str], clause: Clause) -> Candidate:
    """The candidate a rule makes of the parts of a clause it named."""
    is_habit = rule.type is MemoryType.PATTERN and not clause.front
    slugs = _Filled({name: _as_slug(name, value, is_habit=is_habit) for name, value in values.items()})
    relation, name = slugs.get("rel", ""), slugs.get("name", "")
    slugs["who"] = "|".join(part for part in (relation, name) if part)
    slugs["called"] = relation if relation in SINGLE_RELATIONS else slugs["who"]
    slugs["animal"] = name or slugs.get("pet", "")
    spoken = _Filled({name: _as_words(name, value) for name, value in values.items()})
    spoken.setdefault("unit", "years")
    spoken["moved"] = f", moved from {spoken['old']}" if "old" in spoken else ""
    subject = "self" if rule.subject == "self" else name or relation
    value = rule.value.format_map(slugs)
    key = _key(rule, slugs)
    if clause.also and rule.also and value:
        key = f"{key}|{value}"
    return Candidate(
        type=rule.type,
        subtype=rule.subtype,
        text="" if rule.silent else _text(rule, spoken, clause, is_habit=is_habit),
        quote=clause.quote,
        confidence=rule.confidence,
        key=key,
        value=value or "yes",
        importance=rule.importance,
        entity_type=rule.entity_type,
        entity_refs=() if subject == "self" else (f"person:{subject}",),
        entity_label=rule.label.format_map(spoken) or None,
        retracts=rule.retracts,
        corrects=rule.corrects or rule.retracts or clause.corrects or values.get("rel", "").lower().startswith("new "),
        only_if_subject_known=rule.only_if_subject_known,
    )


def _key(rule: Rule, slugs: dict[str, str]) -> str:
    about_self = rule.subject == "self" and not rule.key.startswith("self|")
    parts = [rule.type.value, rule.entity_type, *(["self"] if about_self else [])]
    return "|".join([*parts, rule.key.format_map(slugs).strip("|_")])


class _Filled(dict[str, str]):
    """Template values; a part that was not said is empty."""

    def __missing__(self, key: str) -> str:
        return ""


def _as_slug(name: str, value: str, *, is_habit: bool) -> str:
    match name:
        case "rel":
            plain = slug(value).removeprefix("other_").removeprefix("new_")
            return canonical_relation(plain)
        case "n" | "age":
            return COUNTS.get(slug(value), slug(value))
        case "name" | "place" | "pronouns" | "date" | "value" | "rest":
            return slug(re.sub(r"^(?:the|a|an) ", "", value, flags=re.I))
        case "doing":
            value = base_phrase(value)
        case "job":
            value = re.split(r" (?:in|at|for|on|with|who|by|from|of my|of a) ", value, maxsplit=1)[0]
        case "thing":
            value = re.sub(r"^(?:kind|type|sort|style|genre)s? of ", "", value, flags=re.I)
        case "object" if is_habit:
            value = present_phrase(value)
    return thing(value)


def _as_words(name: str, value: str) -> str:
    if name == "name":
        return titled(value)
    if name == "rel":
        return worded(re.sub(r"^other ", "", value, flags=re.I))
    if name == "unit":
        return f"{value.rstrip('s')}s"
    if name == "degree":
        return turned(_MERE_DEGREE.sub("", value))
    return turned(value) if name == "rest" else worded(value)


def _text(rule: Rule, spoken: dict[str, str], clause: Clause, *, is_habit: bool) -> str:
    if rule.text:
        text = capitalise(" ".join(rule.text.format_map(spoken).split()))
    else:
        text = third_person(_UNSAID.sub(r"\1 ", clause.words), is_habit=is_habit)
        if name := spoken.get("name"):  # as a name is written, however it was typed
            text = re.sub(rf"\b{re.escape(name.lower())}\b", lambda _: name, text, count=1)
        if clause.front and clause.front.lower() not in ("now", "currently", "this", "today"):
            text = f"{text} ({turned(clause.front[:1].lower() + clause.front[1:])})"
    return truncate_words(text, MAX_TEXT_LENGTH)
