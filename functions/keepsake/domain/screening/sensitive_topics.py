"""What is said of health and money: sensitive topics, by lists of words; and how much somebody earns, owes or has."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from keepsake.domain.english.load_word_lists import load_alternations, load_lines, load_sections, load_words
from keepsake.domain.text import in_small_letters, normalize_apostrophes, strip_invisible, words

_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_MAX_PHRASE = 5
"""Words of a phrase."""

_ENTRIES = (*load_lines("health", __package__), *load_lines("finances", __package__))
_TOPICS = frozenset(" ".join(_TOKEN.findall(entry)) for entry in _ENTRIES if entry.islower())
_PREFIXES = tuple(entry.removesuffix("*") for entry in _ENTRIES if entry.endswith("*"))
"""The prefixes of words ("diabet*")."""
_ACRONYMS = frozenset(entry for entry in _ENTRIES if not entry.islower())
_ORDINARY = load_words("ordinary", __package__)
_PRACTITIONERS = load_sections("practitioners", __package__)


def is_sensitive_topic(text: str) -> bool:
    """Whether the text is about the health or the money of a person."""
    shown = normalize_apostrophes(strip_invisible(text))
    tokens = _TOKEN.findall(shown)
    words = _without_ordinary([token.casefold() for token in tokens])
    return (
        not _ACRONYMS.isdisjoint(tokens)
        or any(word.startswith(_PREFIXES) for word in words)
        or not _TOPICS.isdisjoint(_phrases(words))
        or _sees_a_practitioner(words)
        or names_amount(shown)
    )


def _phrases(words: Sequence[str]) -> set[str]:
    """The words, and each few that stand together."""
    return {
        " ".join(words[start : start + length]) for start in range(len(words)) for length in range(1, _MAX_PHRASE + 1)
    }


def _without_ordinary(words: Sequence[str]) -> list[str]:
    """The words without the phrases that hold a word of the other lists and are about something else."""
    text = f" {'  '.join(words)} "  # each word has its own blanks
    for phrase in _ORDINARY & _phrases(words):
        text = text.replace(f" {phrase.replace(' ', '  ')} ", " ")
    return text.split()


def _sees_a_practitioner(words: Sequence[str]) -> bool:
    """Whether a practitioner is mentioned as treating the person ("sees a therapist"), not as an occupation."""
    return any(
        word.removesuffix("s") in _PRACTITIONERS["practitioners"]
        and not _phrases(words[max(0, index - 3) : index]).isdisjoint(_PRACTITIONERS["before"])
        for index, word in enumerate(words)
    )


_WORDS = load_alternations("financial_amounts", __package__)
_TOPIC = re.compile(rf"(?<!\w)(?:{_WORDS['income']}|{_WORDS['debts']}|{_WORDS['balances']})(?!\w)|{_WORDS['unspaced']}")
_SIGN = r"(?:[$€£¥₹₽]|\b(?:usd|eur|gbp|chf|jpy|inr|pln|sek|nok|dkk|brl|us\$|r\$|kr\.?))"
_NUMBER = r"\d[\d.,'’]{0,20}(?: \d{3}(?!\d)){0,4}"
_MONEY = re.compile(
    rf"{_SIGN}\s?{_NUMBER}|{_NUMBER}\s?(?:{_WORDS['scale']}(?!\w)\s?)?{_WORDS['currency']}(?!\w)|{_NUMBER}\s?{_WORDS['scale']}(?!\w)"
    rf"|{_WORDS['spoken']}",
)
_NO_YEAR = r"(?<![\w.,:/-])(?!(?:19|20)\d\d(?!\d|[.,]\d))"
_LARGE = re.compile(
    rf"{_NO_YEAR}(?:\d{{1,3}}(?:[.,' ]\d{{3}}){{1,4}}(?:[.,]\d\d)?(?!\w)"
    rf"|\d{{3,9}}(?:[.,]\d\d)?(?![\w:/-])(?= ?(?:\W{{0,5}}$|{_WORDS['after_amount']})))",
)
_RATE = re.compile(rf"(?<![\w.,]){_NUMBER}\s?(?:{_WORDS['scale']}\s?)?(?:{_WORDS['currency']}\s?)?{_WORDS['period']}")
_MAX_ENDING = 3
"""Letters that may follow the beginning of a word that says that an amount is paid each time."""
_MONEY_WORDS = {section: frozenset(words) for section, words in load_sections("money_words", __package__).items()}
_WINDOW = 50

Span = tuple[int, int]


def is_financial_amount(text: str) -> bool:
    """Whether the text says how much somebody earns, owes or has."""
    return next(_find(text), None) is not None


def names_amount(text: str) -> bool:
    """Whether the text says how much somebody earns, owes or has, or pays, saves, wins or loses."""
    return is_financial_amount(text) or (
        not _MONEY_WORDS["paying"].isdisjoint(words(text)) and _MONEY.search(text.lower()) is not None
    )


def find_financial_amounts(text: str) -> list[Span]:
    """Where the text says how much somebody earns, owes or has; positions are those without invisible characters."""
    return sorted(set(_find(text)))


def _find(text: str) -> Iterator[Span]:
    visible = in_small_letters(strip_invisible(text))
    if not _may_have_number(visible):
        return
    topics = [match.span() for match in _TOPIC.finditer(visible)]
    rates = list(_RATE.finditer(visible))
    last_rate = rates[-1].end() if rates else 0
    last_word = len(visible.rstrip(" .!"))
    for match in _MONEY.finditer(visible):
        before = _words_before(visible, match)
        is_last = match.end() >= last_word or last_rate > match.start()
        if _is_near(topics, match) or _is_owned(before) or (is_last and not _MONEY_WORDS["earning"].isdisjoint(before)):
            yield match.span()
    yield from (match.span() for match in _LARGE.finditer(visible) if _is_near(topics, match))
    yield from (one.span() for one in rates if _is_near(topics, one) or _is_paid(_words_before(visible, one)))


def _words_before(text: str, match: re.Match[str]) -> list[str]:
    """The words just before a match: to look at all for each match would take the square of the text's length."""
    return words(text[max(0, match.start() - _WINDOW) : match.start()])


def _is_owned(before: Sequence[str]) -> bool:
    verb = before[-2:-1] if before and before[-1] in _MONEY_WORDS["approximately"] else before[-1:]
    return not _MONEY_WORDS["owning"].isdisjoint(verb)


def _is_paid(before: Sequence[str]) -> bool:
    return any(
        word[: len(word) - cut] in _MONEY_WORDS["paid_each_time"] for word in before for cut in range(_MAX_ENDING + 1)
    )


def _may_have_number(text: str) -> bool:
    return any(map(str.isdigit, text)) or any(map(text.__contains__, _MONEY_WORDS["spoken_numbers"]))


def _is_near(topics: list[Span], match: re.Match[str]) -> bool:
    """Whether a topic stands near a match; the topics are in their order and do not overlap."""
    after = bisect_right(topics, match.start() - _WINDOW, key=itemgetter(1))
    return after < len(topics) and topics[after][0] - _WINDOW < match.end()
