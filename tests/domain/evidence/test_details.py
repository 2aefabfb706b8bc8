"""Dates, numbers and names of a statement come from what was said, or follow from it."""

from __future__ import annotations

from datetime import date

import pytest

from keepsake.domain.evidence.dates import unsupported_dates
from keepsake.domain.evidence.details import detail_error
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.names import unsupported_names
from keepsake.domain.evidence.quantities import unsupported_numbers

THURSDAY = date(2026, 11, 26)


def grounds(*texts: str, on: date = THURSDAY, language: str = "en") -> Grounds:
    """Texts that were all said on one day."""
    return Grounds([Said(text, on) for text in texts], language=language)


@pytest.mark.parametrize(
    "language, message, right, wrong",
    [
        ("en", "interview on monday", "Interview on 2026-11-30", "Interview on 2026-12-08"),
        ("en", "moved here last month", "Moved in October 2026", "Moved in August 2026"),
        ("en", "the lease ends at the end of next month", "Lease ends on 2026-12-31", "Lease ends on 2026-11-30"),
        ("en", "she passed two years ago in april", "Died in April 2024", "Died in April 2021"),
        ("en", "quit smoking in '98", "Quit smoking in 1998", "Quit smoking in 1996"),
        ("en", "surgery is on the 3rd", "Surgery on 2026-12-03", "Surgery on 2026-12-04"),
        (
            "en",
            "no rain since october and they want a plan by the 3rd",
            "Plan due on 2026-12-03",
            "Plan due on 2026-12-04",
        ),
        ("en", "the car test is on the twenty second", "Test on 2026-12-22", "Test on 2026-12-02"),
        ("en", "was at the dentist last tues", "Saw the dentist on 2026-11-24", "Saw the dentist on 2026-11-25"),
        ("en", "due in feb", "Due in February 2027", "Due on 2027-02-14"),
        ("en", "turned 30 yesterday", "Birthday is 25 November", "Birthday is 26 November"),
        ("en", "turned 30 yesterday", "Was born on 1996-11-25", "Was born on 1996-11-26"),
        ("en", "next goal is 10k by easter", "Wants to run 10 km by 2027-03-28", "Wants to run 10 km by 2027-04-11"),
        ("en", "off to denver for spring break", "Goes to Denver for spring break", "Goes to Denver on 2027-03-28"),
        ("es", "me voy de viaje en primavera", "Se va de viaje en primavera", "Se va de viaje el 2027-03-28"),
        ("de", "Weihnachten sind wir in Bonn", "Ist am 2026-12-25 in Bonn", "Ist am 2026-12-18 in Bonn"),
        ("en", "handed in my notice!", "Handed in notice on 2026-11-26", "Handed in notice on 2026-11-12"),
        ("en", "sent it, two days early", "Sent it on 2026-11-26", "Sent it on 2026-11-12"),
        ("en", "im 34", "Born in 1992", "Born in 1987"),
        ("de", "heuer fang ich an zu sparen", "Fängt 2026 an zu sparen", "Fängt 2024 an zu sparen"),
        ("de", "ich ziehe übermorgen um", "Zieht am 28.11.2026 um", "Zieht am 30.11.2026 um"),
        ("es", "me mudé el año pasado", "Se mudó en 2025", "Se mudó en 2023"),
        ("fr", "je commence dans trois semaines", "Commence le 17 décembre 2026", "Commence le 2 mars 2027"),
        ("pt", "a cirurgia é amanhã", "Cirurgia em 2026-11-27", "Cirurgia em 2026-11-29"),
        ("pt", "começo a correr em breve", "Começa a correr em breve", "Começa a correr em 1 de dezembro de 2026"),
        ("it", "ci siamo sposati a giugno", "Si sono sposati a giugno 2026", "Si sono sposati a giugno 2021"),
        ("ru", "переехал в прошлом месяце", "Переехал в октябре 2026", "Переехал в июле 2026"),
        ("tr", "yarın ameliyat oluyorum", "27 Kasım 2026 ameliyat", "29 Kasım 2026 ameliyat"),
        ("ja", "昨日引っ越しました", "2026年11月25日に引っ越した", "2026年11月20日に引っ越した"),
        ("zh", "我下周三面试", "2026年12月2日面试", "2026年12月4日面试"),
        ("ko", "어제 이사했어요", "2026년 11월 25일에 이사함", "2026년 11월 21일에 이사함"),
    ],
)
def test_a_date__follows_from_the_day_of_the_message(language: str, message: str, right: str, wrong: str) -> None:
    said = grounds(message, language=language)
    assert unsupported_dates(right, said) == []
    assert unsupported_dates(wrong, said) != []


