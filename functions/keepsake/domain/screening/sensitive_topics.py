"""What is said of health and money: sensitive topics, by lists of words; and how much somebody earns, owes or has."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from keepsake.domain.english.load_word_lists import load_lines, load_sections, load_words
from keepsake.domain.screening.phrase_list import PhraseList, Span
from keepsake.domain.text import in_small_letters, normalize_apostrophes, strip_invisible, word_set, words

_ENTRIES = (*load_lines("health", __package__), *load_lines("finances", __package__))
_TOPICS = PhraseList(_ENTRIES, ordinary=load_lines("ordinary", __package__))
_PRACTITIONERS = load_words("practitioners", __package__)
_BEFORE_A_PRACTITIONER = word_set("see sees saw seeing seen visit visits visiting my their his her the by with from")

_TO = (["to", "a"], ["to", "an"])

_LISTS = load_sections("financial_amounts", __package__)
_AMOUNT_TOPICS = PhraseList(_LISTS["topics"])
_UNITS, _TIMES, _RATES = map(frozenset, (_LISTS["units"], _LISTS["times"], _LISTS["rates"]))
_EACH = word_set("a an per each every pro im der al por ao la par all")
_NUMBER = r"\d(?:[\d.,'’]{0,20}\d)?(?: \d{3}(?!\d)){0,4}"
_AMOUNT = re.compile(
    rf"(?P<money>(?:[$€£¥₹₽]|\b(?:usd|eur|gbp|chf|jpy|inr|pln|sek|nok|dkk|brl|us\$|r\$|kr\.?))\s?{_NUMBER}"
    rf"|{_NUMBER}\s?[€$£¥₹₽元円원]|[\d一二两三四五六七八九十][\d.,一二两三四五六七八九十百千万萬億亿만억]{{0,20}}\s?[万萬千百元円원块]"
    r"|\b(?:[^\W\d]{1,12}[ -])?(?:hundred|thousand|million|grand|lakh|\w{0,12}tausend|mille|mila?|duizend|тысяч\w?)\b)"
    rf"|(?<![\w.,]){_NUMBER}"
)
_FOLLOWING = re.compile(r"[\w\s/'’-]{0,30}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LARGE = range(3, 10)
"""Digits of a number that may be an amount without a unit."""
_AFTER_LARGE = word_set("in of before after net gross left to on")
"""What may stand behind one; any other word is what it counts."""
_PAID = ("earn", "mak", "mad", "get", "paid", "owe", "salar", "wage", "income", "pay")
"""With what words begin that say that an amount is paid each time."""
_PAYING = word_set("pay pays paid save saves saved lost lose loses won spend spends spent")
_EARNING = word_set("make makes making made get gets getting got receive receives paid bring brings bringing")
_OWNING = word_set("has have had own owns")
_APPROXIMATELY = word_set("about around over only just almost nearly")
_WINDOW, _WINDOW_AFTER = 50, 30


def is_sensitive_topic(text: str) -> bool:
    """Whether the text is about the health or the money of a person."""
    shown = normalize_apostrophes(strip_invisible(text))
    return _TOPICS.is_in(shown) or _sees_a_practitioner(words(shown)) or names_amount(shown)


def _sees_a_practitioner(said: list[str]) -> bool:
    before = (said[max(0, at - 3) : at] for at, word in enumerate(said) if word.removesuffix("s") in _PRACTITIONERS)
    return any(not _BEFORE_A_PRACTITIONER.isdisjoint(one) or one[-2:] in _TO for one in before)


def is_financial_amount(text: str) -> bool:
    """Whether the text says how much somebody earns, owes or has."""
    return next(_find(text), None) is not None


def names_amount(text: str) -> bool:
    """Whether the text says how much somebody earns, owes or has, or pays, saves, wins or loses."""
    return is_financial_amount(text) or (
        not _PAYING.isdisjoint(words(text))
        and any(_follows(text.lower(), one)[0] for one in _AMOUNT.finditer(text.lower()))
    )


def find_financial_amounts(text: str) -> list[Span]:
    """Where the text says how much somebody earns, owes or has; positions are those without invisible characters."""
    return sorted(_find(text))


def _find(text: str) -> Iterator[Span]:
    visible = in_small_letters(strip_invisible(text))
    found = [(match, *_follows(visible, match)) for match in _AMOUNT.finditer(visible)]
    topics = _AMOUNT_TOPICS.find(visible) if found else []
    last_rate = max((match.end() for match, _, is_rate, *_ in found if is_rate), default=0)
    for match, is_money, is_rate, following, end in found:
        before = words(visible[max(0, match.start() - _WINDOW) : match.start()])
        is_last = not following or last_rate >= match.end()
        if (
            ((is_money or is_rate or _is_large(match[0], following)) and _is_near(topics, match))
            or (is_money and (_is_owned(before) or (is_last and not _EARNING.isdisjoint(before))))
            or (is_rate and any(word.startswith(_PAID) for word in before))
        ):
            yield match.start(), end


def _follows(text: str, match: re.Match[str]) -> tuple[bool, bool, list[str], int]:
    """Whether a number is money, by a unit behind it too, whether it is paid each time; what follows, from where."""
    following = _FOLLOWING.match(text, match.end())
    said = words(following[0].replace("/", " per ")) if following else []
    rest = [*itertools.dropwhile(_UNITS.__contains__, said)]
    units = len(said) - len(rest)
    times = (
        next((at for at, word in enumerate(rest[:3]) if at and word in _TIMES), 0)
        if rest[:1] and rest[0] in _EACH
        else 0
    )
    is_rate = times > 0 or not _RATES.isdisjoint(rest[:1])
    end = match.end()
    for word in said[: units + (times + 1) * is_rate]:
        if (start := text.find(word, end, match.end() + _WINDOW)) >= 0:
            end = start + len(word)
    return bool(match["money"] or units), is_rate, rest, end


def _is_large(number: str, following: list[str]) -> bool:
    """Whether a number without a unit may be an amount: no year, and nothing that is counted."""
    is_counted = number.isdecimal() and following != [] and following[0] not in _AFTER_LARGE
    dollars = number[:-3] if number[-3:-2] in {".", ","} else number
    return sum(map(str.isdecimal, dollars)) in _LARGE and not is_counted and not _YEAR.fullmatch(number)


def _is_owned(before: list[str]) -> bool:
    verb = before[-2:-1] if before and before[-1] in _APPROXIMATELY else before[-1:]
    return not _OWNING.isdisjoint(verb)


def _is_near(topics: list[Span], match: re.Match[str]) -> bool:
    """Whether a topic stands near a match; the topics are in their order and do not overlap."""
    after = bisect_right(topics, match.start() - _WINDOW, key=itemgetter(1))
    return after < len(topics) and topics[after][0] - _WINDOW < match.end()
