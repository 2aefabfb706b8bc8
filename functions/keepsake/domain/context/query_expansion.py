"""Query expansion: related words that an answer may contain, such as "employer" for "job".

The table is small on purpose. It holds the attributes of memory keys, and what every request for advice needs: what the
person likes, avoids and cannot have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from keepsake.domain.english.kinship import words_for
from keepsake.domain.english.load_word_lists import load_words

_LIMITS = "allergic allergy intolerant intolerance vegan vegetarian diet"
_TASTES = (
    "prefer preference favorite favourite like love enjoy fan adore dislike hate detest avoid refuse aversion phobia"
    f" afraid fear {_LIMITS}"
)
_RELATIVES = " ".join(
    words_for(
        ["mother", "father", "parent", "brother", "sister", "wife", "husband", "partner", "son", "daughter", "child"]
    )
)
_PARENTS = " ".join(words_for(("mother", "father", "parent")))
_EXPANSIONS: Mapping[str, str] = {
    "recommend recommends recommended recommendation recommendations suggest suggests suggested suggestion suggestions"
    " advise advice idea ideas tip tips option options choose pick should": _TASTES,
    "eat eating food foods dinner lunch breakfast meal meals cook cooking recipe recipes dish dishes snack snacks"
    " restaurant restaurants menu": f"eat food {_LIMITS}",
    "hobby hobbies pastime pastimes": "hobby enjoy like love play",
    "job jobs occupation profession career employer company": "work job employer occupation profession",
    "home address town city hometown": "live home hometown",
    "here": "live home",
    "born birthday birthdate": "born birthday",
    "age old older": "age years old born",
    "married single spouse wife husband partner girlfriend boyfriend dating": (
        "married single engaged divorced spouse wife husband partner girlfriend boyfriend"
    ),
    "kid kids child children": "child kids son daughter",
    "parent parents": f"parents {_PARENTS}",
    "sibling siblings": "brother sister sibling",
    "family relatives": f"family parents {_RELATIVES}",
    "pet pets": "pet dog cat",
    "goal goals plan plans ambition ambitions": "goal plan want hope",
}
_EXPANSION_BY_WORD = {word: related.split() for words, related in _EXPANSIONS.items() for word in words.split()}
_WORD = re.compile(r"[a-z]+")
_TASTE_STEMS = frozenset({
    "prefer", "favorit", "favourit", "like", "love", "enjoy", "fan", "ador", "dislik", "hate", "detest", "avoid",
    "refus", "avers", "phobia", "afraid", "fear",
})  # fmt: skip
_TASTE_STEM = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(_TASTE_STEMS))})")
"""The stems of words that every taste contains: such a word alone does not make one relevant to a message."""
STEMS_WITHOUT_SUBJECT = load_words("words_without_subject", __package__)
"""The stems of words such as "want" and "next": that a memory has one does not make it concern a message."""


def expand_query(message: str) -> str:
    """The related words of a message, once each, without its own words; empty where there are none."""
    own_words = dict.fromkeys(_WORD.findall(message.lower()))
    related = dict.fromkeys(word for own in own_words for word in _EXPANSION_BY_WORD.get(own, ()))
    return " ".join(word for word in related if word not in own_words)


def unasked_taste_stems(message: str) -> frozenset[str]:
    """The stems that every taste has and the message does not: with "should" it asks for advice, not for all tastes."""
    return _TASTE_STEMS.difference(_TASTE_STEM.findall(message.lower()))
