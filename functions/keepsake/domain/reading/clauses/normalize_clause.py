"""Normalizes a clause: expands contractions, removes fillers, separates what stands before its subject."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.dates import RELATIVE_DATE
from keepsake.domain.english.grammar.verb_phrase import VerbPhrase, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_in, verb_form
from keepsake.domain.english.inflection import is_plural
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_alternations, load_pairs, load_sections
from keepsake.domain.english.word_groups import COUNTS, PET_WORDS

_PATTERNS = load_alternations("normalize")
_WORDS = {section: frozenset(entries) for section, entries in load_sections("normalize").items()}
_CONTRACTIONS = load_pairs("contractions")
_CONTRACTION = re.compile(
    r"(?<![\w'])(?:" + "|".join(map(re.escape, sorted(_CONTRACTIONS, key=len, reverse=True))) + r")(?![\w'])", re.I
)
_FILLER = re.compile(rf"(?:(?P<correction>{_PATTERNS['corrections']})|{_PATTERNS['fillers']})\b[\s,.:!]*", re.I)
_MAX_FILLERS = 8
_ADDITIONS = ("also", "plus", "besides")
_MAX_BEFORE_ALSO = 3
"""Words of a subject and an auxiliary, before which "also" is of the verb: "my wife is also a teacher"."""
_TRAILING = re.compile(rf"(?<![\s,])[\s,]{{1,12}}{_PATTERNS['trailing']}$", re.I)
_MAX_TRAILING = 60
_FRONTED = re.compile(
    rf"(?P<date>{RELATIVE_DATE.pattern}),?\s+(?P<behind_date>(?:I|we|my|our)\s.*)|{_PATTERNS['fronted']}", re.I
)
_SINGULAR_VERBS = {"are": "am", "were": "was"}
_MAX_OWNER = 3


@dataclass(frozen=True, slots=True)
class NormalizedClause:
    """A clause in normalized words, and what was removed from it."""

    words: str
    fronted_phrase: str = ""
    corrects: bool = False
    is_addition: bool = False


@lru_cache(maxsize=64)  # a clause is read by rules, by its grammar, as a piece, and for changes
def normalize_clause(clause: str) -> NormalizedClause:
    """The clause with contractions expanded, without fillers, and with its fronted phrase apart."""
    words = _CONTRACTION.sub(lambda one: _CONTRACTIONS.get(one[0].lower(), one[0]), " ".join(clause.split()))
    fillers = [*_fillers(words)]
    corrects = any(filler["correction"] for filler in fillers)
    is_addition = any(filler[0].strip(" ,.:!").lower() in _ADDITIONS for filler in fillers)
    words = _without_trailing(words[fillers[-1].end() :] if fillers else words)
    front = ""
    if fronted := _FRONTED.match(words):
        front = fronted["date"] or fronted["front"] or fronted["front2"]
        front = front[:1].lower() + front[1:]
        words = fronted["behind_date"] or fronted["main"] or fronted["main2"] or fronted["main3"]
        if fronted["date"]:
            words, front = f"{words} {front}", ""
    words = _expand_names(words)
    if with_companion := _without_companion(words):
        words, front = with_companion
    before, also, behind = words.partition(" also ")
    if also and len(before.split()) <= _MAX_BEFORE_ALSO:
        words, is_addition = f"{before} {behind}", True
    return NormalizedClause(_present_of_got(words).strip(" ,.!"), front.strip(" ,"), corrects, is_addition)


def read_clause(clause: str) -> VerbPhrase | None:
    """The grammar of a clause in normalized words; None where it has no subject and verb."""
    return read_verb_phrase(normalize_clause(clause).words)


def filler_length(clause: str, *, with_corrections: bool = False) -> int:
    """The length of the fillers at the beginning of a clause, and of what introduces a correction, or up to that."""
    fillers = itertools.takewhile(lambda one: with_corrections or not one["correction"], _fillers(clause))
    return max((filler.end() for filler in fillers), default=0)


def _fillers(clause: str) -> Iterator[re.Match[str]]:
    """What a clause begins with that says nothing ("and", "by the way,"); it is never all of it."""
    start = 0
    for _ in range(_MAX_FILLERS):
        filler = _FILLER.match(clause, start)
        if filler is None or filler.end() == len(clause):
            return
        yield filler
        start = filler.end()


def _without_trailing(words: str) -> str:
    """The words without trailing politeness; each step searches only their end, so that the time is linear."""
    end = len(words)
    while trailing := _TRAILING.search(words, max(0, end - _MAX_TRAILING), end):
        end = trailing.start()
    return words[:end]


def _expand_names(words: str) -> str:
    """The words of "my boy's autistic" and "my mums coming" with "is" or "has" for the contraction, where it is one."""
    tokens = words.split()
    is_own = words.lower().startswith(("my ", "our "))
    for at, token in enumerate(tokens[: _MAX_OWNER + is_own]):
        is_inside = at and token.lower() in ("my", "our")  # "at my sister's"
        if is_inside or is_in("prepositions", token.lower()) or not token.removesuffix("'s").replace("-", "").isalnum():
            return words
        has_mark = token.lower().endswith("'s") and token.lower() != "who's"
        if has_mark or (is_own and at == 1 and _is_relative_with_s(token.lower())):
            who, rest = [*tokens[:at], token.removesuffix("'s") if has_mark else token[:-1]], tokens[at + 1 :]
            verb = _contracted_verb(bare_words(" ".join(rest[:2])), has_mark=has_mark)
            return " ".join((*who, verb, *rest)).replace(" 's", "'s") if verb else words
    return words


def _is_relative_with_s(word: str) -> bool:
    """Whether a word without an apostrophe may be a contraction ("mums", "dogs")."""
    return is_plural(word) and word.endswith("s") and (kinship_of(word) is not None or word in PET_WORDS)


def _contracted_verb(following: tuple[str, ...], *, has_mark: bool) -> str:
    """What "s" behind a name is before a word: "is", "has", or that of an owner, "'s"; "" where it is not known."""
    word, *others = following or ("",)
    form = verb_form(others[0]) if others else None
    if word in _WORDS["after_has"] or (word == "just" and form is not None and form.is_participle):
        return "has"
    if not has_mark and word in _WORDS["owned"]:
        return "'s"
    is_verb = word.isdigit() or word in _WORDS["after_is"] or is_in("durable_adjectives", word)
    return "is" if is_verb and (has_mark or word not in _WORDS["after_many"]) else ""


def _without_companion(words: str) -> tuple[str, str] | None:
    """What "my wife and I moved" or "me and my wife moved" says of the author, and with whom; None for other words."""
    before, _, after = words.partition(" and I ")
    if words.lower().startswith(("me and my ", "i and my ")):
        tokens = words.split()[2:]
        length = next((end for end in (3, 2) if " ".join(tokens[1:end]).lower() in _WORDS["companions"]), 0)
        before, after = " ".join(tokens[:length]), " ".join(tokens[length:])
    first, *who = before.split() or [""]
    named = who[:-1] if len(who) > 1 and who[-1][0].isupper() else who
    verb, _, rest = after.partition(" ")
    is_together = rest and _WORDS["apart"].isdisjoint(bare_words(after))
    if first.lower() != "my" or " ".join(named).lower() not in _WORDS["companions"] or not is_together:
        return None
    return f"I {_SINGULAR_VERBS.get(verb, verb)} {rest}", " ".join(("with my", *who))


def _present_of_got(words: str) -> str:
    """The words of "I got two cats" with "have": what is had, and not bought or brought."""
    who, _, had = words.partition(" got ")
    count, *named = bare_words(had)[:4] or ("",)
    is_count = who in ("I", "we") and (count in COUNTS or count == "some" or count.isdigit())
    return f"{who} have {had}" if is_count and not (PET_WORDS | _WORDS["children"]).isdisjoint(named) else words
