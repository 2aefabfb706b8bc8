"""Says what words mean by what was said before: whom "she" means, what "actually it's ramen" corrects, and who goes on.

Where that may be several, it is nobody and nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_adverb, is_known_word
from keepsake.domain.english.kinship import FRIENDS, RELATIONS, canonical_relation, kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.third_person import capitalize
from keepsake.domain.english.word_groups import NATIONALITIES_AND_RELIGIONS, PETS
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.clauses.clause_filters import phrase_length
from keepsake.domain.reading.clauses.normalize_clause import filler_length
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses, split_clauses
from keepsake.domain.reading.clauses.subjects import AUTHOR
from keepsake.domain.reading.statements.key_of_text import read_statement
from keepsake.domain.text import normalize_apostrophes, slug

_RELATIONS = load_sections("gendered_kinship")
_OTHER_GENDER = {"she": frozenset(_RELATIONS["men"]), "he": frozenset(_RELATIONS["women"])}
_SECTIONS = {**load_sections("persons", __package__), **load_sections("corrections", __package__)}
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_PRONOUN_OF = {"he": "he", "she": "she", "his": "he", "her": "she", "its": "it"}
_CALLED = r"(?:'s)?(?: is)? (?:named|called) (?P<called>(?!after\b)[^\W\d]{2,15})\b"
_NAME = r"(?:'s)?(?: name)?(?: is|,)? (?P<name>(?-i:[A-Z])[a-z]{1,15})\b"
_MENTION = re.compile(
    r"(?<!\bnot )\b(?:my|our|have an?|got an?|adopted an?) "
    rf"(?P<who>{RELATIONS}|{FRIENDS}|{PETS})\b(?:{_CALLED}|{_NAME})?",
    re.IGNORECASE,
)
_AUTHOR = AUTHOR | {"me", "us"}
_MIN_WORDS = 3
"""Words that say something, and are no greeting."""
_NAMED = frozenset({"home", "hometown", "birthplace", "employer", "name", "nickname"})
"""Attributes whose value mostly is a name: no name takes the place of a bakery, and "raining" not that of a name."""
_ARTICLES = ("a", "an", "the")
_MAX_VALUE = 5


def resolve_pronouns(text: str, message_before: str) -> Iterator[Clause]:
    """The clauses of a message that state something, with the name of whom "she" means in this message or before it."""
    for clause in clauses(text):
        before = f"{message_before}.\n{text[: max(0, text.find(clause.quote))]}"
        words = _resolve_pronoun(clause.words, before)
        yield clause if words is None else replace(clause, words=words, said=words)


def _resolve_pronoun(words: str, before: str) -> str | None:
    """The words with "he", "she" or "his name" of whom was mentioned before; None where that is not one alone.

    Where somebody else was named since ("my son … the oldest is Emily, she"), it is nobody.
    """
    first, _, rest = words.partition(" ")
    pronoun = _PRONOUN_OF.get(first.lower())
    is_name = rest.startswith("name is ")
    if pronoun is None or not rest or (first.lower() != pronoun and not is_name):
        return None
    phrase = read_verb_phrase(words)
    is_done = phrase is not None and phrase.tense is Tense.PERFECT and phrase.verb not in ("call", "name")
    if rest.startswith("is got ") or (is_done and rest.startswith("is ")):  # "she's got a cold"
        return None
    mentions = [mention for mention in _MENTION.finditer(before) if _may_mean(pronoun, mention["who"].lower())]
    mentioned = {mention["who"].lower() for mention in mentions}
    if len(mentioned) != 1 or _names_another(before[mentions[-1].end() :], mentions[-1]):
        return None
    who, name = mentioned.pop(), next(filter(None, map(_name, mentions)), "")
    if is_name:
        return None if name else f"my {who}'s {rest}"
    return " ".join(filter(None, ("my", who, name, rest)))


def _name(mention: re.Match[str]) -> str:
    """The name of whom is mentioned; "my mum is German" has none."""
    name = capitalize(mention["called"] or mention["name"] or "")
    return "" if name.lower() in NATIONALITIES_AND_RELIGIONS else name


def _may_mean(pronoun: str, who: str) -> bool:
    """Whether a pronoun may mean somebody of a relation, or an animal."""
    relation = canonical_relation(who.replace(" ", "_")).removesuffix("_in_law").rpartition("_")[2]
    return relation not in _OTHER_GENDER.get(pronoun, ()) and (pronoun != "it" or kinship_of(who) is None)


def _names_another(behind: str, last: re.Match[str]) -> bool:
    """Whether the words behind a mention name somebody else, or are about several."""
    said = [last[0], *behind.split()]
    for before, token, after in zip(said, said[1:], [*said[2:], ""], strict=False):
        word = token.strip('.,;:!?"()')
        is_name = before.lower() in _WORDS["before_names"]
        if before.endswith((".", "!", "?")):  # any word has a capital there; "Peter Smith" is a name
            is_name = after[:1].isupper() or not is_known_word(word.lower())
        is_name = is_name and word[1:].islower() and word[:1].isupper() and word != _name(last)
        if is_name or word.lower() in _WORDS["others"]:
            return True
    return last["who"].endswith("s")


def is_without_author(candidate: Candidate) -> bool:
    """Whether a statement about the author was made of words that do not name them ("9 in February")."""
    return "|self|" in (candidate.key or "") and _AUTHOR.isdisjoint(bare_words(normalize_apostrophes(candidate.quote)))


def is_note_of_other(candidate: Candidate, message: str) -> bool:
    """Whether a statement about the author was made of words that go on about another.

    That is a note to which a rule added the verb, where the message has named others and not its author ("There's a new
    cellist, Dolores, retired librarian"), and the second verb of a clause ("mom wants to sell it and have the money").
    """
    said, stated = bare_words(normalize_apostrophes(candidate.quote)), bare_words(candidate.text)
    verbs = {*known_lemmas(stated[0], "VERB")} if stated and stated[0].endswith("s") else set()
    if not verbs or stated[-1] not in said or "|self|" not in (candidate.key or "|self|"):
        return False
    before = message[: max(0, message.find(candidate.quote))]
    subjects = [*_subjects(before)]
    if said[:1] == stated[:1]:  # "Laughs like a bird": an author leaves out "I", and no "-s"
        is_about_other = (
            _AUTHOR.isdisjoint(words := bare_words(normalize_apostrophes(before))) and len(words) >= _MIN_WORDS
        )
        return subjects[-1] is not Subject.AUTHOR if subjects else is_about_other
    if not _AUTHOR.isdisjoint(said) or not subjects or Subject.AUTHOR in subjects:
        return False
    is_note = verbs.isdisjoint(lemma for word in said for lemma in known_lemmas(word, "VERB"))
    return before.rstrip().endswith((" and", " or")) or (is_note and Subject.OTHER in subjects)


def _subjects(before: str) -> Iterator[Subject]:
    """Whom the clauses of a message are about, but for those whose beginning was left out."""
    for clause in split_clauses(before):
        phrase = None if clause.is_fragment or clause.is_embedded else read_verb_phrase(clause.words)
        if phrase is not None:
            is_done_to_author = phrase.owner == "they" and phrase.rest[:1] in (("me",), ("us",))
            yield Subject.AUTHOR if is_done_to_author else phrase.subject


def resolve_correction(clause: Clause, earlier: Sequence[Candidate], recent: Sequence[Memory]) -> Candidate | None:
    """The statement before with the value of a bare correction; None where that fits none, or several.

    It corrects what this message says before it, or else the one before: "I started yoga" stands between "I live in
    Graz" and "actually it's Linz".
    """
    words = clause.words.partition(",")[0].split()
    start = phrase_length([word.lower() for word in words[:-1]], _WORDS["openings"])
    end = next((at for at in range(start, len(words)) if words[at].lower() in _WORDS["ends"]), len(words))
    value, bare = " ".join(words[start:end]), bare_words(" ".join(words[start:end]))
    is_value = 0 < len(bare) <= _MAX_VALUE and not (
        bare[0] in _WORDS["no_values"] or is_adverb(bare[0]) or filler_length(f"{bare[0]} that") > 0
    )
    is_over = start > 0 and bool(earlier) and earlier[-1].retracts  # "I used to live in Rome, now Milan"
    if not is_value or not _WORDS["statements"].isdisjoint(bare) or not (clause.corrects or is_over):
        return None
    stated: Sequence[Candidate | Memory] = earlier or [
        one for one in reversed(recent) if one.last_said_at == recent[0].last_said_at
    ]
    found = {one.key: (one, read) for one in stated if (read := _with_value(one, value)) is not None}
    if len(found) != 1:
        return None
    ((one, read),) = found.values()
    corrected = replace(read, quote=clause.quote, corrects=True, persona_id=one.persona_id, why="correction")
    return corrected if read.value != one.value else None


def _with_value(stated: Candidate | Memory, value: str) -> Candidate | None:
    """A statement with another value for its own, read anew; None where they are unlike, or it is none of its kind."""
    key = parse_key(stated.key)
    text = stated.text or f"{key.last} is {(stated.value or '').capitalize()}"  # "my name is not Jon"
    if "when" in key.rest:
        return _read(f"my {text.rpartition(' is ')[0]} is {value}", stated) if names_day(value) else None
    words, length = text.split(), len((stated.value or "").split("_"))
    start = next((at for at in range(1, len(words)) if slug(" ".join(words[at : at + length])) == stated.value), 0)
    before = words[start - 1]
    has_article = value.startswith(f"{before} ") or before not in _ARTICLES
    value = value.removeprefix(f"{before} ")
    is_like = has_article and words[start].isdigit() == value.isdigit()
    if not start or not is_like or (key.last in _NAMED and not _is_named_as(words[start], value)):
        return None
    corrected = " ".join([*words[:start], value, *words[start + length :]])
    return _read(corrected.removeprefix("No longer ").replace("Used to ", "I ", 1), stated)


def _read(text: str, stated: Candidate | Memory) -> Candidate | None:
    """What a text states in the place of another statement; None where it is another kind of statement."""
    found, old = read_statement(text), parse_key(stated.key)
    new = parse_key(found and found.key)
    is_same = (new.kind, new.subject, new.last) == (old.kind, old.subject, old.last)
    return replace(found, key=stated.key) if found is not None and is_same else None


def _is_named_as(old: str, new: str) -> bool:
    """Whether both are names, or neither; a word that no dictionary has may be one without its capital."""
    if old[0].isupper():
        return new[0].isupper() or not is_known_word(new.partition(" ")[0])
    return new[0].islower()
