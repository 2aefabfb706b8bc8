"""Says whom words are about: whom "she" means, and what goes on about somebody else than the author."""

from __future__ import annotations

import re

from keepsake.domain.english.grammar.verb_phrase import Subject, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_known_word
from keepsake.domain.english.kinship import FRIENDS, RELATIONS, canonical_relation
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.memory import Candidate
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.message.language import is_unreadable

_RELATIONS = load_sections("gendered_kinship")
_OTHER_GENDER = {"she": frozenset(_RELATIONS["men"]), "he": frozenset(_RELATIONS["women"])}
_PRONOUN = re.compile(
    r"(?P<who>he|she|it) (?P<rest>.+)|(?P<whose>his|her|its) name is (?P<name>[^\W\d][\w'-]*)", re.IGNORECASE
)
_PRONOUN_OF = {"his": "he", "her": "she", "its": "it"}
_MENTION = re.compile(
    rf"\b(?:my|our) (?P<who>{RELATIONS}|{FRIENDS})\b(?:'s)?(?: (?P<name>(?-i:[A-Z])[a-z]{{1,15}}))?", re.IGNORECASE
)
_MEETS = "met|saw|called|visited|knows?|asked|told|talked to|spoke to|spoke with|talked with|dated|married"
_BEGINNING = r"(?:^|(?<=[.!?;\n]))\s{0,4}(?:(?:dr|mr|mrs|ms|prof)\.? )?"
_FAMILY_NAME = r"(?P<family_name> (?-i:[A-Z])[a-z]{1,20}\b)?"
_ANOTHERS = (
    r"\b(?:is|and|with|called|named|met|but|or) (?-i:[A-Z])[a-z]{2,15}\b(?!')",
    rf"\bthe (?:oldest|eldest|youngest|other)\b|\b(?:{RELATIONS})s\b",
    rf"(?:{_BEGINNING}|\b(?:{_MEETS}) )(?P<name>(?-i:[A-Z])[a-z]{{1,15}})\b(?!'){_FAMILY_NAME}",
)
_ANOTHER = re.compile("|".join(_ANOTHERS), re.IGNORECASE | re.MULTILINE)
"""Somebody else: at the beginning of a sentence and where somebody is met only if it is no other word."""
_PERSON = re.compile(r"(?<![/\w'])(?P<who>he|she|him|her|hers)\b(?! ?/|\s+(?:him|her)$)", re.IGNORECASE)
_OTHERS = (
    "dog|cat|puppy|kitten|boss|manager|coworker|colleague|doctor|teacher|neighbor|woman|man|girl|guy|lady|actress|singer|"
    "author|someone|somebody|partner|person|kid|child"
)
_NAMED_BEFORE = re.compile(rf"\b(?:{RELATIONS}|{FRIENDS}|{_OTHERS})s?\b|\b(?-i:[A-Z])[a-z]+", re.IGNORECASE)


def breaks_off(said: str) -> bool:
    """Whether the words are only a part of a statement: their end, whom they are about or their language is missing."""
    return clause_filters.is_incomplete(said) or _is_unresolved(said)


def _is_unresolved(words: str) -> bool:
    """Whether the words say "she" or "her" of somebody they do not name."""
    pronoun = _PERSON.search(words)
    return pronoun is not None and _NAMED_BEFORE.search(words[1 : pronoun.start()]) is None


def resolve_by_mention(words: str, before: str) -> str | None:
    """The words with "he" or "she" replaced by the one close person mentioned before; None where there is no such."""
    pronoun = _PRONOUN.fullmatch(words)
    if pronoun is None or (pronoun["who"] or "it").lower() == "it":
        return None
    mentions = [*_MENTION.finditer(before)]
    mentioned = {
        (mention["who"].lower(), mention["name"] or "")
        for mention in mentions
        if _may_mean(pronoun["who"].lower(), canonical_relation(mention["who"].lower().replace(" ", "_")))
    }
    if len({who for who, _ in mentioned}) != 1 or any(who.endswith("s") for who, _ in mentioned):
        return None
    if _names_another(before, mentions[-1]):
        return None
    who, name = max(mentioned, key=lambda one: one[1])
    return f"my {who} {name}".strip() + f" {pronoun['rest']}"


def _may_mean(pronoun: str, relation: str) -> bool:
    """Whether "he" or "she" may mean somebody of a relation."""
    return relation.removesuffix("_in_law").rpartition("_")[2] not in _OTHER_GENDER.get(pronoun, ())


def _names_another(before: str, last: re.Match[str]) -> bool:
    """Whether somebody else is named after the last close person mentioned ("my son … the oldest is Emily, she")."""
    return any(_is_another(match, last["name"]) for match in _ANOTHER.finditer(before, last.end()))


def _is_another(match: re.Match[str], known: str | None) -> bool:
    """Whether it names somebody: no other word, and not the person mentioned."""
    name = match["name"]
    if name is None or name == known:
        return name is None
    return match["family_name"] is not None or not is_known_word(name.lower())


def resolve_pronoun(words: str, previous: Candidate) -> str | None:
    """The words with the pronoun replaced by what it means; None where the previous statement fits no pronoun."""
    pronoun = _PRONOUN.fullmatch(words)
    if pronoun is None:
        return None
    who = (pronoun["who"] or _PRONOUN_OF[pronoun["whose"].lower()]).lower()
    subject = _subject(previous, who)
    if subject is None or pronoun["who"]:
        return subject and f"my {subject} {pronoun['rest']}"
    is_named = " " in subject or "|name" in (previous.key or "")
    return None if is_named else f"my {subject}'s name is {pronoun['name']}"


def _subject(previous: Candidate, pronoun: str) -> str | None:
    key, name = parse_key(previous.key), previous.entity_label or ""
    if key.kind != "relationship" or not key.rest:
        return None
    if key.attribute == "pet":
        kind = (previous.value or "") if name else key.rest[1] if previous.value == "1" else ""
        return f"{kind.replace('_', ' ')} {name}".strip() if kind and " " not in name else None
    if not key.relation or pronoun == "it" or not _may_mean(pronoun, key.relation):
        return None
    return f"{key.relation.replace('_', ' ')} {name}".strip()


_PIECE = re.compile(r"[^.!?;:,()\n]+")
_JOINED = re.compile(r"\b(?:and|or)\s*+$")
_MIN_WORDS = 3
"""Words that say something, and are no greeting."""
_MARGIN = 1.0
"""How much better than none a beginning has to fit."""
_I = frozenset({"i", "i'm", "i've", "i’m", "i’ve"})
_OBJECTS = (("me",), ("us",))
_ME = _I | frozenset({"im", "ive", "we", "we're", "we've", "me", "my", "our", "us"})


def is_without_author(candidate: Candidate) -> bool:
    """Whether a statement about the author was made of words that do not name them ("9 in February")."""
    return "|self|" in (candidate.key or "") and _ME.isdisjoint(bare_words(candidate.quote))


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
