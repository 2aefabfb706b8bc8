"""Whose clause it is, whether it denies, and whether a statement is about it at all."""

from __future__ import annotations

from datetime import date

import pytest

from keepsake.domain.evidence.grounds import Said
from keepsake.domain.evidence.polarity import has_other_polarity
from keepsake.domain.evidence.relatives import has_other_relation
from keepsake.domain.evidence.shared_words import shares_word
from keepsake.domain.evidence.speakers import speaker_error


@pytest.mark.parametrize(
    "language, message, quote, statement",
    [
        ("en", "my wife's a surgeon so i do all the cooking", "a surgeon", "Is a surgeon"),
        ("en", "my boyfriend is Tobi and he's nigerian", "he's nigerian", "Is Nigerian"),
        ("en", "saw my coach, her dog is Bruno", "her dog is Bruno", "Has a dog named Bruno"),
        ("en", "Good morning Felix, this is Greta again!", "Good morning Felix", "Name is Felix"),
        ("en", "hi chef, what should i cook", "hi chef", "Is a chef"),
        ("de", "Meine Tochter heißt Lina", "heißt Lina", "Heißt Lina"),
        ("es", "Mi hermana es alérgica a las nueces.", "es alérgica a las nueces", "Es alérgica a las nueces"),
        (
            "fr",
            "Ma voisine Odile travaille à la boulangerie.",
            "travaille à la boulangerie",
            "Travaille à la boulangerie",
        ),
        ("pt", "minha irmã mora em Faro", "mora em Faro", "Mora em Faro"),
        ("it", "mio fratello vive a Bari", "vive a Bari", "Vive a Bari"),
        ("tr", "benim kardeşim İzmir'de yaşıyor", "İzmir'de yaşıyor", "İzmir'de yaşıyor"),
    ],
)
def test_a_statement_about_the_author__is_not_of_somebody_else(
    language: str, message: str, quote: str, statement: str
) -> None:
    assert speaker_error(statement, message, quote, language=language) == "other_subject"


@pytest.mark.parametrize(
    "language, message, quote, statement, about",
    [
        ("en", "Good morning Felix, this is Greta again!", "this is Greta again", "Name is Greta", ""),
        (
            "en",
            "my mate dave just bought a tesla",
            "my mate dave just bought a tesla",
            "Mate Dave has a Tesla",
            "mate dave",
        ),
        ("en", "my brother thinks i'm mad for learning Welsh", "learning Welsh", "Is learning Welsh", ""),
        (
            "de",
            "der jakob hat zwei gegessen und gesagt 'mama die ist echt'",
            "der jakob hat zwei gegessen",
            "Jakob hat zwei gegessen und gesagt: „Mama, die ist echt“",
            "son jakob",
        ),
        (
            "en",
            "I have a new doctor, Dr Ruiz",
            "I have a new doctor, Dr Ruiz",
            "Dr Ruiz is the new doctor",
            "dr ruiz",
        ),
        ("en", "me n my gf moved to leeds", "me n my gf moved to leeds", "Moved to Leeds", ""),
        ("en", "my brother and I live in Oslo", "my brother and I live in Oslo", "Brother lives in Oslo", "brother"),
        ("en", "I visited my sister and bought a boat", "bought a boat", "Bought a boat", ""),
        ("en", "my job at the bank is killing me", "my job at the bank", "Works at a bank", ""),
        ("en", "we told her together", "we told her together", "Told her mother together", "mother"),
        ("de", "meine Tochter heißt Lina und ich bin müde", "heißt Lina", "Tochter heißt Lina", "daughter lina"),
        ("de", "mein Name ist Jan", "mein Name ist Jan", "Heißt Jan", ""),
        ("es", "mi trabajo está en Bilbao y vivo solo", "vivo solo", "Vive solo", ""),
        ("es", "Mi tía vino ayer y es celíaca", "es celíaca", "Su tía es celíaca", "aunt"),
        ("sv", "min son Nils spelar fotboll varje dag", "spelar fotboll varje dag", "Sonen Nils spelar fotboll", ""),
        ("xx", "moje sestra bydlí v Brně", "bydlí v Brně", "Bydlí v Brně", ""),
    ],
)
def test_a_true_statement__is_not_refused_for_its_subject(
    language: str, message: str, quote: str, statement: str, about: str
) -> None:
    assert speaker_error(statement, message, quote, about=about, language=language) is None


