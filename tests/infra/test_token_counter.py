"""Counting tokens: exactly where the encoding is there, and never too few where it is not."""

from __future__ import annotations

import random
import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rs_bpe.bpe import openai

from keepsake.infra.models.token_counter import estimate_tokens, load_token_counter

ENGLISH = """
Wants to run a marathon next spring, and trains three mornings a week before work. Has a dog named Rex who is afraid of
thunderstorms. Her sister Anna lives in Graz with two children; they visit every other summer. She does not eat peanuts,
because she is allergic to them, and her favorite food is ramen with a soft egg. Last year she moved from Austin to a
small flat near the university, where she teaches history. On Sundays she plays the piano for an hour, mostly Chopin.
"""
EXACT = openai.o200k_base()
OTHERS = {
    "german": "Mag gerne Ramen und läuft jeden Morgen im Park. Arbeitet als Krankenschwester und hat zwei Kinder.",
    "finnish": "Käyn juoksemassa puistossa joka aamu ennen töitä ja harrastan valokuvausta viikonloppuisin.",
    "polish": "Uwielbiam pić kawę rano i biegać po parku z przyjaciółmi. Moja córka ma pięć lat.",
    "indonesian": "Saya suka minum kopi di pagi hari lalu berlari di taman bersama teman-teman saya.",
    "latin": "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani.",
    "russian": "Я люблю пить кофе по утрам и бегать в парке.",
    "arabic": "أحب شرب القهوة في الصباح",
    "chinese": "我喜欢在早上喝咖啡，然后去公园跑步。",
    "japanese": "今日は友達と一緒にラーメンを食べに行きました。",
    "korean": "나는 매일 아침 공원에서 달리기를 합니다.",
    "emoji": "🏳️‍🌈👩‍👩‍👧‍👦🍜🇦🇹🫨",
    "code": "def first(rows: list[dict[str, int]]) -> int | None:\n    return next((row['n'] for row in rows), None)\n",
    "json": '{"memory_ids": ["3f2b8c1e-9a7d-4e21-b0c4-5d6e7f8091a2"], "token_count": 412, "reason": null}',
    "url": "https://example.com/a/b?q=1&lang=de#top",
    "shouting": "I AM REALLY, REALLY NOT GOING THERE AGAIN!!!",
    "spaces": " \t\n  \r\n \u00a0 \n\n",
}


def test_counter__is_exact_where_the_encoding_comes_with_a_package() -> None:
    """The numbers are tiktoken's for o200k_base."""
    count = load_token_counter()
    assert [count(text) for text in ("", "hello world", "Has a dog named Rex", "我喜欢", "<|endoftext|>")] == [
        0,
        2,
        5,
        2,
        7,
    ]


SPACES = ("\n", "\r\n", " ", "\n\n", "- ", "/", "\x85", "\u2028")


@given(st.lists(st.sampled_from([*OTHERS.values(), *ENGLISH.split(), *SPACES])))
def test_counter__by_lines_counts_what_the_whole_text_has(parts: list[str]) -> None:
    text = "".join(parts)
    assert load_token_counter()(text) == EXACT.count(text)


@given(st.text(string.printable + "é\u00a0\u0085\u2028漢🙂"))
def test_counter__by_lines_is_exact_for_any_characters(text: str) -> None:
    assert load_token_counter()(text) == EXACT.count(text)


def test_estimate__is_at_most_twice_too_high_in_english() -> None:
    exact = load_token_counter()(ENGLISH)
    assert exact <= estimate_tokens(ENGLISH) <= exact * 2


@pytest.mark.parametrize("kind", OTHERS)
def test_estimate__errs_high_in_any_language_and_in_code(kind: str) -> None:
    assert estimate_tokens(OTHERS[kind]) >= load_token_counter()(OTHERS[kind])


@pytest.mark.parametrize("alphabet", [string.hexdigits, string.punctuation, string.digits])
def test_estimate__errs_high_on_random_characters(alphabet: str) -> None:
    dice = random.Random(7)  # noqa: S311  # the same texts in every run
    count = load_token_counter()
    for _ in range(200):
        text = "".join(dice.choices(alphabet, k=120))
        assert estimate_tokens(text) >= count(text), text


@given(st.text(st.characters(min_codepoint=0x80, exclude_categories=["Cs"])))
def test_estimate__never_falls_short_outside_ascii(text: str) -> None:
    assert estimate_tokens(text) >= load_token_counter()(text)


def test_counter__without_the_package_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rs_bpe.bpe", None)
    load_token_counter.cache_clear()
    try:
        assert load_token_counter() is estimate_tokens
    finally:
        load_token_counter.cache_clear()