def test_a_date__of_a_text_without_a_day_has_to_be_named() -> None:
    known = Grounds([Said("Wedding on 12 June 2027")])
    assert unsupported_dates("Sister marries on 2027-06-12", known) == []
    assert unsupported_dates("Sister marries on 2027-06-13", known) == ["2027-06-13"]


@pytest.mark.parametrize(
    "language, message, right, wrong",
    [
        ("en", "we just had our third!", "Has three kids", "Has four kids"),
        ("en", "saving 20k", "Is saving 20,000", "Is saving 30k"),
        ("en", "the condo was 239,000 on the second floor", "Condo cost 239 000", "Condo cost 329,000"),
        ("en", "ran for two and a half hours", "Ran for 2.5 hours", "Ran for 3.5 hours"),
        ("en", "alarm is at half past 5", "Gets up at 5:30", "Gets up at 5:40"),
        ("en", "i work til 5pm", "Works until 17:00", "Works until 18:00"),
        ("en", "freelancing for about eight years", "Freelances for 8 years", "Freelances for eighteen years"),
        ("en", "i'm twenty-two", "Is 22", "Is 23"),
        ("de", "ich habe zweiundzwanzig Hühner", "Hat 22 Hühner", "Hat 32 Hühner"),
        ("de", "um halb neun bin ich eine leich", "Ist um 20:30 erschöpft", "Ist um 22:30 erschöpft"),
        ("hr", "imam dvije mačke", "Ima 2 mačke", "Ima 5 mačaka"),
        ("zh", "我有两个孩子", "有2个孩子", "有五个孩子"),
        ("fr", "j'ai deux enfants", "A deux enfants", "A cinq enfants"),
    ],
)
def test_a_number__stands_in_figures_or_words(language: str, message: str, right: str, wrong: str) -> None:
    said = grounds(message, language=language)
    assert unsupported_numbers(right, said) == []
    assert unsupported_numbers(wrong, said) != []


@pytest.mark.parametrize(
    "language, message, right, wrong",
    [
        ("en", "my cat mochi threw up", "Has a cat called Mochi", "Has a cat called Mocha"),
        ("en", "i live in nyc", "Lives in New York City", "Lives in New Jersey"),
        ("en", "playing the swan by saint saens", "Plays The Swan by Saint-Saëns", "Plays The Swan by Schumann"),
        ("en", "mrs dsouza paid for the xray", "Mrs D'Souza paid for the X-ray", "Mrs D'Souza paid for the O-ring"),
        ("en", "moved from brazil", "Is Brazilian", "Is from Peru"),
        ("en", "i visited Philidelphia", "Visited Philadelphia", "Visited Phoenix"),
        ("cs", "stěhuju se do Prahy", "Stěhuje se do Prahy (Praha)", "Bude bydlet v Olomouci"),
        ("tr", "Ankara'da oturuyorum", "Oturduğu yer Ankara", "Oturduğu yer Bursa"),
        ("ru", "я живу в Казани", "Его город Казань", "Его город Самара"),
    ],
)
def test_a_name__stands_in_the_message(language: str, message: str, right: str, wrong: str) -> None:
    said = grounds(message, language=language)
    assert unsupported_names(right, said) == []
    assert unsupported_names(wrong, said) != []


def test_a_name__where_capitals_mean_nothing_counts_as_far_as_the_model_names_it() -> None:
    said = grounds("meine tochter geht gern schwimmen", language="de")
    assert unsupported_names("Tochter mag Schwimmen und das Wasser", said) == []
    assert unsupported_names("Tochter Lina mag Schwimmen", said, ["tochter lina"]) == ["Lina"]
    assert (
        unsupported_names("मीना दिल्ली में रहती है", grounds("मेरी बहन मीना दिल्ली में रहती है", language="hi"), ["मीना"]) == []
    )
    assert unsupported_names("बिल्ली मीना सोती है", grounds("मेरी बिल्ली सोती है", language="hi"), ["मीना"]) == ["मीना"]


def test_a_name__may_come_from_a_text_that_gives_names_alone() -> None:
    said = Grounds([Said("he can't go back to living alone", THURSDAY)], named=["Brother Gene is 74"], language="en")
    assert detail_error("Brother Gene cannot live alone", said, ["brother gene"]) is None
    assert detail_error("Brother Gene, 74, cannot live alone", said) == "invented_number"


@pytest.mark.parametrize("statement", ["", "?", "2026-99-99", "1" * 400, "a" * 20_000, "2026-02-30 and 31 June"])
def test_any_text__is_checked_without_a_fault(statement: str) -> None:
    assert detail_error(statement, grounds(statement)) is None
