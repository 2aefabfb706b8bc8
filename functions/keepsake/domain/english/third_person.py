"""Puts statements into the third person: "I love my dog" becomes "Loves their dog"."""

from __future__ import annotations

import re

from keepsake.domain.english.indefinite_article import correct_articles
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.english.verbs import third_person_verb

_WORDS = load_alternations("third_person")

_PRONOUNS = {
    "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves", "we": "they", "us": "them",
    "our": "their", "ours": "theirs", "ourselves": "themselves",
}  # fmt: skip
_PRONOUN = re.compile(
    r"(?<![\w'.])(I|i(?! [A-Z])|me|my|(?<!the )(?<!a )mine|myself|we|(?<!the )(?<!a )(?<!in )(?<!former )us|our|ours|"
    r"ourselves)(?![\w'])(?! ?\.\w)",
)
_AGREEMENTS = [
    (re.compile(r"\bthey (?:am|is)\b"), "they are"),
    (re.compile(r"\bthey was\b"), "they were"),
    (re.compile(r"\b(?:and|but|or) am\b", re.IGNORECASE), "and is"),
]
_FIRST_PERSON_CLAUSE = re.compile(
    rf"^I (?P<adverbs>(?:{_WORDS['adverbs_before_first_verb']} )*)(?P<verb>[A-Za-z'-]+)(?P<rest>.*)", re.DOTALL
)
_SECOND_VERBS = frozenset(load_sections("third_person")["second_verbs"])
_SECOND_VERB = re.compile(
    rf"(?P<and>,? (?:and|but|or) (?:{_WORDS['adverbs_before_second_verb']} ){{0,4}})(?P<verb>[a-z]+)\b(?! to be)"
)


def third_person(clause: str) -> str:
    """The clause in the third person, without subject."""
    clause = re.sub(r"^(?:[Ww]e|[Ii]) are\b", "I am", re.sub(r"^[Ww]e were\b", "I was", clause))
    clause = re.sub(r"^[Ww]e ", "I ", clause)
    match = _FIRST_PERSON_CLAUSE.match(clause)
    if match is None:
        return capitalize(to_third_person_pronouns(re.sub(r"^(?:my|our) ", "", clause, flags=re.IGNORECASE)))
    verb, rest = match["verb"], match["rest"]
    if verb == "do" and rest.startswith(" not "):
        text = f"does{to_third_person_pronouns(rest)}"
    else:
        text = f"{third_person_verb(verb)}{to_third_person_pronouns(_inflect_second(verb, rest))}"
    return capitalize(f"{match['adverbs']}{text}")


def to_third_person_pronouns(text: str) -> str:
    """The text with the pronouns of the first person in the third."""
    text = _PRONOUN.sub(lambda match: _PRONOUNS[match[0].lower()], text)
    for pattern, replacement in _AGREEMENTS:
        text = pattern.sub(replacement, text)
    return correct_articles(text)


def capitalize(text: str) -> str:
    """The text trimmed, its first letter a capital."""
    text = text.strip(" ,;:-")
    return text[:1].upper() + text[1:]


def _inflect_second(verb: str, rest: str) -> str:
    """Inflect the second verb of one subject, where it is one ("like pizza and have a dog")."""
    match = _SECOND_VERB.search(rest)
    if match is None or match["verb"] not in _SECOND_VERBS or verb.lower() in ("am", "cannot", "will", "can", "was"):
        return rest
    if re.search(
        r"\b(?:to|that|which|who|not|when|if|because|since|as|where|i|they|we)\b", rest[: match.start()], re.IGNORECASE
    ):
        return rest
    if "not " in match["and"]:
        return rest.replace(match["and"], match["and"].replace("do not", "does not"), 1)
    return rest[: match.start("verb")] + third_person_verb(match["verb"]) + rest[match.end("verb") :]
