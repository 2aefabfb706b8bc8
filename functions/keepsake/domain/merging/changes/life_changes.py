"""Finds the memories that a sentence says are over, or may have changed with a part of the author's life.

They are those that it names, or else of the part of life that has changed. Whether it plainly says that one is over, a
classifier tells by its words, and by where it names the thing. That is blanked, so that "sold the Fiat" and "sold my
violin" are the same words; those before and after it say most. Of what somebody must not eat or will not, other words
tell an end than of anything else: whoever "gave up lactose" eats none.
``bench/training/ending_model.py`` trains the weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.grammar.word_forms import is_in, is_noun, noun_phrase, verb_form
from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import PARTNERS, is_family, kinship_of
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.similarity import content_words, proper_names
from keepsake.domain.english.word_groups import MONTHS, NUMBER_WORDS, WEEKDAYS
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.may_change import happened_since, may_change, names_only_years_since
from keepsake.domain.merging.memory_kinds import attribute_of_self, is_habit, is_of_self, kinds_of
from keepsake.domain.merging.parts_of_life import parts_of
from keepsake.domain.reading.changes import BIAS, MIN_PROBABILITY, ChangeStatement, begins_with_another, stems_of
from keepsake.domain.text import normalize_apostrophes, word_set, words

_SINGLE_PARTS = word_set("home work study partner name diet")
"""The parts of which a person mostly has one: a sentence need not name it.

