"""A model's reply: refused whole where it is no reply, and held to the person's own words where it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.member_fields import DEFAULT_CONFIDENCE, MAX_CONFIDENCE
from keepsake.domain.extraction.model_reply import MAX_MEMBERS, ParsedReply, read_reply
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.text import has_forbidden_characters

SAID = "Hi! I live in Graz, and  I’m\nso tired. Actually it's ramen.\n> you love pizza\nThanks!"
SOURCES = GroundingSources(
    SAID,
    assistant="So your favourite food is pizza, right? Mars is in retrograde.",
    injected=("Favorite food is pizza", "Has a dog named Rex", "Lives in Graz"),
    chart='{"sun": "Leo"}',
)


def member(**given: Any) -> dict[str, Any]:
    return {"type": "fact", "text": "Lives in Graz", "quote": "I live in Graz", **given}


def read(*members: Any, sources: GroundingSources = SOURCES) -> ParsedReply:
    return read_reply(json.dumps({"memories": list(members)}), sources)


def only(*members: Any, sources: GroundingSources = SOURCES) -> Candidate:
    (candidate,) = read(*members, sources=sources).candidates
    return candidate


@pytest.mark.parametrize(
    "text",
    [
        "", "7", '{"memories": [1]}', '{"memories": [{}]}', "[" * 100_000, '{"memories": 5}', "I live in Graz too!",
        '{"memories": [{"type": "fact", "text": "x"}]}', '{"memories": ["Lives in Graz"]}', '{"facts": []}',
        '{"memories": []} No, wait: {"memories": [{"text": "Lives in Graz", "quote": "I live in Graz"}]}',
    ],
)  # fmt: skip
def test_no_reply__is_refused_whole_and_not_repeated(text: str) -> None:
    with pytest.raises(InvalidReply) as refusal:
        read_reply(text, SOURCES)
    assert len(str(refusal.value)) < 100
    assert "Graz" not in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        "null", "[]", "{}", '""', '{"memories": null}', '{"memories": {}}', '{"memories": ""}', '{"memories": []}',
        '```json\n{"memories": []}\n```', 'Sure! {"memories": []}', "A list: []", '{"Memories": [], "n": NaN}',
    ],
)  # fmt: skip
def test_nothing__in_any_form_is_nothing(text: str) -> None:
    parsed = read_reply(text, SOURCES)
    assert (parsed.candidates, parsed.dropped) == ((), {})


@pytest.mark.parametrize(
    "other",
    [
        {"confidence": "high"}, {"confidence": True}, {"many": "yes"}, {"importance": 1.5},
        {"importance": "2"}, {"importance": True}, {"about": ["self"]}, {"entity": "Graz"}, {"entity": []},
        {"astro_context": []}, {"language": 5}, {"type": "Fact"}, {"type": ""}, {"type": None}, {"relation": "NEW"},
        {"number": ""}, {"number": "null"}, {"number": []}, {"subtype": ["identity"]}, {"subtype": 7},
        {"confidence": "90%"}, {"confidence": 90}, {"confidence": "0.9"}, {"text": ["Lives in Graz"]},
    ],
)  # fmt: skip
def test_another_type__is_converted_where_nothing_is_lost(other: dict[str, Any]) -> None:
    candidate = only(member(**other))
    assert (candidate.text, candidate.type, candidate.related_id) == ("Lives in Graz", MemoryType.FACT, None)
    if "confidence" in other and other["confidence"] not in ("high", True):
        assert candidate.confidence == 0.9


@pytest.mark.parametrize(
    "wrong, reason",
    [
        ({"number": "one"}, "unreadable"), ({"number": 1.5}, "unreadable"), ({"number": True}, "unreadable"),
        ({"text": {"en": "Lives in Graz"}}, "unreadable"),
        ({"text": None}, "incomplete"), ({"quote": None}, "incomplete"), ({"quote": {}}, "unreadable"),
        ({"relation": {"new": 1}}, "unreadable"), ({"about": {"name": "Rex"}}, "unreadable"),
    ],
)  # fmt: skip
def test_a_memory_that_cannot_be_read__is_dropped_alone(wrong: dict[str, Any], reason: str) -> None:
    parsed = read(member(**wrong), member(attribute="home"))
    assert [candidate.text for candidate in parsed.candidates] == ["Lives in Graz"]
    assert parsed.dropped == {reason: 1}


@pytest.mark.parametrize(
    "wrong, reason",
    [
        ({"type": "secret_wish"}, "unknown_type"),
        ({"confidence": 7}, "bad_confidence"),
        ({"confidence": -0.1}, "bad_confidence"),
        ({"confidence": 1e308}, "bad_confidence"),
        ({"text": "Lives in Graz " * 50}, "too_long"),
        ({"value": "graz" * 200}, "too_long"),
        ({"quote": "I live in Graz" * 100}, "too_long"),
        ({"text": ""}, "empty"),
        ({"text": " … "}, "empty"),
        ({"text": "Lives in\x00 Graz"}, "bad_characters"),
        ({"text": "Lives in \ud800Graz"}, "bad_characters"),
        ({"value": "gr\x1baz"}, "bad_characters"),
        ({"entity": {"kind": "place", "name": "Gr\u2066az"}}, "bad_characters"),
        ({"quote": "I live in Rome"}, "invented_quote"),
        ({"quote": ""}, "invented_quote"),
        ({"quote": "…"}, "invented_quote"),
        ({"quote": "favourite food is pizza", "text": "Favorite food is pizza"}, "quote_of_assistant"),
        ({"quote": "a dog named Rex", "text": "Has a dog named Rex"}, "quote_of_injected"),
        ({"quote": "you love pizza", "text": "Loves pizza"}, "invented_quote"),
        ({"quote": "Thanks!", "text": "Has a dog named Rex"}, "ungrounded"),
        ({"quote": "Hi! I", "text": "Is 30 years old"}, "ungrounded"),
    ],
)
def test_wrong_member__is_dropped_with_its_reason_and_the_good_one_kept(wrong: dict[str, Any], reason: str) -> None:
    reading = read(member(), member(**wrong))
    assert [candidate.text for candidate in reading.candidates] == ["Lives in Graz"]
    assert reading.dropped == {reason: 1}


def test_an_injected_memory__is_not_extracted_again() -> None:
    """An injected memory counts as said only where the person says all of it."""
    hungry = GroundingSources("Ramen it is tonight!", injected=("Favorite food is ramen",))
    again = member(text="Favorite food is ramen", quote="Ramen it is tonight")
    assert read(again, sources=hungry).dropped == {"repeats_injected": 1}
    said = GroundingSources("My favorite food is still ramen!", injected=("Favorite food is ramen",))
    told = only(member(text="Favorite food is ramen", quote="favorite food is still ramen"), sources=said)
    assert told.key == "fact|person|self|favorite_food"


@pytest.mark.parametrize(
    "said, text, quote",
    [
        ("I live in Graz", "Lives in Graz", "I LIVE  in graz"),
        ("I’m so tired today", "Feels tired", "I'm so tired"),
        ("Ich wohne seit März in Graz.", "Wohnt in Graz", "„Ich wohne seit März in Graz“"),
        ("私はラーメンが大好きです。", "ラーメンが好き", "ラーメンが大好きです"),
        ("I am a\n  nurse", "Works as a nurse", "I am a nurse"),
        ("We're expecting!", "Expects a child", "We're expecting"),
        ("I turned 30", "Is 30 years old", "I turned 30"),
    ],
)
def test_quote__is_found_however_it_is_typed_and_kept_as_the_person_wrote_it(said: str, text: str, quote: str) -> None:
    candidate = only(member(text=text, quote=quote), sources=GroundingSources(said))
    assert candidate.quote in " ".join(said.split())


def test_absent_parts__stand_for_what_is_usual() -> None:
    candidate = only(member(type="emotion", text="Feels tired", quote="so tired", confidence=None))
    assert (candidate.confidence, candidate.subtype, candidate.importance) == (DEFAULT_CONFIDENCE, Subtype.FEELING, 1)
    assert (candidate.language, candidate.corrects, candidate.retracts) == ("en", False, False)


def test_confidence__of_a_model_is_below_one() -> None:
    """A memory of confidence 1 counts as confirmed, and a model confirms nothing."""
    assert only(member(confidence=1)).confidence == MAX_CONFIDENCE < 1


def test_many__are_looked_at_up_to_a_limit_and_the_rest_counted() -> None:
    reading = read(*(member(attribute=f"a{n}") for n in range(MAX_MEMBERS + 20)))
    assert len(reading.candidates) + reading.dropped["repeated"] == MAX_MEMBERS
    assert reading.dropped["too_many"] == 20


def test_a_repeated_memory__is_dropped() -> None:
    assert read(member(), member(text="Is living in Graz", confidence=0.3)).dropped["repeated"] == 1


def test_entities__become_refs() -> None:
    sister = member(
        text="Sister Anna lives in Graz", quote="my sister Anna lives in Graz", about="sister anna", attribute="home",
        value="graz", type="relationship", entity={"kind": "person", "name": "Anna"},
    )  # fmt: skip
    candidate = only(sister, sources=GroundingSources("my sister Anna lives in Graz"))
    assert set(candidate.entity_refs) >= {"person:anna"}
    assert candidate.entity_label == "Anna"
    assert only(member(entity={"kind": "planet", "name": "Mars"})).entity_refs == ()
    assert only(member(entity={"kind": ["place"], "name": "Mars"})).entity_refs == ()


def test_transits__are_kept_where_they_were_spoken_of() -> None:
    told = {"transits": ["Mars retrograde", "Sun in Leo", "Venus in Aries", 7, "x" * 200, "Mars\u202e"]}
    assert only(member(astro_context=told)).transits == ("Mars retrograde", "Sun in Leo")


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=5,
)
members = st.fixed_dictionaries(
    {
        "type": st.sampled_from([*MemoryType, "wish"]) | st.text(),
        "text": st.text(max_size=600) | st.sampled_from(["Lives in Graz", "Feels tired"]),
        "quote": st.sampled_from(["I live in Graz", "so tired", "Thanks"]) | st.text(),
    },
    optional=dict.fromkeys(
        ("confidence", "about", "attribute", "value", "relation", "number", "importance", "entity", "language"),
        json_values,
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(members | json_values, max_size=4))
def test_whatever_comes__ends_as_a_refusal_or_as_memories_that_may_be_stored(reply: list[Any]) -> None:
    """A model that is an adversary can neither crash the reader nor get past it."""
    try:
        reading = read(*reply)
    except InvalidReply:
        return
    for candidate in reading.candidates:
        assert 0 < len(candidate.text) <= MAX_TEXT_LENGTH or candidate.retracts
        assert 0 <= candidate.confidence <= 1
        assert 0 <= candidate.importance <= 3
        assert candidate.quote in " ".join(SAID.split())
        parts = (candidate.text, candidate.key or "", candidate.value or "", candidate.entity_label or "")
        assert not any(map(has_forbidden_characters, (*parts, *candidate.entity_refs, candidate.language)))
        assert len(candidate.key or "") <= 300
