"""Puts statements into the third person ("I love my dog": "Loves their dog"), and articles before words ("an hour")."""

from __future__ import annotations

import re

from keepsake.domain.english.grammar.word_forms import is_in, verb_form
from keepsake.domain.english.inflection import third_person_verb
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.text import words

_LISTS = load_sections("third_person")
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_LETTERS_WITH_VOWEL = frozenset("AEFHILMNORSX")
_ARTICLE = re.compile(r"\ba (?P<word>[A-Z]{2,5}\b|[a-z]{3,})")


def with_article(text: str) -> str:
    """The text with its indefinite article before it; abbreviations are spelled out: "an MBA"."""
    word = text.partition(" ")[0]
    lower = word.lower()
    if word[:2].isupper():
        is_vowel = word[0] in _LETTERS_WITH_VOWEL
    else:
        begins_with_vowel = lower.startswith(("a", "e", "i", "o", "u")) and not lower.startswith(_LISTS["like_you"])
        is_vowel = begins_with_vowel or lower.startswith(_SILENT_H)
    return f"{'an' if is_vowel else 'a'} {text}"


def correct_articles(text: str) -> str:
    """The text with "an" for "a" where the next word asks for it."""
    return _ARTICLE.sub(lambda match: with_article(match["word"]), text)


_WORDS = load_alternations("third_person")

_PRONOUNS = {
    "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves", "we": "they", "us": "them",
    "our": "their", "ours": "theirs", "ourselves": "themselves",
}  # fmt: skip
_PRONOUN = re.compile(
    r"(?<![\w'.])(I|i(?! [A-Z])|me|my|(?<!the )(?<!a )mine|myself|we|(?<!the )(?<!a )(?<!in )(?<!former )us|our|ours|"
    r"ourselves)(?![\w'])(?! ?\.\w)",
)
_AGREEMENTS = (
    ("they am", "they are"), ("they is", "they are"), ("they was", "they were"), ("and am", "and is"),
    ("but am", "but is"), ("or am", "or is"),
)  # fmt: skip
_FIRST_PERSON_CLAUSE = re.compile(
    rf"^I (?P<adverbs>(?:{_WORDS['adverbs_before_first_verb']} )*)(?P<verb>[A-Za-z'-]+)(?P<rest>.*)", re.DOTALL
)
_SECOND_VERB = re.compile(
    rf"(?P<and>,? (?:and|but|or) (?:{_WORDS['adverbs_before_second_verb']} ){{0,4}})(?P<verb>[a-z]+)\b(?! to be)"
)


def third_person(clause: str) -> str:
    """The clause in the third person, without subject."""
    clause = in_singular(clause)
    match = _FIRST_PERSON_CLAUSE.match(clause)
    if match is None:
        clause = re.sub(r"^[Mm]e (?=(?:and|n|&) )", "they ", clause)
        owner, _, owned = clause.partition(" ")
        return capitalize(to_third_person_pronouns(owned if owner.lower() in ("my", "our") else clause))
    adverbs, verb, rest = match["adverbs"], match["verb"], match["rest"]
    is_verb = is_in("auxiliaries", verb.lower()) or verb_form(verb.lower()) is not None or "'" in verb
    if verb == "do" and rest.startswith(" not "):
        text = f"does{to_third_person_pronouns(rest)}"
    else:
        text = f"{third_person_verb(verb) if is_verb else verb}{to_third_person_pronouns(_inflect_second(verb, rest))}"
    return capitalize(f"{adverbs}{text}")


def in_singular(clause: str) -> str:
    """The clause of an author about themselves and others ("we are") as one about the author ("I am")."""
    subject, _, predicate = clause.partition(" ")
    verb, space, rest = predicate.partition(" ")
    return f"I {'am' if verb == 'are' else verb}{space}{rest}" if subject.lower() == "we" else clause


def to_third_person_pronouns(text: str) -> str:
    """The text with the pronouns of the first person in the third."""
    text = _PRONOUN.sub(lambda match: _PRONOUNS[match[0].lower()], text)
    for wrong, right in _AGREEMENTS:
        text = f"{text} ".replace(f"{wrong} ", f"{right} ")[:-1]
    return correct_articles(text)


def capitalize(text: str) -> str:
    """The text trimmed, its first letter a capital."""
    text = text.strip(" ,;:-")
    return text[:1].upper() + text[1:]


def _inflect_second(verb: str, rest: str) -> str:
    """Inflect the second verb of one subject, where it is one ("like pizza and have a dog")."""
    match = _SECOND_VERB.search(rest)
    if match is None or match["verb"] not in _LISTS["second_verbs"] or verb.lower() in _LISTS["no_second_verbs"]:
        return rest
    if any(word.partition("'")[0] in _LISTS["other_clauses"] for word in words(rest[: match.start()])):
        return rest
    if "not " in match["and"]:
        return rest.replace(match["and"], match["and"].replace("do not", "does not"), 1)
    return rest[: match.start("verb")] + third_person_verb(match["verb"]) + rest[match.end("verb") :]
