"""What a sentence of a summary tells as done, where its texts have no more than a wish, an offer or a plan of it.

A verb in the past needs a text that tells the same as past: where all clauses with this verb, or with the day of the
part, or that share most words with it, look ahead, it is a plan. So it is where its date is after all that it cites.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from keepsake.domain.english.lemmas import known_lemmas, verb_tags
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.word_groups import WEEKDAYS
from keepsake.domain.evidence.written_dates import find_dates
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.false_sentences.clauses import content, find_nearest, split_clauses
from keepsake.domain.text import stem, words

_OF_PLANS = frozenset(load_sections("plans", __package__.rpartition(".")[0])["of_plans"])
_AHEAD = re.compile(
    r"\b(?:will|would|wants?|wanted|plans?|planned|planning|hop(?:es?|ed|ing)|might|may|if|should|could|can|must"
    r"|going to|gonna|thinking (?:about|of)|offer(?:s|ed|ing)?|asked|asks|begging|need(?:s|ed)?|has to|have to|had to"
    r"|agreed|about to|supposed|meant|next|to be|due|tomorrow|soon|maybe|perhaps|probably|trying|tried)\b|'ll\b",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r"\b(?:to|and|or) (\w+)")
_DENIED = re.compile(r"n't\b|\b(?:not|no|never|cannot)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|where|whether|how|why) .*")
_PASSIVE_AHEAD = re.compile(r"\b(?:be|being|get|getting) \w+", re.IGNORECASE)
_BOUND = re.compile(r"\b(?:for|to|until|till|by|from|before|after|of) (?:the )?\d.*")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b(?! in\b)")  # "4th in six days" is no day
_ENGLISH = frozenset({"en"})
_ABBREVIATED = 3
_DAYS = frozenset(day[:length] for day in WEEKDAYS for length in (3, 4, len(day)))
_PERFECT = frozenset({"has", "have", "had", "having"})
_AUXILIARIES = frozenset({"be", "have", "do", "will", "may", "can", "keep"})
_NOT_YET = re.compile(_AHEAD.pattern.replace("|asked|asks", ""), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Source:
    text: str
    is_ahead: bool


def find_unfinished(
    sentence: str, said: Sequence[Citable], all_texts: Sequence[str], names: frozenset[str]
) -> str | None:
    """A verb in the past of a part whose clauses all look ahead, and that no text tells of the same as past."""
    sources = [_Source(clause, _looks_ahead(clause, one.on)) for one in said for clause in split_clauses(one.text)]
    for part in split_clauses(sentence):
        own = _RELATIVE.sub("", _PASSIVE_AHEAD.sub("", part))
        verbs = _past_verbs(own)
        if verbs and not _is_open(own, _NOT_YET) and (found := _find_only_ahead(verbs, sources)):
            return found
        done = _done(own)
        if not done or _is_open(part):
            continue
        verb = next(iter(done))
        if _is_after(part, said) or _is_day_ahead(part, said, sources):
            return verb
        near = find_nearest(part, [one.text for one in sources], names)
        is_ahead = all(one.is_ahead or _is_denied(one.text, done.values()) for one in sources if one.text in near)
        if near and is_ahead and not _is_done_in(part, frozenset(done.values()), all_texts):
            return verb
    return None


def _is_done_in(part: str, verbs: frozenset[str], texts: Iterable[str]) -> bool:
    """Whether a text tells as past one of the verbs of a part, with another of its words."""
    clauses = (clause for text in texts if verbs & set(_done(text).values()) for clause in split_clauses(text))
    return any(
        verbs & set(_done(clause).values()) and len(content(part) & content(clause)) > 1 and not _is_open(clause)
        for clause in clauses
    )


def _find_only_ahead(verbs: Mapping[str, str], sources: Iterable[_Source]) -> str | None:
    """A verb that clauses have, all of which look ahead with it."""
    for word, verb in verbs.items():
        having = [one for one in sources if stem(verb) in content(one.text) or verb in _past_verbs(one.text).values()]
        if having and all(_plans(one, verb) for one in having):
            return word
    return None


def _plans(one: _Source, verb: str) -> bool:
    """Whether a clause looks ahead with a verb."""
    planned = words(_AHEAD.sub(" ", one.text)) if _AHEAD.search(one.text) else _INFINITIVE.findall(one.text)
    return any(verb in known_lemmas(word, "VERB") for word in planned) and verb not in _past_verbs(one.text).values()


def _is_day_ahead(part: str, said: Sequence[Citable], sources: Iterable[_Source]) -> bool:
    """Whether a part has a weekday on which no message was said, and that only clauses without a past name."""
    days = {word.removesuffix("s") for word in words(part)} & set(WEEKDAYS)
    if not days or any(one.on is None or WEEKDAYS[one.on.weekday()] in days for one in said):
        return False
    shown = {day[:length] for day in days for length in (_ABBREVIATED, _ABBREVIATED + 1, len(day))}
    having = [one.text for one in sources if shown & set(words(one.text))]
    return bool(having) and not any(map(_done, having))


def _is_after(part: str, said: Sequence[Citable]) -> bool:
    """Whether a part names a day after all messages, or one of the month that they name so too."""
    last = max((one.on for one in said if one.on), default=None)
    if last is None:
        return False
    shown = _BOUND.sub("", part)
    found = [one.nearest_to(last) for one in find_dates(shown, _ENGLISH, is_statement=True) if one.month and one.day]
    numbers = set(_ORDINAL.findall(shown)) & {number for one in said for number in _ORDINAL.findall(one.text)}
    return any(period and period[0] > last for period in found) or any(int(number) > last.day for number in numbers)


def _looks_ahead(clause: str, on: date | None) -> bool:
    """Whether a clause tells of nothing that was done, and of a plan or a day to come."""
    if _done(clause):
        return False
    return bool(_AHEAD.search(clause)) or (on is not None and not _may_be_past(clause) and _has_day_to_come(clause, on))


def _has_day_to_come(clause: str, on: date) -> bool:
    if _DAYS & set(words(clause)):
        return True
    found = [one.nearest_to(on) for one in find_dates(clause, _ENGLISH, is_statement=False) if one.month and one.day]
    return any(period and period[0] > on for period in found) or any(
        int(one) > on.day for one in _ORDINAL.findall(clause)
    )


def _is_denied(clause: str, verbs: Collection[str]) -> bool:
    """Whether a clause denies a verb."""
    is_denied = _DENIED.search(clause) and content(clause) & set(map(stem, verbs))
    return bool(is_denied) and not _done(clause)


def _is_open(text: str, ahead: re.Pattern[str] = _AHEAD) -> bool:
    return bool(ahead.search(text) or _DENIED.search(text))


@lru_cache(maxsize=1024)  # the sentences of a reply are checked one by one against the same texts
def _done(text: str) -> Mapping[str, str]:
    """The verbs of a text that can only be past, each with its base form, but for those that tell of plans."""
    return {word: verb for word, verb in _past_verbs(text).items() if verb not in _OF_PLANS}


def _may_be_past(clause: str) -> bool:
    return any("VBD" in verb_tags(word) for word in words(clause))


@lru_cache(maxsize=1024)
def _past_verbs(text: str) -> Mapping[str, str]:
    """The verbs of a text that can only be past, each with its base form; after "has" any participle is."""
    found: dict[str, str] = {}
    is_perfect = False
    for word in words(text):
        lemmas = known_lemmas(word, "VERB")
        tags = verb_tags(word)
        is_past = tags & {"VBD", "VBN"} and not tags & {"VB", "VBP"}
        if (is_past or (is_perfect and "VBN" in tags)) and not _AUXILIARIES & set(lemmas):
            found[word] = lemmas[0]
        is_perfect = word in _PERFECT or (is_perfect and not lemmas)
    return found
