"""From the first person to the third: "I love my dog" becomes "Loves their dog"."""

from __future__ import annotations

import re

from keepsake.domain.text import vocabulary

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
_IRREGULAR = {"am": "is", "have": "has", "do": "does", "go": "goes", "was": "was", "is": "is"}
_UNCHANGED = vocabulary("""
    can cannot could will would shall should may might must had did was were went got bought met came grew won
    broke lost quit left taught made said took gave ate drank ran began wrote built sold found fell felt slept
    spent sent thought knew saw spoke rode drove flew swam sang wore became chose fought held kept led paid sat
    stood understood used born married graduated
""")
_SECOND_VERBS = vocabulary("""
    have own do go live work love like enjoy play avoid prefer hate dislike drive walk run eat drink read write
    watch listen teach study sing dance cook bake make use only own keep take want need refuse support consume
    follow find
""")
_SILENT_E = vocabulary("""
    smok danc tak mak bak writ rid driv vap typ bik cycl hik div us danc exercis practic practis rac sav shar skat liv
    com giv hav los mov not rais sculp styl surviv tun volunteer wak wav
""") - {"volunteer", "sculp"}
_SECOND = re.compile(r"(?P<and>,? (?:and|but|or) (?:(?:[a-z]+ly|also|still|never|always|often|only|much|do not|will "
    r"not) ){0,4})"
                     r"(?P<verb>[a-z]+)\b(?! to be)")  # fmt: skip


def third_person(clause: str) -> str:
    """The clause as said about its author: subjectless, pronouns turned, first letter a capital."""
    clause = re.sub(r"^[Ww]e ", "I ", re.sub(r"^[Ww]e are\b", "I am", clause))
    match = _FIRST.match(clause)
    if match is None:
        return capitalise(turned(re.sub(r"^(?:my|our) ", "", clause, flags=re.IGNORECASE)))
    verb, rest = match["verb"], match["rest"]
    if verb == "do" and rest.startswith(" not "):
        spoken = f"does{turned(rest)}"
    else:
        spoken = f"{inflect(verb)}{turned(_inflect_second(verb, rest))}"
    return capitalise(f"{match['adverbs']}{spoken}")


def inflect(verb: str) -> str:
    """The verb after "they" as it stands after a name (``watch`` is ``watches``; past and modal forms stay)."""
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower in _UNCHANGED or (lower.endswith("ed") and lower not in ("need", "feed", "breed", "speed", "shed", "wed")):
        return lower
    if re.search(r"[^aeiou]y$", lower):
        return f"{lower[:-1]}ies"
    return f"{lower}es" if re.search(r"(?:s|sh|ch|x|z|o)$", lower) else f"{lower}s"


def base_form(phrase: str) -> str:
    """The phrase with its first word's "-ing" taken off ("going to the gym" is "go to the gym")."""
    verb, _, rest = phrase.partition(" ")
    root = verb.removesuffix("ing")
    if root in _SILENT_E:
        root = f"{root}e"
    elif re.search(r"([bdgmnprt])\1$", root):
        root = root[:-1]
    return f"{root} {rest}".strip()


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
    return rest[: match.start("verb")] + inflect(match["verb"]) + rest[match.end("verb") :]
