"""Forms of verbs: the base form for keys ("hoping": "hope"), the third person for texts ("watch": "watches")."""

from __future__ import annotations

from keepsake.domain.english.lemmas import guess_lemma, inflect, known_lemmas
from keepsake.domain.english.load_word_lists import load_words

_IRREGULAR = {"am": "is", "is": "is", "was": "was", "are": "are", "were": "was"}


def gerund_base(word: str) -> str:
    """The base form of a verb in "-ing" ("hoping": "hope"); a noun in "-ing" as it is ("morning")."""
    if not word.endswith("ing") or not word.isalpha() or word in load_words("nouns_in_ing"):
        return word
    known = known_lemmas(word, "VERB")
    if known:
        return known[0]
    guess = guess_lemma(word, "VERB")
    return word if known_lemmas(word, "NOUN") and not known_lemmas(guess, "VERB") else guess


def base_phrase(phrase: str) -> str:
    """The phrase with its first word in the base form ("going to the gym": "go to the gym")."""
    verb, space, rest = phrase.partition(" ")
    return f"{gerund_base(verb.lower())}{space}{rest}".strip()


def third_person_base(verb: str) -> str:
    """The base form of a verb in the third person ("watches": "watch"); any other form as it is."""
    if not verb.endswith("s") or verb in _IRREGULAR:
        return verb
    known = known_lemmas(verb, "VERB")
    if known:
        return known[0]
    return verb if verb.endswith("ss") or verb in load_words("not_plural") else guess_lemma(verb, "VERB")


def third_person_verb(verb: str) -> str:
    """The verb after "I" as it stands after a name ("watch": "watches"); past and modal forms stay."""
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    return lower if is_past_or_modal(lower) else inflect(lower, "VBZ")


def is_past_or_modal(verb: str) -> bool:
    """Whether a verb after "I" has no "-s" in the third person: "went", "lit", "can"."""
    if verb in load_words("unchanged_verbs"):
        return True
    known = known_lemmas(verb, "VERB")
    return known[0] != verb if known else verb.endswith("ed")
