"""What a clause leaves out behind its subject is said of it too: "I don't eat meat but my wife does"."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.clauses.split_clauses import split_clauses
from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "said, text",
    [
        ("I'm not allergic to eggs, my son Leo is", "Son Leo is allergic to eggs"),
        ("I'm not allergic to eggs. My son Leo is.", "Son Leo is allergic to eggs"),
        ("My husband isn't allergic to nuts but I am", "Allergic to nuts"),
        ("I'm allergic to nuts and my son is too", "Son is allergic to nuts"),
        ("I don't eat meat but my wife does", "Wife eats meat"),
        ("I don't eat meat anymore, my wife does though", "Wife eats meat"),
        ("I never eat meat but my kids do", "Kids eat meat"),
        ("I eat meat but my wife doesn't", "Wife does not eat meat"),
        ("my wife doesnt eat meat but i do", "Eats meat"),
        ("I don't really speak German but my wife does", "Wife speaks German"),
        ("I don't have any pets but my sister Ana does", "Sister Ana has pets"),
        ("I can't swim but my wife can", "Wife can swim"),
        ("I haven't been to Japan but my wife has", "Wife has been to Japan"),
        ("I didn't grow up in Porto but my wife did", "Wife grew up in Porto"),
        ("I live in Faro but my parents don't", "Parents do not live in Faro"),
    ],
)
def test_predicate__is_that_of_the_statement_before(said: str, text: str) -> None:
    found = {one.text: one.quote for one in extract(said)}
    assert text in found
    assert found[text] in said


@pytest.mark.parametrize(
    "said, last",
    [
        ("I don't like my job but my wife does", "my wife does"),
        ("My wife doesn't like her job but I do", "I do"),
        ("I'm not as tall as my brother is", "my brother is"),
        ("I don't only eat meat, my wife does", "my wife does"),
        ("I don't like it, my wife does", "my wife does"),
        ("Is my son vegan? My wife is", "My wife is"),
        ("I have a dog, my wife is", "my wife is"),
        ("The soup isn't good but my son is", "my son is"),
        ("I'm not vegan, I am", "I am"),
        ("My husband has no kids. I do", "I do"),
        ("My sister eats no meat, I do", "I do"),
        ("My brother has few friends but I do", "I do"),
        ("My wife has neither a car nor a bike, I do", "I do"),
        ("My mum says I snore. I don't", "I do not"),
        ("My friends think I have money, I don't", "I do not"),
        ("My wife needs glasses. I don't", "I do not"),
        ("My brother does karate. I do", "I do"),
        ("My brother smokes and drinks. I don't", "I do not"),
        ("My dad read Dune. I did", "I did"),
        ("My sister is vegan. My cat is black. My dog sleeps. My brother isn't", "My brother is not"),
    ],
)
def test_predicate__that_is_unclear_stays_left_out(said: str, last: str) -> None:
    assert [one.words for one in split_clauses(said) if not one.is_embedded][-1] == last
