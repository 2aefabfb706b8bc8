"""Coreference: finds the person or animal that "he", "she" or "it" means in what was said before."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import FRIENDS, RELATIONS, canonical_relation
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.memory import Candidate
from keepsake.domain.memory_key import parse_key

_VERBS = (
    r"is|was|has|lives|works|loves|likes|hates|studies|plays|weighs|eats|sleeps|speaks|teaches|drives|collects|prefers|"
    r"enjoys|does not|cannot|(?:just |recently )?(?:turned|started|finished|graduated|moved)"
)
_PRONOUN_CLAUSE = re.compile(
    rf"^(?P<who>he|she|it) (?P<rest>(?:(?:only|also|still|now|always|never) )?(?:{_VERBS})\b.+)$", re.I
)
_NAME_CLAUSE = re.compile(r"^(?P<whose>his|her|its) name is (?P<name>[^\W\d][\w'-]*)$", re.I)
_RELATIONS = load_alternations("gendered_kinship")
_WOMAN = re.compile(rf"(?:.{{0,80}}_)?{_RELATIONS['women']}(?:_in_law)?")
_MAN = re.compile(rf"(?:.{{0,80}}_)?{_RELATIONS['men']}(?:_in_law)?")
_MENTION = re.compile(
    rf"\b(?:my|our) (?P<who>{RELATIONS}|{FRIENDS})\b(?:'s)?(?: (?P<name>(?-i:[A-Z])[a-z]{{1,15}}))?", re.I
)
_ANOTHER = re.compile(
    rf"(?:\b(?:is|and|with|called|named|met|but|or) (?-i:[A-Z])[a-z]{{2,15}}\b(?!')|"
    rf"\bthe (?:oldest|eldest|youngest|other)\b|"
    rf"\b(?:{RELATIONS})s\b)",
    re.I,
)
_MEETS = "met|saw|called|visited|knows?|asked|told|talked to|spoke to|spoke with|talked with|dated|married"
_BEGINNING = r"(?:^|(?<=[.!?;\n]))\s{0,4}(?:(?i:dr|mr|mrs|ms|prof)\.? )?"
_SUBJECT_NAME = re.compile(
    rf"(?:{_BEGINNING}|\b(?:{_MEETS}) )(?P<name>[A-Z][a-z]{{1,15}})\b(?!')(?P<family_name> [A-Z][a-z]{{1,20}}\b)?", re.M
)
"""A name where somebody begins a sentence with it, or meets its bearer; no place can stand there but by chance."""
_NAMES_CLAUSE = re.compile(r"^(?:they are (?:called|named)|their names are) (?P<names>(?-i:[A-Z]).{1,80})$", re.I)
_SEVERAL = re.compile(
    r"\b(?:my|our|have|with|got|and) (?:[\w-]{1,12} ){0,2}?(?P<who>kids|children|sons|daughters|boys|girls|twins|"
    r"brothers|sisters|grandchildren|grandkids|dogs|cats)\b",
    re.I,
)
_ANY_PRONOUN = re.compile(r"^(?P<who>he|she) (?P<rest>.+)$", re.I)
_PERSON = re.compile(r"(?<![/\w'])(?P<who>he|she|him|her|hers)\b(?! ?/|\s+(?:him|her)$)", re.I)
_OTHERS = (
    "dog|cat|puppy|kitten|boss|manager|coworker|colleague|doctor|teacher|neighbor|woman|man|girl|guy|lady|actress|singer|"
    "author|someone|somebody|partner|person|kid|child"
)
_NAMED_BEFORE = re.compile(rf"\b(?:{RELATIONS}|{FRIENDS}|{_OTHERS})s?\b|\b(?-i:[A-Z])[a-z]+", re.I)


def is_unresolved(words: str) -> bool:
    """Whether the words say "she" or "her" of somebody they do not name."""
    pronoun = _PERSON.search(words)
    return pronoun is not None and _NAMED_BEFORE.search(words[1 : pronoun.start()]) is None


def resolve_by_mention(words: str, before: str) -> str | None:
    """The words with their pronoun replaced by the one close person mentioned before; None where there is no such."""
    if names := _NAMES_CLAUSE.match(words):
        several = {mention["who"].lower() for mention in _SEVERAL.finditer(before)}
        return f"my {several.pop()} are called {names['names']}" if len(several) == 1 else None
    match = _PRONOUN_CLAUSE.match(words)
    return None if match is None or match["who"].lower() == "it" else _with_mentioned(match, before)


def replace_pronoun(words: str, before: str) -> str | None:
    """The same, whatever the verb is."""
    match = _ANY_PRONOUN.match(words)
    return None if match is None else _with_mentioned(match, before)


def _with_mentioned(clause: re.Match[str], before: str) -> str | None:
    """A clause about "she" or "he" with the one close person mentioned before, and the name where one is said."""
    excluded = _MAN if clause["who"].lower() == "she" else _WOMAN
    mentioned = {
        (mention["who"].lower(), mention["name"] or "")
        for mention in _MENTION.finditer(before)
        if not excluded.fullmatch(canonical_relation(mention["who"].lower().replace(" ", "_")))
    }
    if len({who for who, _ in mentioned}) != 1 or any(who.endswith("s") for who, _ in mentioned):
        return None
    if _names_another(before):
        return None
    who, name = max(mentioned, key=lambda one: one[1])
    return f"my {who} {name}".strip() + f" {clause['rest']}"


def _names_another(before: str) -> bool:
    """Whether somebody else is named after the last close person mentioned ("my son … the oldest is Emily, she")."""
    *_, last = _MENTION.finditer(before)
    if _ANOTHER.search(before, last.end()):
        return True
    return any(_is_another(name, last["name"]) for name in _SUBJECT_NAME.finditer(before, last.end()))


def _is_another(match: re.Match[str], known: str | None) -> bool:
    """Whether a capitalized word at the place of a name is one, and not that of the person mentioned."""
    name = match["name"]
    if known and name == known:
        return False
    is_word = any(known_lemmas(name.lower(), part) for part in ("NOUN", "VERB", "ADJ", "ADV"))
    return match["family_name"] is not None or not is_word


def resolve_pronoun(words: str, previous: Candidate) -> str | None:
    """The words with the pronoun replaced by what it means; None where the previous statement fits no pronoun."""
    if (named := _NAME_CLAUSE.match(words)) and "|name" not in (previous.key or ""):
        whose = _subject(previous, {"his": "he", "her": "she"}.get(named["whose"].lower(), "it"))
        return None if whose is None or " " in whose else f"my {whose}'s name is {named['name']}"
    match = _PRONOUN_CLAUSE.match(words)
    subject = None if match is None else _subject(previous, match["who"].lower())
    return None if match is None or subject is None else f"my {subject} {match['rest']}"


def _subject(previous: Candidate, pronoun: str) -> str | None:
    key, name = parse_key(previous.key), previous.entity_label or ""
    if key.kind != "relationship" or not key.rest:
        return None
    if key.attribute == "pet":
        kind = (previous.value or "") if name else key.rest[1] if previous.value == "1" else ""
        return f"{kind.replace('_', ' ')} {name}".strip() if kind and " " not in name else None
    relation = key.relation
    excluded = _MAN if pronoun == "she" else _WOMAN
    if not relation or pronoun == "it" or excluded.fullmatch(relation):
        return None
    return f"{relation.replace('_', ' ')} {name}".strip()
