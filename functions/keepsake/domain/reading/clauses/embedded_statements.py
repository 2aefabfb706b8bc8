"""Finds what sentences say in passing, also where they ask: how the person wants answers, and names of those close."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations, load_lines
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.english.word_groups import PETS
from keepsake.domain.reading.clauses.clause_filters import phrase_length
from keepsake.domain.reading.clauses.parts import Part


@dataclass(frozen=True, slots=True)
class _Preference:
    """How one may want answers: what it means to ask for one of the options, and what to refuse one."""

    options: Sequence[str]
    statement: str
    refused: str = ""
    shown_by: Sequence[str] = ()
    """One of these shows that answers are meant, or else the order is for more than this answer ("from now on")."""


_TABLE = read_toml("data/embedded.toml", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _TABLE["words"].items()}
_LANGUAGES = _Preference(
    tuple(map(str.capitalize, load_lines("languages"))),
    "I prefer answers in {}",
    shown_by=("answer", "reply", "respond", "me"),
)
_PREFERENCES = {
    option.lower(): (preference, option)
    for preference in (_LANGUAGES, *(_Preference(**row) for row in _TABLE["preference"]))
    for option in preference.options
}
_PIECE = re.compile(r"[^,;:.!?()]+")
_WORD = re.compile(r"[\w'/-]+")
_NAME = "(?-i:[A-Z])[a-z]{1,14}"
_GROUPS, _OTHERS = ("|".join(_TABLE["words"][name]) for name in ("groups", "others"))
_OWNERS = rf"my|our|the(?= (?:{_GROUPS})\b)|(?:i|we)(?: have|.?ve)(?: got)?"
_CLOSE = rf"(?!ex\b)(?:{RELATIONS}|{FRIENDS}|{_OTHERS}|{_GROUPS}|(?P<pet>{PETS}))"
_NAMES = rf"{_NAME}(?:(?:, {_NAME}){{0,3}},? (?:and|&) {_NAME})?"
_NO_NAME = r"(?!'s? (?:name|favou?rite)| (?:(?-i:[A-Z])|family|side|died|passed))"
_NAMED = re.compile(
    rf"\b(?:{_OWNERS}) (?:(?:eldest|big) (?=boy|lad))?(?P<who>{_CLOSE})(?:,|:| named| called)? (?P<names>{_NAMES})\b"
    rf"{_NO_NAME}",
    re.IGNORECASE,
)
_RELATIONS = {
    "little girl": "daughter", "little boy": "son", "boy": "son", "lad": "son", "youngest": "child", "eldest": "child",
    "oldest": "child",
}  # fmt: skip
"""What words for a relation mean that are none by themselves ("my lad")."""
_ILLNESS = load_alternations("illnesses")["illnesses"]
_IS_ILL = rf"(?<!'s )(?<!s' )\b(?:my|as (?:someone|somebody|a person) with) (?P<illness>{_ILLNESS})"
_NOT_ILL = r"(?!['\w]| (?-i:[A-Z])| (?:is gone|died))"
_HAS_SEVERAL = rf"\b(?:my|our) (?P<many>(?:two|three|four|five|six|[2-6]) (?:{_GROUPS}))\b(?! (?:died|passed))"
_POSSESSION = re.compile(f"{_IS_ILL}{_NOT_ILL}|{_HAS_SEVERAL}", re.IGNORECASE)
_HOME = re.compile(r"\b[Hh]ere in (?P<place>[A-Z][\w-]{2,20}(?: [A-Z][\w-]{2,20}){0,2})\b(?! (?:for|until|till|on)\b)")


def embedded_statements(sentence: str) -> Iterator[Part]:
    """The statements that a sentence contains, and where their words stand."""
    said = bare_words(sentence)
    is_durable = any(phrase_length(said[at:], _WORDS["durable"]) for at in range(len(said)))
    for piece in _PIECE.finditer(sentence):
        yield from dict.fromkeys(_preferences(piece, is_durable=is_durable))
    for named in _NAMED.finditer(sentence):
        if statement := _name(named):
            yield Part(*named.span(), statement)
    if _WORDS["not_possessed"].isdisjoint(said):
        for owned in _POSSESSION.finditer(sentence):
            yield Part(*owned.span(), f"I have {owned['illness'] or owned['many']}")
    if _WORDS["not_at_home"].isdisjoint(said) and (match := _HOME.search(sentence)):
        yield Part(*match.span(), f"I live in {match['place']}")


def _preferences(piece: re.Match[str], *, is_durable: bool) -> Iterator[Part]:
    """How the person wants answers, as they say in a piece of a sentence: orders from its beginning or a joint on."""
    tokens = [*_WORD.finditer(piece[0])]
    said = [token[0].lower() for token in tokens]
    joints = (
        at for at in range(1, len(said)) if said[at] in _WORDS["joints"] and said[at - 1] not in _WORDS["subjects"]
    )
    for start in (0, *joints):
        first = start + _length_of_all(said[start:], _WORDS["openings"])
        at = first
        while not (length := phrase_length(said[at:], _PREFERENCES)) and (
            other := phrase_length(said[at:], _WORDS["orders"])
        ):
            at += other
        behind = at + length
        end = behind + _length_of_all(said[behind:], _WORDS["nouns"])
        goes_on = phrase_length(said[end:], _WORDS["behind"]) or (is_durable and said[end : end + 1] == ["and"])
        if length and (end == len(said) or goes_on):
            before, option, after = said[first:at], " ".join(said[at:behind]), said[behind : end + 3]
            last = end - 1 + _length_of_all(said[end:], _WORDS["courtesies"])
            if statement := _statement_of(option, before, after, is_durable=is_durable):
                yield Part(piece.start() + tokens[first].start(), piece.start() + tokens[last].end(), statement)


def _length_of_all(words: Sequence[str], phrases: Container[str]) -> int:
    """How many words belong to phrases with which words begin, one behind the other."""
    length = 0
    while more := phrase_length(words[length:], phrases):
        length += more
    return length


def _statement_of(option: str, before: Sequence[str], after: Sequence[str], *, is_durable: bool) -> str:
    """The statement of an order between whose words an option stands; "" where it is for this answer alone."""
    preference, named = _PREFERENCES[option]
    is_refused = not (_WORDS["refusals"].isdisjoint(before) and _WORDS["complaints"].isdisjoint(after))
    if is_refused:
        is_of_author = "{}" in preference.refused and before[:1] in (["i"], ["we"])  # "I never use emojis"
        return "" if is_of_author else preference.refused.format(named)
    is_order = is_durable and not _WORDS["commands"].isdisjoint(before)
    is_shown = is_order or not {*preference.shown_by}.isdisjoint((*before, *after))
    return preference.statement.format(named) if is_shown else ""


def _name(match: re.Match[str]) -> str | None:
    """What words say of the name of somebody close, or of several names; None where they fit no others."""
    who, names = _RELATIONS.get(match["who"].lower(), match["who"]), match["names"]
    first = names.partition(" and ")[0].partition(" & ")[0].partition(",")[0]
    if is_plural(who):
        return f"my {who} are called {names}" if first != names else None
    return f"I have a {who} named {first}" if match["pet"] else f"my {who}'s name is {first}"
