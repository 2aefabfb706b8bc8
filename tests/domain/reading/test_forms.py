"""What the forms of rules stand for, by what they fit, and that no text makes them try much."""

from __future__ import annotations

from typing import Any

import pytest

from keepsake.domain.english.patterns import phrase_forms
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.statements.forms import SaidWords, form_reader
from keepsake.domain.reading.statements.rules import first_candidate, load_rules

LISTS = {"juice": ["apple|orange juice"], "drinks": ["tea|coffee", "{juice}"], "it": ["it|this"]}


def said_in(form: str, text: str) -> dict[str, str] | None:
    """What a text says in the slots of a form; None where it does not have the form."""
    reader = form_reader(LISTS, [{"forms": [form]}])
    lists = {name: reader.read(entries) for name, entries in LISTS.items()}
    return next(SaidWords(text, lists).match(reader.read([form])), None)


@pytest.mark.parametrize(
    "form, fits, others",
    [
        ("i like tea", ["I like tea", "i LIKE tea"], ["I like tea too", "I like", "like tea"]),
        ("i like|love tea", ["I like tea", "I love tea"], ["I tea", "I like love tea"]),
        ("i really|still? like tea", ["I like tea", "I still like tea"], ["I really still like tea"]),
        ("i really|still* like tea", ["I really still like tea", "I like tea"], ["I so like tea"]),
        ("i drink {drinks}", ["I drink tea", "I drink apple juice"], ["I drink juice"]),
        ("i drink {drinks}* now", ["I drink now", "I drink tea orange juice now"], ["I drink tea"]),
        ("i like <what:short!it>", ["I like itching"], ["I like it", "I like this one"]),
        ("i like tea <text>?", ["I like tea", "I like tea, a lot"], ["I like teas"]),
        ("i like tea ,? too", ["I like tea, too", "I like tea too"], ["I like tea,"]),
        ("i am <age:number>", ["I am 7"], ["I am old"]),
        ("my <pet:animal> 's name is <name:capital>", ["My guinea pig's name is Otis"], ["My car's name is Otis"]),
        ("eine <what:word-allergie>", ["eine Nussallergie"], ["eine Allergie", "eine Nuss"]),
    ],
)
def test_form__fits(form: str, fits: list[str], others: list[str]) -> None:
    assert [text for text in fits if said_in(form, text) is None] == []
    assert [text for text in others if said_in(form, text) is not None] == []


@pytest.mark.parametrize(
    "form, text, values",
    [
        ("i like <what:short> <other:short>", "I like Tea and rain", {"what": "Tea", "other": "and rain"}),
        ("i drink <what:drinks> now", "I drink orange juice now", {"what": "orange juice"}),
        ("mein <thing:lieblings-word> ist da", "Mein Lieblingstee ist da", {"thing": "tee"}),
        ("i like <what:text>", "I like Anna's tea, and rain", {"what": "Anna's tea, and rain"}),
    ],
)
def test_form__keeps_what_is_said_in_its_slots(form: str, text: str, values: dict[str, str]) -> None:
    assert said_in(form, text) == values


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "said", ["I ", "my ", "ich bin ", "my favorite a is ", "I have two big dogs named ", "ich will 5 ", "call me a, "]
)
def test_rules__take_few_steps(language: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No text makes them try more than some thousand times its length."""
    steps = 0
    match = phrase_forms._match

    def counted(*arguments: Any) -> Any:
        nonlocal steps
        steps += 1
        return match(*arguments)

    monkeypatch.setattr(phrase_forms, "_match", counted)
    said = (said * MAX_CLAUSE_LENGTH)[:MAX_CLAUSE_LENGTH]
    first_candidate(load_rules(language), Clause(said, said))
    assert steps < 100_000
