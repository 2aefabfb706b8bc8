"""Which messages ask for something of the world, and what they are still shown."""

from __future__ import annotations

import pytest

from keepsake.domain.context.limits import Limits
from keepsake.domain.context.query import is_general_question, names_one_of
from keepsake.domain.context.selection import select_memories
from tests.support.memories import NOW, scored


@pytest.mark.parametrize(
    "message,is_general",
    [
        ("Who painted the Mona Lisa?", True),
        ("Hi! Could you explain how magnets work, please?", True),
        ("What can I paint?", False),
        ("Which restaurant would you choose?", False),
        ("What is there to see near Turin tonight?", False),
        ("What are good gift ideas?", False),
        ("What are some must-try dishes in Bali?", False),
        ("My magnets do not work", False),
        ("painting the kitchen", False),
        ("", False),
    ],
)
def test_general_question__asks_for_the_world_and_not_for_the_person(message: str, *, is_general: bool) -> None:
    assert is_general_question(message) is is_general


def test_names__begin_with_a_stem_and_stand_after_the_first_word() -> None:
    assert names_one_of("Where does Caroline live?", ["live", "carolin"])
    assert not names_one_of("Where does caroline live?", ["carolin"])
    assert not names_one_of("Caroline lives where?", ["carolin"])
    assert not names_one_of("Is Uma in?", ["um", "in"])


@pytest.mark.parametrize(
    "message,chosen",
    [
        ("Who painted the Mona Lisa?", {"Is painted by Elena", "Paints at dawn"}),
        ("What does Elena paint?", {"Is painted by Elena", "Paints at dawn", "Elena is a nurse", "Paints"}),
        ("What should I paint?", {"Is painted by Elena", "Paints at dawn", "Elena is a nurse", "Paints"}),
    ],
)
def test_general_question__is_shown_what_most_of_its_words_name_or_what_is_very_similar(
    message: str, chosen: set[str]
) -> None:
    pool = [
        scored("Paints", words=1.0, coverage=0.3, matched=("paint",), contrast=4.0),
        scored("Is painted by Elena", words=1.0, coverage=0.6, matched=("paint",), contrast=4.0),
        scored("Paints at dawn", words=1.0, coverage=0.3, matched=("paint",), contrast=6.5),
        scored("Elena is a nurse", words=1.0, coverage=0.3, matched=("elena",), contrast=4.0),
    ]
    selection = select_memories(pool, message=message, now=NOW, limits=Limits())
    assert {one.memory.text for one in selection.chosen} == chosen
