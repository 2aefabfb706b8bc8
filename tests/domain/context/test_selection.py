"""Which memories a message gets, in which order, and why."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from keepsake.domain.context.first_context_selection import introduce
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.scoring import ScoredMemory, Strategy
from keepsake.domain.context.selection import Selection, select_memories
from keepsake.domain.memory import MemoryType, Subtype
from tests.support.memories import NOW, scored


def chosen(candidates: list[ScoredMemory], **more: Any) -> Selection:
    given: dict[str, Any] = {"message": "What about ramen?", "now": NOW, "limits": Limits()}
    return select_memories(candidates, **given | more)


def texts(selection: Selection) -> list[str]:
    return [c.memory.text for c in selection.chosen]


def whys(selection: Selection) -> dict[str, str]:
    return {c.memory.text: c.why for c in selection.chosen}


def preference(text: str, importance: int, **more: Any) -> ScoredMemory:
    return scored(text, subtype=Subtype.PREFERENCE, importance=importance, **more)


def test_always_shown__pinned_first_then_what_must_not_be_missed() -> None:
    selection = chosen(
        [
            preference("Likes rain", 2),
            scored("pin", pinned=True, importance=3),
            preference("Allergic to bees", 1, created_at=NOW - timedelta(days=900)),
            scored("important fact", importance=3),
            scored("Is strictly vegan"),
            scored("Sister is allergic to dust"),
            scored("Is not vegan"),
        ]
    )
    assert texts(selection) == ["pin", "important fact", "Is strictly vegan", "Allergic to bees"]
    assert whys(selection)["Allergic to bees"] == "must not be missed"


@pytest.mark.parametrize(
    "text, key, why",
    [
        ("Works as a nurse", "fact|person|self|occupation", "who the person is: work"),
        ("Goes by Thea", "fact|person|self|alias", "important"),
        ("Allergic to bees", "fact|person|self|allergy|bee", "must not be missed"),
    ],
)
def test_always_shown__says_why(text: str, key: str, why: str) -> None:
    """A job is shown because it says who the person is, an allergy because it must not be missed."""
    assert whys(chosen([scored(text, importance=3, key=key, value="yes")]))[text] == why


def test_always_shown__takes_at_most_five_of_ten_slots() -> None:
    assert len(chosen([scored(f"pin {n}", pinned=True, importance=3) for n in range(20)]).chosen) == 5


def test_always_shown__no_pin_takes_the_place_of_an_allergy_or_a_diet() -> None:
    pins = [scored(f"pin {n}", pinned=True, importance=3) for n in range(6)]
    shown = texts(chosen([*pins, scored("Allergic to bees", importance=3), scored("Is vegan")]))
    assert shown == ["pin 5", "pin 4", "pin 3", "Allergic to bees", "Is vegan"]


def test_always_shown__does_not_depend_on_use() -> None:
    used = scored("used", importance=3, reference_count=30, prior=9.0, valid_from=NOW - timedelta(days=1))
    assert texts(chosen([used, scored("newer", importance=3)])) == ["newer", "used"]


def test_use__is_what_the_message_asked_for() -> None:
    candidates = [scored("pin", pinned=True), scored("asked pin", pinned=True, words=1.0), scored("asked", words=1.0)]
    requested = {c.memory.text for c in chosen(candidates).chosen if c.is_requested}
    assert requested == {"asked pin", "asked"}


def test_relevant__a_later_message_gets_only_relevant_memories() -> None:
    candidates = [scored("Likes ramen", words=1.0, matched=("ramen",)), scored("Has a dog", prior=2.5)]
    assert texts(chosen(candidates)) == ["Likes ramen"]
    assert chosen([scored("Has a dog", prior=2.5)], message="Hello!").chosen == ()


def test_relevant__the_prior_breaks_ties() -> None:
    assert texts(chosen([scored("a", words=1.0, prior=0.1), scored("b", words=1.0, prior=0.9)])) == ["b", "a"]


def test_first_message__tells_who_the_person_is_before_tastes_and_ends_there() -> None:
    old = NOW - timedelta(days=400)
    candidates = [
        *(preference(f"Likes dish {n}", 2, created_at=old, prior=9.0) for n in range(3)),
        *(scored(f"Saw film {n}", prior=9.0, reference_count=10) for n in range(5)),
        scored("Lives in Graz", importance=2, created_at=old),
        scored("Works as a nurse", created_at=old),
        scored("Has two kids", created_at=old),
        scored("Wants to sail", type=MemoryType.GOAL, created_at=old),
        preference("Likes tea", 2),
        scored("asked", words=1.0, prior=0.0),
    ]
    selection = chosen(candidates, opening=introduce)
    assert texts(selection)[:2] == ["Likes tea", "asked"]
    assert texts(selection)[2:6] == ["Lives in Graz", "Works as a nurse", "Has two kids", "Wants to sail"]
    assert set(texts(selection)[6:]) == {"Likes dish 0", "Likes dish 1", "Likes dish 2"}
    assert whys(selection)["Has two kids"] == "who the person is: family"
    used = [c._replace(memory=c.memory._replace(reference_count=9, last_referenced_at=NOW)) for c in candidates]
    later = chosen(used, opening=introduce, now=NOW + timedelta(days=3))
    assert texts(later) == texts(selection)


def test_tastes__appear_when_the_message_concerns_their_topic() -> None:
    likes = preference("Likes knitting", 2, words=1.0, matched=("like",))
    assert texts(chosen([likes], message="What should I do in Boston with Anna?")) == []
    assert texts(chosen([likes], message="What do I like?")) == ["Likes knitting"]
    knitting = preference("Likes knitting", 2, words=1.0, matched=("knit", "like"))
    assert texts(chosen([knitting], message="Should I knit more?")) == ["Likes knitting"]


def test_limits__callers_may_lower_them_but_never_raise_them() -> None:
    candidates = [scored(f"{n}", words=1.0 + n) for n in range(30)]
    for wanted, got in ((None, 10), (3, 3), (0, 0), (-5, 0), (99, 10)):
        limits = Limits.of(first_message=False, max_memories=wanted)
        assert len(chosen(candidates, limits=limits).chosen) == got


def test_identity__takes_no_slot_and_is_not_selected() -> None:
    name = scored("Name is Ada", key="fact|person|self|name", value="ada", words=9.0)
    selection = chosen([name, *(scored(f"{n}", words=1.0) for n in range(10))])
    assert [m.text for m in selection.identity] == ["Name is Ada"]
    assert len(selection.chosen) == 10
    assert "Name is Ada" not in texts(selection)


@pytest.mark.parametrize(
    "private",
    [
        {"text": "Feels low", "type": MemoryType.EMOTION},
        {"text": "Feels low", "subtype": Subtype.FEELING},
        {"text": "Was diagnosed with diabetes"},
        {"text": "Has a mortgage debt of 90000 euros"},
    ],
)
def test_shared_conversation__feelings_and_medical_or_financial_memories_stay_out(private: dict[str, Any]) -> None:
    for more in ({"words": 9.0}, {"pinned": True, "importance": 3}, {"importance": 2}):
        candidate = scored(**private, **more)
        assert chosen([candidate], shared=True, opening=introduce).chosen == ()
        assert len(chosen([candidate], shared=False, opening=introduce).chosen) == 1


def test_cards__of_selected_memories_show_three_facts_by_pin_importance_and_age() -> None:
    anna = ("person:anna",)
    facts = [
        scored("newest", importance=2, entity_refs=anna),
        scored("older", importance=2, entity_refs=anna, created_at=NOW - timedelta(days=9)),
        scored("newer", importance=2, entity_refs=anna, created_at=NOW - timedelta(days=1)),
        scored("trifle", importance=1, entity_refs=anna),
        scored("of somebody else", importance=2, entity_refs=("person:john",)),
        scored("pinned", importance=3, pinned=True, entity_refs=anna, subtype=Subtype.RELATIONSHIP),
    ]
    selection = chosen([scored("Anna plays piano", words=1.0, entity_refs=anna), *facts], limits=Limits(memories=10))
    assert texts(selection) == ["pinned", "Anna plays piano", "newest", "newer", "older"]
    assert {c.memory.text for c in selection.chosen if c.card == "person:anna"} == {"newest", "newer", "older"}
    assert whys(selection)["newest"] == "about anna"


def test_cards__the_person_has_none_and_places_are_shared() -> None:
    own = ("person:self",)
    assert (
        len(chosen([scored("a", words=1.0, entity_refs=own), scored("b", importance=2, entity_refs=own)]).chosen) == 1
    )
    anna = ("person:anna",)
    many = [scored(f"{n}", words=1.0, entity_refs=anna) for n in range(9)]
    more = [scored(f"fact {n}", importance=2, entity_refs=anna) for n in range(3)]
    assert len(chosen([*many, *more]).chosen) == 10


def test_why__shows_words_as_they_are_in_the_message() -> None:
    candidate = scored("Family lives in Graz", words=1.0, matched=("famili", "graz"))
    assert (
        whys(chosen([candidate], message="Is my family in GRAZ?"))["Family lives in Graz"] == "mentions: family, graz"
    )
    food = scored("Favorite food is ramen", words=1.0, matched=("food",))
    assert whys(chosen([food], message="What should I cook for the three of us?")) == {
        food.memory.text: "related: food"
    }
    assert whys(chosen([scored("x", similarity=0.9, contrast=9.0)]))["x"] == "close in meaning"


def test_prior_strategy__ignores_the_message() -> None:
    selection = chosen([scored(f"{n}", prior=n / 10) for n in range(12)], strategy=Strategy.PRIOR)
    assert texts(selection)[0] == "11"
    assert len(selection.chosen) == 10


def test_selection__does_not_depend_on_the_order_of_candidates() -> None:
    candidates = [
        scored(f"{n}", words=float(n % 3), prior=0.1, pinned=n == 4, importance=3 if n == 4 else 2) for n in range(9)
    ]
    assert chosen(candidates, opening=introduce) == chosen(candidates[::-1], opening=introduce)


def test_relevant__of_few_memories_what_only_says_that_it_is_liked_is_not() -> None:
    maps = scored("Enjoys old maps", words=1.0, coverage=0.5, matched=("enjoy",))
    assert whys(chosen([maps._replace(memory_count=25)], message="Where should we eat?")) == {}
    assert "Enjoys old maps" in whys(chosen([maps._replace(memory_count=200)], message="Where should we eat?"))
    assert "Enjoys old maps" in whys(chosen([maps._replace(memory_count=25)], message="What do I enjoy?"))
