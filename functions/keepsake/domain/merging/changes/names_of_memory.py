"""Finds the words by which a message names a memory: not by those that say little, or name another kind of thing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.grammar.word_forms import is_adverb, is_in, is_noun, verb_form
from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.similarity import content_words, proper_names
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.memory_kinds import is_habit, is_of_self
from keepsake.domain.text import normalize_apostrophes, stem

_GENERIC = frozenset(map(stem, load_words("words_that_name_nothing", __package__)))
_MAX_VERB = 3
"""The first words of a memory, among which its verb is."""
RESTRICTIONS = frozenset({"allergy", "intolerance", "avoids", "diet"})
"""Attributes of what the person must not or will not eat."""


@lru_cache(maxsize=512)
def names_of_memory(memory: Memory) -> frozenset[str]:
    """The stems of the words that name the memory; none where it tells what happened once."""
    text = normalize_apostrophes(memory.text)
    first, *rest = bare_words(text) or ("",)
    names = content_words(f"{' '.join(proper_names(text))} {memory.entity_label or ''}")
    if not is_of_self(memory):
        names |= content_words(first)
    elif _is_past_event(memory):
        return frozenset()
    else:
        names |= content_words(" ".join(rest))
        if is_habit(memory):
            names |= content_words(first)
    return frozenset(name for name in _naming_words(memory, names - _GENERIC) if not name.isdigit())


def said_names(memory: Memory, sentence: str) -> frozenset[str]:
    """The stems of the words of a sentence that name the memory, and not a thing of another kind: "table tennis"."""
    names = names_of_memory(memory) & _words_of_sentence(sentence)
    if not names:  # as of most memories: no word need be left out of the sentence
        return names
    known = content_words(f"{memory.text} {memory.entity_label or ''}")
    said = normalize_apostrophes(sentence).split()
    return names & content_words(" ".join(word for at, word in enumerate(said) if not _is_of_another(said, at, known)))


def _is_of_another(said: Sequence[str], at: int, known: set[str]) -> bool:
    """Whether a noun before the word, behind a verb or "the", tells that it is a thing of another kind."""
    word = said[at].rstrip(".,:;!?")
    if at == 0 or not (word.islower() and is_noun(word) and _may_modify(said[at - 1])):
        return False
    is_object = at == 1 or is_in("determiners", said[at - 2]) or verb_form(said[at - 2]) is not None
    return is_object and content_words(said[at - 1]).isdisjoint(known)


def _may_modify(word: str) -> bool:
    """Whether a word may be a noun before another one, and is no relative ("my sister Ann")."""
    form = verb_form(word)
    return (
        (word.isalpha() and word.islower() and is_noun(word) and not is_plural(word))
        and not any(is_in(group, word) for group in ("determiners", "not_verbs", "ends_noun_phrase"))
        and not ((form is not None and form.is_gerund) or kinship_of(word))
    )


@lru_cache(maxsize=32)  # a sentence is compared with all memories that it may mean
def _words_of_sentence(sentence: str) -> frozenset[str]:
    return frozenset(content_words(sentence))


def _naming_words(memory: Memory, stems: set[str]) -> set[str]:
    """Those of the stems that may name the memory: of an allergy or a diet, what is not eaten, and "allergy" or "diet".

    Whoever quits the bakery is as allergic as before, also where the memory is "Allergic to walnuts since the bakery".
    """
    key = parse_key(memory.key)
    if key.attribute not in RESTRICTIONS:
        return stems
    return stems & content_words(f"{key.attribute} {key.what or memory.value or ''}".replace("_", " "))


def _is_past_event(memory: Memory) -> bool:
    """Whether the memory tells what the person did once, which cannot be over ("Just applied to three schools")."""
    words = [word for word in bare_words(memory.text)[:_MAX_VERB] if not is_adverb(word)]
    form = verb_form(words[0]) if words else None
    return is_of_self(memory) and form is not None and form.is_past and not form.is_third_person
