"""What a context tells already is known by the words and the figures, in any language."""

from __future__ import annotations

import pytest

from keepsake.domain.context.said_words import SaidWords


@pytest.mark.parametrize(
    "told, text, is_shown",
    [
        ("Ada fought with her mom and apologised on 31 March.", "On 31 March Ada apologised to her mom.", True),
        ("Ada starts in Graz on 3 May.", "Starts in Graz on 2027-05-03", True),
        ("Ada starts in Graz on 3 May.", "Starts in Graz on 2027-05-04", False),
        ("Ada starts in Graz on 3 May.", "Ada moved to Linz.", False),
        ("Am 30. März kündigte Ada beim Bäcker.", "Hat beim Bäcker am 2027-03-30 gekündigt", False),
        ("Ada hat am 30. März beim Bäcker gekündigt.", "Hat beim Bäcker am 2027-03-30 gekündigt", True),
        ("Ada joined the choir. It is on Thursdays from May.", "Joined the choir, on Thursdays", True),
        ("Ada joined the choir.", "", False),
        ("小雨今天去了医院。", "小雨今天买了一套房子。", False),
        ("小雨今天去医院看了妈妈。", "小雨今天去医院看妈妈", True),
        ("小雨在4月6日搬到了大阪。", "小雨在4月7日搬到了大阪", False),
        ("ゆきは今日病院に行った。", "ゆきは今日家を買った。", False),
        ("วันนี้เธอไปโรงพยาบาล", "วันนี้เธอซื้อบ้าน", False),
    ],
)
def test_has__what_is_said_with_its_figures(told: str, text: str, is_shown: bool) -> None:  # noqa: FBT001
    assert SaidWords.of([told]).has(text) is is_shown


@pytest.mark.parametrize(
    "name, is_shown",
    [
        ("niece Patty", True),
        ("Gene", True),
        ("der Papa", False),
        ("Schwester Vroni", False),
        ("Max", True),
        ("母", False),
        ("her", False),
    ],
)
def test_has_names__each_name_of_the_text(name: str, is_shown: bool) -> None:  # noqa: FBT001
    assert SaidWords.of(["Patty gave in, and Gene's friend Max left her."]).has_names(name) is is_shown
