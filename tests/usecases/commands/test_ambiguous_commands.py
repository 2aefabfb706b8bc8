"""What words refer to: those that may be a command are none without it, and "that" is nothing older than is meant."""

from __future__ import annotations

from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.scene import Scene
from tests.usecases.commands.test_run_command import ask, command_of


async def test_words_that_may_be_a_command__are_read_where_they_refer_to_nothing(scene: Scene) -> None:
    """A message whose words are as common elsewhere is skipped only where it was carried out."""
    await scene.tell("I love pizza.")
    message = scene.says("I moved to Berlin last week! Please delete my old address.")
    assert (await inject_memory(scene.resources, ContextRequest(scene.chat, message))).command is None
    assert (await scene.extract(message)).status == "extracted"
    assert "Lives in Berlin" in scene.told()
    assert (await inject_memory(scene.resources, ContextRequest(scene.chat, message))).command is None
    assert "Lives in Berlin" in scene.told(), "what was read is no command when its answer is made anew"
    done = scene.says("forget pizza")
    assert command_of(await inject_memory(scene.resources, ContextRequest(scene.chat, done))) == (
        "forget_subject",
        "done",
    )
    assert (await scene.extract(done)).reason == "command"
    assert scene.told() == ["Lives in Berlin"]


async def test_forget_that__is_about_a_message_that_was_no_command(scene: Scene) -> None:
    await scene.tell("I moved to Berlin last week! Please delete my old address.")
    assert scene.told() == ["Lives in Berlin"]
    assert command_of(await ask(scene, "forget that")) == ("forget_last", "done")
    assert scene.told() == []


async def test_forget_that__means_nothing_older_than_what_a_pause_left_unread(scene: Scene) -> None:
    await scene.tell("I'm allergic to nuts.")
    await ask(scene, "What can I eat? I forgot to ask.")
    scene.set(building=False)
    scene.clock.advance(minutes=1)
    await scene.tell("My doctor says it is a phase.")
    assert command_of(await ask(scene, "forget that")) == ("forget_last", "nothing")
    assert scene.told() == ["Allergic to nuts"]


async def test_forget__what_surrounds_a_name_names_nothing(scene: Scene) -> None:
    await scene.tell("I had a slipped disc in 2021.")
    assert command_of(await ask(scene, "can you delete the thing about the slipped disc")) == ("forget_subject", "done")
    assert scene.told() == []
