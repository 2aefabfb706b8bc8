"""The model answers, and badly: each reply ends in its documented state, and no memory is half valid."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from keepsake.domain.memory import MAX_PER_TURN
from keepsake.infra.settings import Settings
from tests.faults.asking import FOUND, SAID, Asked, Asking, assert_nothing_leaks
from tests.fixtures.model import with_model
from tests.model_server import broken_answers
from tests.model_server.running import ModelServer
from tests.model_server.statements import memory
from tests.model_server.wrong_members import MANY

NO_REPLY = {"content_filter": "content_filter", "refusal": "refused"}  # an answer, and the reason it is known by
CUT_OFF = {"length"}
WRAPPED = sorted(broken_answers.WRAPPED)
READABLE = {"two_lists", "json_null", "long_number", *WRAPPED}
"""Of two members of one name the last counts, null is nothing, and such a confidence is none."""
BAD_BODIES = {
    "cut_body",
    "empty_body",
    "error_in_200",
    "html",
    "html_as_json",
    "huge_body",
    "no_content",
    "not_gzip",
    "not_utf8",
}
BAD = sorted(BAD_BODIES | broken_answers.FAULTS.keys() - NO_REPLY.keys() - READABLE)

# Each stands beside a good memory: why it is dropped, or None where it is put right instead.
WRONG = {
    "unknown_type": "unknown_type",
    "unknown_subtype": None,
    "nul": "bad_characters",
    "bidi": "invented_words",  # what no reader sees is removed, and the words that are left are not the person's
    "tags": "invented_words",
    "lone_surrogate": "bad_characters",
    "invented_quote": "invented_quote",
    "empty_quote": "invented_quote",
    "long_text": "too_long",
    "empty_text": "empty",
    "confidence_7": "bad_confidence",
    "confidence_below_zero": "bad_confidence",
    "importance_99": None,
    "instruction": "instruction",
}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


def dropped(asked: Asked) -> Counter[str]:
    """What the row says was not kept, by reason."""
    return Counter(asked.row["dropped"])


@pytest.mark.parametrize("fault", BAD)
async def test_unreadable__is_asked_about_twice_in_all_and_then_rules_read_it(
    asking: Asking, capfd: pytest.CaptureFixture[str], fault: str
) -> None:
    asking.script.always(fault)
    asked = await asking.about()
    asking.assert_read_by("rules", asked, FOUND)
    assert len(asking.script.chats) == 2
    assert "ramen" not in "".join(capfd.readouterr())
    assert (
        asking.scene.db.value("select coalesce(sum(value), 0) from keepsake.counters where name = 'model_tokens'") == 0
    )
    assert asking.scene.db.value("select sum(calls) from keepsake.model_days") == 2


@pytest.mark.parametrize("fault", WRAPPED)
async def test_wrapped__is_read_at_the_first_call_and_the_repair_is_counted(
    asking: Asking, capfd: pytest.CaptureFixture[str], fault: str
) -> None:
    asking.script.always(fault)
    asked = await asking.about()
    asking.assert_read_by("llm", asked, FOUND)
    assert (len(asking.script.chats), dropped(asked)) == (1, {})
    assert "ramen" not in "".join(capfd.readouterr())
    counted = asking.scene.resources.metrics.model_repairs.collect()
    kinds = {sample.labels["kind"] for metric in counted for sample in metric.samples}
    assert bool(kinds) is (fault not in {"not_a_number", "one_memory_bare"}), kinds


async def test_wrapped_nothing__is_nothing_at_the_first_call(asking: Asking) -> None:
    for said in ("{}", "null", "[]", "```json\n[]\n```", '{"memories": null}', '"{}"'):
        asking.script.then({"content": said})
        asking.assert_read_by("llm", await asking.about("Thanks, good night!"))
    assert len(asking.script.chats) == 6


async def test_nothing_in_words__is_asked_once_more_and_then_believed(asking: Asking) -> None:
    asking.script.always({"content": "Nothing to remember here."})
    asking.assert_read_by("llm", await asking.about("Thanks, good night!"))
    assert len(asking.script.chats) == 2


async def test_unreadable__is_asked_once_more_with_the_error_and_the_second_answer_counts(asking: Asking) -> None:
    for number, fault in enumerate(BAD):
        asking.script.then(fault)
        asked = await asking.about(f"I like tea number {number}.")
        assert (asked.outcome, asked.texts) == (("extracted", None), [f"Likes tea number {number}"]), fault
        first, second = asking.script.chats[-2:]
        assert second["messages"][:-1] == first["messages"], fault
        assert second["messages"][-1]["role"] == "user", fault
        told = "cut off" if fault in CUT_OFF else "could not be used"
        assert told in second["messages"][-1]["content"], fault
    assert len(asking.script.chats) == 2 * len(BAD)


async def test_cut_off__is_asked_once_more_for_fewer(asking: Asking) -> None:
    asking.script.then("length")
    asking.assert_read_by("llm", await asking.about(), FOUND)
    first, second = asking.script.chats
    assert second["messages"][:-1] == first["messages"]
    assert "one memory" in second["messages"][-1]["content"]


@pytest.mark.parametrize("fault, reason", NO_REPLY.items())
async def test_refused__the_turn_is_finished_without_memories_and_counted(
    asking: Asking, capfd: pytest.CaptureFixture[str], fault: str, reason: str
) -> None:
    asking.script.always(fault)
    asked = await asking.about()
    asking.assert_read_by("llm", asked)
    assert (dropped(asked), asked.row["model_failures"], asked.row["bad_replies"]) == ({reason: 1}, 0, 0)
    assert len(asking.script.chats) == 1
    counted = asking.scene.resources.metrics.registry.get_sample_value
    assert counted("keepsake_dropped_total", {"reason": reason}) == 1
    assert counted("keepsake_model_calls_total", {"outcome": reason}) == 1
    assert (await asking.again(asked.message)).outcome[0] == "duplicate"
    assert_nothing_leaks(asked, capfd)


@pytest.mark.parametrize("fault", WRONG)
async def test_one_memory_wrong__the_good_one_is_kept_and_the_bad_one_counted(asking: Asking, fault: str) -> None:
    asking.script.always(fault)
    asked = await asking.about()
    reason = WRONG[fault]
    assert asked.outcome == ("extracted", None)
    assert asked.texts[0] == FOUND
    if reason is None:
        assert asking.scene.told() == [FOUND]
    else:
        asking.assert_read_by("llm", asked, FOUND)
        assert dropped(asked) == {reason: 1}
    assert len(asking.script.chats) == 1
    assert_valid(asking)


async def test_every_memory_wrong__the_turn_is_finished_without_any(asking: Asking) -> None:
    asking.script.always("only_bad")
    asked = await asking.about()
    asking.assert_read_by("llm", asked)
    assert dropped(asked) == {"unknown_type": 1, "too_long": 1, "invented_quote": 1, "bad_confidence": 1}


async def test_fifty_memories__three_are_kept(asking: Asking) -> None:
    asking.script.always("fifty")
    asked = await asking.about(f"{SAID} I know of {', '.join(f'{number} km' for number in range(MANY))}.")
    assert len(asked.texts) == len(asking.scene.told()) == MAX_PER_TURN
    assert dropped(asked) == {"too_many": MANY - MAX_PER_TURN}


async def test_wild_names__reach_no_key_unslugged(asking: Asking) -> None:
    asking.script.always("wild_slot")
    await asking.about()
    keys = asking.scene.db.all("select memory_key from public.user_memory where memory_key is not null")
    assert all(len(row["memory_key"].split("|")) <= 5 for row in keys), keys
    assert not [row for row in keys if set(row["memory_key"]) & set("./';")], keys


QUOTED = "I remember that your sister Berta keeps bees in Innsbruck."
BEES: dict[str, Any] = {"about": "sister berta", "attribute": "hobby", "value": "bees", "type": "relationship"}


async def test_the_assistants_words__are_no_evidence(asking: Asking) -> None:
    """Quoted outright, in part, or with the person's idle words as a fig leaf."""
    asking.scene.people.answers(asking.scene.chat, QUOTED)
    text = "Sister Berta keeps bees in Innsbruck"
    asking.script.then(
        {
            "memories": [
                memory(text, QUOTED, **BEES),
                memory(text, "your sister Berta keeps bees", **BEES),
                memory(text, "Thanks, great!", **BEES),
            ]
        }
    )
    asked = await asking.about("Thanks, great!")
    assert QUOTED in str(asking.script.chats[0]["messages"]), "the model was shown what it quotes"
    asking.assert_read_by("llm", asked)
    assert dropped(asked) == {"quote_of_assistant": 2, "ungrounded": 1}