In other parts it means only memories that it names, or that the message before made. What is about health, as an
allergy is, has to be named even where it is about diet too: who ate a steak may well be allergic to walnuts.
"""
_PARTS_OF_PEOPLE = word_set("partner relative pet")
_PLAINLY = 0.75
"""The least probability with which a sentence says that something is over: to end what holds is worse than to ask."""
_OF_UNNAMED = 0.3
"""The least probability that a part of life has changed for a memory of it that the sentence does not name."""
_OF_ONE = 0.1
"""The least share of its part in a change: "sold my bike" ends no home above a bike shop, and no brother."""
_MAX_TARGETS = 5
"""Words that may mean more memories than this mean none of them."""
_OF_ANOTHER = word_set("he him his she her hers he's he'd he'll she's she'd she'll")
"""Somebody whom only another sentence names: "we let him go" may be of a dog."""
_RESTRICTIONS = frozenset({"allergy", "intolerance", "avoids", "diet"})
"""Attributes of what the person must not or will not eat."""
_LIGHT = "day week month year time hour minute moment morning afternoon evening night weekend today take make get go"
_NAMELESS = frozenset(content_words(f"{_LIGHT} {' '.join((*NUMBER_WORDS, *WEEKDAYS, *MONTHS))}"))
"""The stems of words that name nothing: they say when or how many, or anything may be taken or made."""
_MAX_SUBJECT = 3
CLASSIFIER = "ending"
_THING, _RELATIVE = "*", "kin"
_WITHOUT, _OF_OTHERS, _TASTE = "!", "~", "?"
_NEGATIONS = word_set("not never cannot")
_AROUND = 4


class LifeChange(NamedTuple):
    """A memory that a sentence means, how likely it says that it is over, and whether it names it."""

    memory: Memory
    end: float
    is_named: bool
    is_over: bool = False


def find_life_changes(
    statement: ChangeStatement, memories: Sequence[Memory], said_at: datetime
) -> Iterator[LifeChange]:
    """The memories that may no longer hold after a sentence, or are over.

    Where it names some, it means no others; else those of the message before, if they are of the part of life that has
    changed. One that it does not name is over only where it means no other.
    """
    if not statement.parts:
        return
    found = [
        change
        for memory in memories
        if may_change(memory, said_at)
        and not _is_name_in_family(memory)
        and (change := _read(statement, memory)) is not None
        and _is_new(statement.clause.words, change, said_at)
    ]
    named = [one for one in found if one.is_named]
    targets = named or [one for one in found if one.memory.id in statement.last] or found
    is_of_one = len(targets) == 1 and _OF_ANOTHER.isdisjoint(words(statement.clause.words))
    if len(targets) <= _MAX_TARGETS:
        for one in targets:
            yield one._replace(is_over=(one.is_named or is_of_one) and one.end >= _PLAINLY)


def parts_of_unnamed(statement: ChangeStatement) -> set[str]:
    """The parts of life of which it may mean a memory that it does not name: all others are too unlikely together."""
    found: set[str] = set()
    total = 0.0
    for part, probability in sorted(statement.parts.items(), key=itemgetter(1)):
        total += probability
        if total >= _OF_UNNAMED:
            found.add(part)
    return found


def _is_name_in_family(memory: Memory) -> bool:
    """Whether it names somebody of the family but a partner, which nothing that happens to them ends."""
    key = parse_key(memory.key)
    return is_family(key.relation) and key.relation not in PARTNERS and key.last == "name"


def _read(statement: ChangeStatement, memory: Memory) -> LifeChange | None:
    """What a sentence may say of the memory, if it means it."""
    sentence = statement.clause.words
    if is_of_self(memory) and _is_restriction(memory) and begins_with_another(sentence):
        return None  # "my boy outgrew his egg allergy" says nothing of the author's
    names = said_names(memory, sentence)
    return _read_named(statement, memory, names) if names else _read_unnamed(statement, memory)


def _read_named(statement: ChangeStatement, memory: Memory, names: frozenset[str]) -> LifeChange | None:
    parts, changed = parts_of(memory), statement.parts
    change, of_memory = sum(changed.values()), sum(changed.get(part, 0.0) for part in parts)
    end = _end_probability(ending_features(statement.clause.words, names, memory))
    if own := _features_as_own(statement.clause.words, memory):
        end = max(end, _end_probability(own))
    if (of_memory if _kind(memory) else change) < MIN_PROBABILITY and end < _PLAINLY:
        return None
    if not parts.isdisjoint(_PARTS_OF_PEOPLE):
        of_memory = sum(changed.get(part, 0.0) for part in _PARTS_OF_PEOPLE)
    is_of_another_part = not parts.isdisjoint(_SINGLE_PARTS) and of_memory < _OF_ONE * change
    return LifeChange(memory, 0.0 if is_of_another_part else end, is_named=True)


def _read_unnamed(statement: ChangeStatement, memory: Memory) -> LifeChange | None:
    change = sum(statement.parts.values())
    if change < _OF_UNNAMED:  # as of most sentences
        return None
    parts = parts_of(memory)
    if sum(statement.parts.get(part, 0.0) for part in parts) < _OF_UNNAMED:  # as of most memories
        return None
    end = _end_probability(ending_features(statement.clause.words, frozenset(), memory))
    is_likely = change >= MIN_PROBABILITY or end >= _PLAINLY
    return LifeChange(memory, end, is_named=False) if is_likely and _may_mean(statement, memory, parts) else None


def _may_mean(statement: ChangeStatement, memory: Memory, parts: frozenset[str]) -> bool:
    """Whether a sentence that does not name the memory may mean it."""
    sentence = statement.clause.words
    is_last = memory.id in statement.last
    if is_last or begins_with_another(sentence):  # "don't read newspapers" is no end of "Reads crime novels"
        return is_last and _words_of_sentence(sentence).isdisjoint(_names_of_memory(memory))
    return "health" not in parts and not parts.isdisjoint(_SINGLE_PARTS)


def _is_new(sentence: str, change: LifeChange, said_at: datetime) -> bool:
    """Whether what the sentence tells happened after the memory was said; what is plainly over, in no other year."""
    is_in_time = change.end >= _PLAINLY and names_only_years_since(sentence, change.memory, said_at)
    return is_in_time or happened_since(sentence, change.memory, said_at)


def said_names(memory: Memory, sentence: str) -> frozenset[str]:
    """The stems of the words of a sentence that name the memory, and not another thing ("table tennis")."""
    names = _names_of_memory(memory) & _words_of_sentence(sentence)
    if not names:  # as of most memories
        return names
    known, said = content_words(memory.text), sentence.split()
    others = (word for at, word in enumerate(said) if _is_of_another(said, at, known))
    return names - content_words(" ".join(others))


def _is_of_another(said: Sequence[str], at: int, known: set[str]) -> bool:
    """Whether the words around it tell that it is of another kind ("table tennis", "vitamin B12", "running a club")."""
    before, after = said[max(0, at - 2) : at], said[at + 1 :]
    if after and any(map(str.isdigit, after[0])):
        return content_words(after[0]).isdisjoint(known)
    if not is_in("determiners", *before[-1:]) and verb_form(said[at]) and _has_object(after):
        phrase = after[1:] if is_in("determiners", after[0]) else after
        return content_words(" ".join(noun_phrase(tuple(phrase)))).isdisjoint(known)
    if not before or not content_words(before[-1]).isdisjoint(known) or not _may_modify(before[-1]):
        return False
    return len(before) == 1 or is_in("determiners", before[0]) or verb_form(before[0].lower()) is not None


def _has_object(after: Sequence[str]) -> bool:
    first = next((word for word in after[:2] if not is_in("determiners", word)), "")
    return bool(content_words(first)) and is_noun(first) and not is_in("ends_noun_phrase", first)


def _may_modify(word: str) -> bool:
    form = verb_form(word)
    is_other = kinship_of(word) or known_lemmas(word, "ADJ") or is_plural(word)
    is_other = is_other or is_in("ends_noun_phrase", word) or is_in("determiners", word) or is_in("not_verbs", word)
    return word.islower() and word.isalpha() and is_noun(word) and not (is_other or (form and form.is_gerund))


@lru_cache(maxsize=32)  # a sentence is compared with all memories that it may mean
def _words_of_sentence(sentence: str) -> frozenset[str]:
    return frozenset(content_words(sentence))


@lru_cache(maxsize=4096)  # of a person whose messages wait in a row, every one asks for the same
def _names_of_memory(memory: Memory) -> frozenset[str]:
    """The stems of the words that name the memory: of one about others, whom; of an allergy or a diet, what of."""
    text, key = normalize_apostrophes(memory.text), parse_key(memory.key)
    first, _, rest = text.partition(" ")
    names = content_words(f"{' '.join(proper_names(text))} {memory.entity_label or ''}")
    if not is_of_self(memory):
        names |= content_words(first)
    elif _is_restriction(memory):  # whoever quits the bakery is as allergic as before, also "since the bakery"
        names = content_words(text) & content_words(f"{key.attribute} {key.what or memory.value}".replace("_", " "))
    else:
        names |= _named_things(text if is_habit(memory) else rest)
    return frozenset(names - _NAMELESS)


def _named_things(text: str) -> set[str]:
    """The stems of what a text names, but for words that only tell of what kind something is ("big house")."""
    said = bare_words(text)
    return content_words(" ".join(word for word, following in pairwise((*said, "")) if _may_name(word, following)))


def _may_name(word: str, following: str) -> bool:
    is_modifier = bool(known_lemmas(word, "ADJ") and known_lemmas(following, "NOUN"))
    return not is_modifier and (is_noun(word) or word.endswith("ing"))


def _is_restriction(memory: Memory) -> bool:
    return attribute_of_self(memory) in _RESTRICTIONS


def ending_features(sentence: str, names: frozenset[str], memory: Memory | None = None) -> list[str]:
    """The features of a sentence, in which words with these stems name the memory, each once."""
    said = [*_blanked(sentence, names)]
    found = [BIAS, *said, *(f"{one}_{other}" for one, other in pairwise((BIAS, *said, "$")))]
    if kind := _kind(memory) if memory else "":
        found += [f"{kind}{one}" for one in found]
    if _THING in said:
        at = said.index(_THING)
        before, after = said[max(0, at - _AROUND) : at], said[at + 1 : at + 1 + _AROUND]
        found += [*(f"<{one}" for one in before), *(f">{one}" for one in after)]
        found += [f"<<{'_'.join(before[-2:])}", f">>{'_'.join(after[:2])}"]
    return list(dict.fromkeys(found))


def _features_as_own(sentence: str, memory: Memory) -> list[str]:
    """The features of what the person whom a memory is about would say of the thing: "Kit left it" is "I left it"."""
    if _kind(memory) != _OF_OTHERS:
        return []
    who = content_words(f"{memory.text.partition(' ')[0]} {memory.entity_label or ''}")
    said = sentence.split()
    subject = [at for at, word in enumerate(said[:_MAX_SUBJECT]) if not who.isdisjoint(content_words(word))]
    own = " ".join(("I", *said[subject[-1] + 1 :])) if subject else ""
    things = _named_things(memory.text) - who - _NAMELESS
    return [] if things.isdisjoint(content_words(own)) else ending_features(own, frozenset(things))


def _end_probability(features: Iterable[str]) -> float:
    """How likely it is that a sentence with these features says that the memory is over."""
    weights = load_weights(CLASSIFIER)
    score = sum(weights.get(one, 0.0) for one in features)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def _kind(memory: Memory) -> str:
    """What other words end than what the author has or does: what they go without or like, and what others do."""
    is_denied = not _NEGATIONS.isdisjoint(words(memory.text)) or "no longer" in memory.text.casefold()
    if is_denied or _is_restriction(memory):
        return _WITHOUT
    if not is_of_self(memory):
        return _OF_OTHERS
    return _TASTE if "taste" in kinds_of(memory) else ""


def _blanked(sentence: str, names: frozenset[str]) -> Iterator[str]:
    """The stems of the words, those that name the thing as one sign, and those of relatives as another."""
    last = ""
    for word, stem in stems_of(sentence):
        is_thing = not names.isdisjoint(content_words(word))
        relation = kinship_of(word)
        said = _THING if is_thing else _RELATIVE if relation and relation not in PARTNERS else stem
        if said != last or said != _THING:
            yield said
        last = said
