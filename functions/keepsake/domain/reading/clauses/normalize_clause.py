"""Normalizes a clause: expands contractions, removes fillers, separates fronted phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.dates import RELATIVE_DATE
from keepsake.domain.english.load_word_lists import load_alternations, load_pairs
from keepsake.domain.english.word_groups import JOBS, PETS

_WORDS = load_alternations("normalize", jobs=f"(?:{'|'.join(sorted(JOBS))})", pets=PETS)


@dataclass(frozen=True, slots=True)
class NormalizedClause:
    """A clause in normalized words, and what was removed from it."""

    words: str
    fronted_phrase: str = ""
    corrects: bool = False
    is_addition: bool = False


_CONTRACTIONS = load_pairs("contractions")
_CONTRACTION = re.compile(
    r"(?<![\w'])(?:" + "|".join(map(re.escape, sorted(_CONTRACTIONS, key=len, reverse=True))) + r")(?![\w'])", re.I
)
_FILLER = re.compile(rf"(?:{_WORDS['fillers']}\b[\s,.:!]*)", re.I)
_CORRECTION = re.compile(rf"(?:{_WORDS['corrections']}\b[\s,.:!]*)", re.I)
_WITH_COMPANION = re.compile(
    rf"^(?P<who>my {_WORDS['companions']}(?: (?-i:[A-Z][\w'-]+))?) and I (?!(?:just |recently |"
    r"finally |have )*(?:broke|broken|split)\b|.{0,200}\b(?:different|separate|apart)\b)(?P<verb>\w+) (?P<rest>.+)$",
    re.I,
)
_MAX_FILLERS = 8
_SINGULAR_VERBS = {"are": "am", "were": "was"}
_TRAILING = re.compile(rf"(?<![\s,])[\s,]{{1,12}}{_WORDS['trailing']}$", re.I)
_MAX_TRAILING = 60
_FRONTED = re.compile(_WORDS["fronted"], re.I)
_FRONTED_DATE = re.compile(rf"(?P<front>{RELATIVE_DATE.pattern}),?\s+(?P<main>(?:I|we|my|our)\s.*)", re.I)
_GOT = re.compile(
    r"(?P<who>I|we) (?:have got\b ?|got (?=(?:an?|two|three|four|five|some|\d+) (?:[\w-]{2,15} ){0,2}"
    rf"(?:{PETS}|(?:kid|son|daughter|brother|sister)s?)\b))",
    re.I,
)
"""What is had, and not what was bought or brought."""
_STRESSED = ("like", "love", "enjoy", "prefer", "want", "have", "own")
_ADDITIONS = ("also", "plus", "besides")


def _fillers(clause: str, *kinds: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """What a clause begins with that says nothing ("and", "by the way,"); it is never all of it."""
    start = 0
    for _ in range(_MAX_FILLERS):
        filler = next((match for kind in kinds if (match := kind.match(clause, start))), None)
        if filler is None or filler.end() == len(clause):
            return
        yield filler
        start = filler.end()


def filler_length(clause: str) -> int:
    """The length of the fillers at the beginning of a clause, without what introduces a correction."""
    return max((filler.end() for filler in _fillers(clause, _FILLER)), default=0)


def _expand(match: re.Match[str]) -> str:
    """The full form of a contraction; what only looks like one stays (Turkish letters that match "i")."""
    return _CONTRACTIONS.get(match[0].lower(), match[0])


def _without_trailing(words: str) -> str:
    """The words without trailing politeness; each step searches only their end, so that the time is linear."""
    end = len(words)
    while trailing := _TRAILING.search(words, max(0, end - _MAX_TRAILING), end):
        end = trailing.start()
    return words[:end]


@lru_cache(maxsize=64)  # a clause is read by rules, by its grammar, as a piece, and for changes
def normalize_clause(clause: str) -> NormalizedClause:
    """The clause with contractions expanded, without fillers, and with its fronted phrase apart."""
    words = _CONTRACTION.sub(_expand, " ".join(clause.split()))
    fillers = [*_fillers(words, _CORRECTION, _FILLER)]
    corrects = any(filler.re is _CORRECTION for filler in fillers)
    is_addition = any(filler[0].strip(" ,.:!").lower() in _ADDITIONS for filler in fillers)
    words = _without_trailing(words[fillers[-1].end() :] if fillers else words)
    fronted_phrase = ""
    if dated := _FRONTED_DATE.match(words):
        words = f"{dated['main']} {dated['front'][:1].lower()}{dated['front'][1:]}"
    if fronted := _FRONTED.match(words):
        fronted_phrase = fronted["front"] or fronted["front2"]
        words = fronted["main"] or fronted["main2"] or fronted["main3"]
    if with_companion := _WITH_COMPANION.match(words):
        fronted_phrase, words = (
            f"with my{with_companion['who'][2:]}",
            f"I {_SINGULAR_VERBS.get(with_companion['verb'], with_companion['verb'])} {with_companion['rest']}",
        )
    if words.startswith("I do ") and words.split()[2:3] and words.split()[2] in _STRESSED:
        words = f"I {words.removeprefix('I do ')}"
    if got := _GOT.match(words):
        words = f"{got['who']} have {words[got.end() :]}"
    if words.startswith("I also "):
        words, is_addition = f"I {words.removeprefix('I also ')}", True
    return NormalizedClause(words.strip(" ,.!"), fronted_phrase.strip(" ,"), corrects, is_addition)
