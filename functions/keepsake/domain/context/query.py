"""What a message asks for: its search query, and whether it is a question about the world or work on a text.

The query has no greetings, thanks and phrases such as "can you tell me".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_sections

MAX_LENGTH = 4000
"""Characters of a query; a longer message is searched for by its beginning and its end."""

_GREETINGS = (
    r"hi|hey|hello|hiya|yo|good (?:morning|afternoon|evening|night|day)|greetings|thanks|thank you|cheers|bye|goodbye"
    r"|welcome back|long time no see|hallo|guten (?:morgen|tag|abend)|gute nacht|danke|tschüss|moin|servus"
)
_REQUEST_FORMS = (
    r"(?:can|could|would|will) you(?: please)?(?: (?:tell|remind|help|show|give|recommend|suggest)(?: me)?)?"
    r"|(?:tell|remind|show|help) me|do you (?:remember|know|think|recall)|i(?:'d| would) (?:like|love) to(?: know)?"
    r"|let me know|i (?:was )?wonder(?:ing)?|any (?:ideas?|suggestions?|recommendations?)|please"
    r"|(?:kannst|könntest) du(?: bitte)?|(?:weißt|erinnerst) du(?: dich)?|(?:sag|erzähl) mir"
    r"|ich möchte(?: wissen)?|bitte"
)
_GREETING = re.compile(
    rf"(?:^|(?<=[.!?\n]))\s{{0,3}}(?:{_GREETINGS})\b(?: (?:there|all|everyone|again|so much|a lot))?", re.IGNORECASE
)
_REQUEST_FORM = re.compile(rf"\b(?:{_REQUEST_FORMS})\b", re.IGNORECASE)


_PREPOSITION_LIKE = re.compile(
    r"(?P<before>(?<![\w'])(?!(?:I|you|we|they|he|she|who|people|really|also|still|not|don't|didn't|doesn't|always|never|might|may|"
    r"will|would|to|and|or)\b)[\w']{1,40}) like\b(?!\s{0,3}[?.!]?$)",
    re.IGNORECASE,
)
_QUESTION_OF_LIKING = re.compile(r"\b(?:do|does|did|don't|doesn't|didn't)\b", re.IGNORECASE)
_SECTIONS = load_sections("general_questions", __package__)
_TASKS = frozenset(_SECTIONS["tasks"])
_BEGINNINGS = _TASKS.union(_SECTIONS["beginnings"])
_PERSONAL = frozenset(_SECTIONS["personal"])
_LOWER_WORD = re.compile(r"[a-z]+")
_NAME = re.compile(r"(?<=[\w,;:'\"] )[A-Z]\w+")
_MIN_STEM = 3


@lru_cache(maxsize=8)  # the search and the selection of one context ask for it
def extract_query(message: str) -> str:
    """The message without greetings, phrases of asking, and the preposition "like", which says nothing of tastes."""
    if len(message) > MAX_LENGTH:
        half = MAX_LENGTH // 2
        message = f"{message[:half]} {message[-half:]}"
    unquoted = message.replace("\u2019", "'").replace("\x00", " ")
    subject = _REQUEST_FORM.sub(" ", _GREETING.sub(" ", unquoted)).strip()
    if subject.isascii() and " like" not in subject.lower():  # as nearly always, and quicker than to search for it
        return subject
    return subject if _QUESTION_OF_LIKING.search(subject) else _PREPOSITION_LIKE.sub(r"\g<before>", subject)


def has_words(query: str) -> bool:
    """Whether the query contains a letter or a digit."""
    return any(character.isalnum() for character in query)


def is_general_question(message: str) -> bool:
    """Whether the message asks, in English, for something of the world, and nothing for the person or their day."""
    subject = _LOWER_WORD.findall(extract_query(message).lower())
    if not subject or subject[0] not in _BEGINNINGS:
        return False
    words = _LOWER_WORD.findall(message.lower())
    return _PERSONAL.isdisjoint(words[words.index(subject[0]) :])


def is_work_on_a_text(message: str) -> bool:
    """Whether the message begins with a request for work on a text, a sum or a program."""
    first = _LOWER_WORD.search(extract_query(message).lower())
    return first is not None and first[0] in _TASKS


def names_one_of(message: str, stems: Collection[str]) -> bool:
    """Whether the message contains a name, which begins with one of the stems."""
    names = [name.lower() for name in _NAME.findall(message)]
    return any(len(stem) >= _MIN_STEM and name.startswith(stem) for stem in stems for name in names)
