"""Joins items ("tea, coffee and juice"), and what is said of one person ("Lives in Graz and works at a school").

Nothing is added and nothing but a repeated first word left out: the predicates stand as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from keepsake.domain.text import word_set

_MAX_JOINED = 3
_MAX_JOINED_LENGTH = 70
_COUNTS = word_set("a an the their no two three four five six several many")
_MARKS = frozenset(',;:“”"(.!?')
_JOINTS = word_set("and or but because so who which that when while longer")


def join_predicates(predicates: Sequence[str]) -> str:
    """The sentences: those that begin with the same word together, and long or joined ones by themselves."""
    by_word: dict[str, list[str]] = {}
    for one in predicates:
        by_word.setdefault(_group(one), []).append(one)
    sentences: list[list[str]] = []
    for group in by_word.values():
        if len(group) == 1 and not _stands_alone(group[0]) and sentences and _takes_another(sentences[-1]):
            sentences[-1] += group
        else:
            sentences += [group[at : at + _MAX_JOINED] for at in range(0, len(group), _MAX_JOINED)]
    return end_sentences(map(_join, sentences))


def _group(predicate: str) -> str:
    """What predicates of one sentence have in common; "has two dogs" and "has diabetes" are not told in one breath."""
    verb, _, rest = predicate.partition(" ")
    count = rest.partition(" ")[0]
    is_state = verb == "has" and count not in _COUNTS and not count.isdigit()
    return predicate if is_state or _stands_alone(predicate) else verb


def end_sentences(texts: Iterable[str]) -> str:
    """The texts as sentences: each with a capital and a period."""
    return " ".join(f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}" for text in texts)


def enumerate_items(items: Sequence[str]) -> str:
    """The items, with "and" before the last."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _stands_alone(predicate: str) -> bool:
    is_joined = not (_MARKS.isdisjoint(predicate) and _JOINTS.isdisjoint(predicate.split()))
    return is_joined or len(predicate) > _MAX_JOINED_LENGTH


def _takes_another(sentence: Sequence[str]) -> bool:
    words = {one.partition(" ")[0] for one in sentence}
    return len(words) == len(sentence) < _MAX_JOINED and not any(map(_stands_alone, sentence))


def _join(group: Sequence[str]) -> str:
    """Predicates as one sentence: the first word of all of them is said once."""
    word, _, first = group[0].partition(" ")
    rest = [one.partition(" ")[2] for one in group]
    if len(group) > 1 and first and all(one.partition(" ")[0] == word for one in group):
        return f"{word} {enumerate_items(rest)}"
    return enumerate_items(group)
