"""Finds the words by which a message names a memory: not by those that say little, or that name something else.

"Table tennis" is no tennis, and of "give Noor the violin back" Noor is not over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.grammar.word_forms import is_adverb, is_in, is_noun, noun_phrase, verb_form
from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.similarity import content_words, proper_names
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.memory_kinds import is_habit, is_of_self
from keepsake.domain.text import normalize_apostrophes, stem, word_set

_GENERIC = frozenset(map(stem, load_words("words_that_name_nothing", __package__)))
_MAX_VERB = 3
"""The first words of a memory, among which its verb is."""
RESTRICTIONS = frozenset({"allergy", "intolerance", "avoids", "diet"})
"""Attributes of what the person must not or will not eat."""

_MARKS = str.maketrans(dict.fromkeys(",;:.!?()", "\n"))
_GIVING = word_set("give bring hand send pay lend owe")
_TO_WHOM = word_set("him her them")
_KNOWN = word_set("his her their the a an my our some")


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
    """The stems of the words of a sentence that name the memory, and not another thing whose name has them."""
    names = names_of_memory(memory) & _words_of_sentence(sentence)
    if not names:  # as of most memories: no word need be left out of the sentence
        return names
    known = content_words(f"{memory.text} {memory.entity_label or ''}")
    parts = normalize_apostrophes(sentence).translate(_MARKS).split("\n")
    return names & content_words(" ".join(word for part in parts for word in _words_that_name(part.split(), known)))


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


def _words_that_name(said: Sequence[str], known: set[str]) -> Iterator[str]:
    """The words of a part of a sentence that may name the memory, as a name does of whoever is given nothing."""
    others = {at for at in range(len(said)) if said[at].islower() and _is_of_another_kind(said, at, known)}
    for at, word in enumerate(said):
        is_other = at in others or _is_recipient(said, at)
        if not is_other and not (word.islower() and _is_done_with_another(said, at, known, others)):
            yield word


def _is_recipient(said: Sequence[str], at: int) -> bool:
    """Whether something is given to somebody so named ("give Noor the violin back", "my sister Noor a violin")."""
    start = next((index for index in (at - 1, at - 2, at - 3) if index >= 0 and _is_giving(said[index])), at)
    before, after = said[start + 1 : at], said[at + 1 : at + 2]
    is_person = said[at][0].isupper() or said[at] in _TO_WHOM or before[:1] in (["my"], ["our"])
    return start < at and is_person and bool(after) and (after[0] in _KNOWN)


def _is_giving(word: str) -> bool:
    form = verb_form(word.lower())
    return form is not None and form.lemma in _GIVING


def _is_of_another_kind(said: Sequence[str], at: int, known: set[str]) -> bool:
    """Whether the word behind it, or a noun before it, tells that it is another one ("vitamin B12", "table tennis")."""
    following = said[at + 1 : at + 2]
    if following and _distinguishes(following[0]):
        return not _is_known(following[0], known)
    if at == 0 or not (is_noun(said[at]) and _may_modify(said[at - 1])) or _is_known(said[at - 1], known):
        return False
    return at == 1 or is_in("determiners", said[at - 2]) or verb_form(said[at - 2]) is not None


def _distinguishes(word: str) -> bool:
    """Whether it is what tells things of one name apart: "B12", "D", "2"."""
    return any(map(str.isdigit, word[:4])) or (len(word) == 1 and word.isupper() and word != "I")


def _may_modify(word: str) -> bool:
    """Whether a word may be a noun before another one, and is no relative ("my sister Ann")."""
    form = verb_form(word)
    is_gerund = form is not None and form.is_gerund
    if not (word.islower() and is_noun(word)) or is_plural(word):
        return False
    if is_in("not_verbs", word) or is_in("ends_noun_phrase", word):
        return False
    return not (is_gerund or kinship_of(word) or is_in("determiners", word))


def _is_done_with_another(said: Sequence[str], at: int, known: set[str], others: set[int]) -> bool:
    """Whether it is a verb whose object is not known ("running the book club", "play table tennis")."""
    start = at + 2 if is_in("determiners", *said[at + 1 : at + 2]) else at + 1
    end = start + len(noun_phrase(tuple(said[start:])))
    is_object = start < end and is_noun(said[start]) and not is_in("ends_noun_phrase", said[start])
    is_noun_here = at > 0 and is_in("determiners", said[at - 1])  # "the wedding goes to September"
    if is_noun_here or verb_form(said[at]) is None or not is_object or not content_words(said[start]):
        return False
    return not any(_is_known(said[index], known) for index in range(start, end) if index not in others)


def _is_known(word: str, known: set[str]) -> bool:
    return not content_words(word).isdisjoint(known)