@pytest.mark.parametrize(
    "language, message, quote, statement, about",
    [
        (
            "en",
            "my wife's a surgeon so i do all the cooking",
            "do all the cooking",
            "Wife does all the cooking",
            "wife",
        ),
        (
            "en",
            "coffee with my nephew Theo after my boxing class",
            "my boxing class",
            "Nephew Theo goes to a boxing class",
            "nephew theo",
        ),
        (
            "fr",
            "j'adore le jazz, ma femme s'appelle Claire",
            "j'adore le jazz",
            "Sa femme Claire adore le jazz",
            "wife claire",
        ),
        (
            "de",
            "ich bin Vegetarier und meine Tochter heißt Lina",
            "bin Vegetarier",
            "Tochter Lina ist Vegetarierin",
            "daughter lina",
        ),
        ("es", "Soy celíaca, y los lunes ceno con mi tía", "Soy celíaca", "Su tía es celíaca", "aunt"),
        ("pl", "Boję się psów, a jutro odwiedzam brata", "Boję się psów", "Brat boi się psów", "brother"),
        (
            "ko",
            "저는 견과류를 못 먹어요. 내일 누나랑 저녁 먹어요",
            "견과류를 못 먹어요",
            "누나는 견과류를 못 먹음",
            "sister",
        ),
        ("en", "I am the new doctor, Ines", "I am the new doctor, Ines", "Ines is the new doctor", "ines"),
        ("en", "I love a good pizza, Ines", "I love a good pizza, Ines", "Ines loves a good pizza", "ines"),
    ],
)
def test_a_statement_about_somebody_else__is_not_of_the_author(
    language: str, message: str, quote: str, statement: str, about: str
) -> None:
    assert speaker_error(statement, message, quote, about=about, language=language) == "author_subject"


@pytest.mark.parametrize(
    "language, message, quote, right, wrong",
    [
        ("en", "i cant eat shellfish", "eat shellfish", "Cannot eat shellfish", "Eats shellfish"),
        ("en", "I'm a vegetarian but i do eat fish", "i do eat fish", "Eats fish", "Doesn't eat fish"),
        ("en", "i don't have kids", "have kids", "Doesn't have kids", "Has kids"),
        ("en", "i dont know anyone here", "i dont know anyone here", "Knows nobody here", "Knows everyone here"),
        ("en", "i don't drink coffee anymore", "drink coffee", "Quit drinking coffee", "Drinks coffee"),
        (
            "de",
            "weil ich keinen Führerschein habe",
            "Führerschein habe",
            "Hat keinen Führerschein",
            "Hat einen Führerschein",
        ),
        (
            "de",
            "Nee, Latein hab ich nie gelernt",
            "Latein hab ich nie gelernt",
            "Hat nie Latein gelernt",
            "Hat Latein gelernt",
        ),
        ("es", "no como carne", "como carne", "No come carne", "Come carne"),
        ("fr", "je ne mange pas de porc", "mange pas de porc", "Ne mange pas de porc", "Mange du porc"),
        ("ru", "я не ем мясо", "ем мясо", "Не ест мясо", "Ест мясо"),
    ],
)
def test_polarity__is_that_of_the_whole_clause(language: str, message: str, quote: str, right: str, wrong: str) -> None:
    assert not has_other_polarity(right, message, quote, language)
    assert has_other_polarity(wrong, message, quote, language)


@pytest.mark.parametrize(
    "language, message, name, right, wrong",
    [
        ("en", "my friend's daughter Ida sings", "ida", "Friend's daughter Ida sings", "Daughter Ida sings"),
        (
            "en",
            "single mom, my son Ivo turns 7",
            "ivo",
            "Has a son, Ivo, who turns 7",
            "Has a brother, Ivo, who turns 7",
        ),
        ("es", "Mi suegra Inés canta", "inés", "Su suegra Inés canta", "Su hermana Inés canta"),
        ("fr", "Ma mère Odile peint", "odile", "Sa maman Odile peint", "Sa tante Odile peint"),
        ("pt", "O filho da minha amiga, o Davi, nada", "davi", "O filho da amiga, Davi, nada", "O filho Davi nada"),
        ("pl", "Siostra mojego szefa, Ola, gra", "ola", "Ola, siostra szefa, gra", "Siostra Ola gra"),
        ("hi", "मेरे मामा सोहन वकील हैं", "सोहन", "मामा सोहन वकील हैं", "भाई सोहन वकील हैं"),
    ],
)
def test_a_named_person__is_the_relative_that_the_message_says(
    language: str, message: str, name: str, right: str, wrong: str
) -> None:
    assert not has_other_relation(right, message, [name], language)
    assert has_other_relation(wrong, message, [name], language)


@pytest.mark.parametrize(
    "statement, quote, language",
    [
        ("Has a girlfriend", "my gf", "en"),
        ("Runs three marathons a year", "i do 3 of them", "en"),
        ("Birthday is 25 November", "turned 30 yesterday", "en"),
        ("Weighs 70 kg", "70kg", "en"),
        ("Works for an NGO", "at a non governmental org", "en"),
        ("Is a Jehovah's Witness", "I'm a JW", "en"),
        ("住在上海", "我住在上海", "zh"),
        ("สุนัขชื่อโบ", "หมาของฉันชื่อโบ", "th"),
        ("고양이가 두 마리 있다", "고양이 두 마리가 있어요", "ko"),
    ],
)
def test_a_statement_and_its_quote__share_a_word(statement: str, quote: str, language: str) -> None:
    assert shares_word(statement, Said(quote, date(2026, 11, 26)), language)


@pytest.mark.parametrize(
    "statement, quote, language",
    [("Lives in Rome", "thanks a lot!", "en"), ("对花生过敏", "谢谢你", "zh"), ("Wohnt in Köln", "danke schön", "de")],
)
def test_a_statement_on_another_subject__shares_none(statement: str, quote: str, language: str) -> None:
    assert not shares_word(statement, Said(quote, date(2026, 11, 26)), language)
