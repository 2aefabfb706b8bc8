"""From the first person to the third: "I love my dog" becomes "Loves their dog"."""

from __future__ import annotations

import re

from keepsake.domain.english.verbs import present_phrase, third_person_verb
from keepsake.domain.text import word_set

_PRONOUNS = {
    "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves", "we": "they", "us": "them",
    "our": "their", "ours": "theirs", "ourselves": "themselves",
}  # fmt: skip
_PRONOUN = re.compile(
    r"(?<![\w'.])(I|i|me|my|mine|myself|we|(?<!the )(?<!a )(?<!in )(?<!former )us|our|ours|"
    r"ourselves)(?![\w'])(?! ?\.\w)",
    re.ASCII,
)
_EMBEDDED = [
    (re.compile(r"\bthey (?:am|is)\b"), "they are"),
    (re.compile(r"\bthey was\b"), "they were"),
    (re.compile(r"\b(?:and|but|or) am\b", re.IGNORECASE), "and is"),
]
_FIRST = re.compile(r"^I (?P<adverbs>(?:(?:(?!(?:reply|rely|apply|supply|fly|multiply)\b)[a-z]+ly"
    r"|no longer|also|still|just|never|always|often|sometimes|seldom|"
    r"only|even|"
    r"now|much|well) )*)"
                    r"(?P<verb>[A-Za-z'-]+)(?P<rest>.*)", re.DOTALL)  # fmt: skip
_SECOND_VERBS = word_set("""
    have own do go live work love like enjoy play avoid prefer hate dislike drive walk run eat drink read write
    watch listen teach study sing dance cook bake make use only own keep take want need refuse support consume
    follow find
""")
_SECOND = re.compile(r"(?P<and>,? (?:and|but|or) (?:(?:[a-z]+ly|also|still|never|always|often|only|much|do not|will "
    r"not) ){0,4})"
                     r"(?P<verb>[a-z]+)\b(?! to be)")  # fmt: skip


def third_person(clause: str, *, is_habit: bool = False) -> str:
    """The clause as said about its author: subjectless, pronouns turned; a habit in the present tense."""
    clause = re.sub(r"^[Ww]e ", "I ", re.sub(r"^[Ww]e are\b", "I am", clause))
    match = _FIRST.match(clause)
    if match is None:
        return capitalise(turned(re.sub(r"^(?:my|our) ", "", clause, flags=re.IGNORECASE)))
    verb, rest = match["verb"], match["rest"]
    if is_habit and not match["adverbs"]:
        verb = present_phrase(f"{verb}{rest}").partition(" ")[0]
    if verb == "do" and rest.startswith(" not "):
        spoken = f"does{turned(rest)}"
    else:
        spoken = f"{third_person_verb(verb)}{turned(_inflect_second(verb, rest))}"
    return capitalise(f"{match['adverbs']}{spoken}")


def turned(text: str) -> str:
    """The text with the author's pronouns turned from the first person to the third."""
    text = _PRONOUN.sub(lambda match: _PRONOUNS[match[0].lower()], text)
    for pattern, replacement in _EMBEDDED:
        text = pattern.sub(replacement, text)
    return text


def capitalise(text: str) -> str:
    """The text trimmed, its first letter a capital."""
    text = text.strip(" ,;:-")
    return text[:1].upper() + text[1:]


def _inflect_second(verb: str, rest: str) -> str:
    """Inflect the second verb of one subject, where it is one ("like pizza and have a dog")."""
    match = _SECOND.search(rest)
    if match is None or match["verb"] not in _SECOND_VERBS or verb.lower() in ("am", "cannot", "will", "can", "was"):
        return rest
    if re.search(
        r"\b(?:to|that|which|who|not|when|if|because|since|as|where|i|they|we)\b", rest[: match.start()], re.IGNORECASE
    ):
        return rest
    if "not " in match["and"]:
        return rest.replace(match["and"], match["and"].replace("do not", "does not"), 1)
    return rest[: match.start("verb")] + third_person_verb(match["verb"]) + rest[match.end("verb") :]