async def test_two_lists__is_read_as_parsers_read_it(asking: Asking) -> None:
    asking.script.always("two_lists")
    asking.assert_read_by("llm", await asking.about())


async def test_the_models_fields__are_stored_as_they_are_meant(asking: Asking) -> None:
    asking.script.then(
        {
            "memories": [
                memory(
                    "Daughter Mia is 5 years old",
                    "my daughter Mia is five",
                    type="relationship",
                    subtype="relationship",
                    about="daughter mia",
                    attribute="age",
                    value="5",
                    confidence=None,
                    entity={"kind": "person", "name": "Mia"},
                )
            ]
        }
    )
    await asking.about("You know, my daughter Mia is five.")
    row = asking.scene.db.one("select * from public.user_memory where source = 'llm_extraction'")
    assert (row["memory_text"], row["memory_type"]) == ("Daughter Mia is 5 years old", "relationship")
    assert (row["value"], float(row["confidence_score"])) == ("5", 0.85)
    assert row["source_quote"] == "my daughter Mia is five"
    assert row["memory_key"].endswith("|age")


def assert_valid(asking: Asking) -> None:
    """Nothing stored is outside what a memory may be."""
    for row in asking.scene.db.all("select * from public.user_memory where source = 'llm_extraction'"):
        assert 0 < len(row["memory_text"]) <= 500
        assert 0 <= row["confidence_score"] <= 1
        assert row["importance"] in range(4)
        assert row["source_quote"] in "My favorite food is ramen."
