"""The summary of a conversation in another language: what a model stated in that language, and nothing in English."""

from __future__ import annotations

from keepsake.usecases.llm_summarizer import llm_summarizer
from tests.fixtures.scene import Scene
from tests.usecases.test_llm_summarizer import talk, text


async def test_what_a_model_stated_in_another_language__is_told(scene: Scene) -> None:
    """What rules state is English: beside a German message it is left out."""
    lives, loves = await talk(scene, "I live in Graz.", "I love ramen.")
    told = ((lives, "Ich lebe in Graz, und das ist auch gut so."), (loves, "Heute gab es bei uns Ramen."))
    for message, said in told:
        scene.db.run("update public.messages set content = %s where id = %s", (said, message))
    by_model = "source = 'llm_extraction', memory_text = 'Lebt in Graz, auf dem Berg'"
    scene.db.run(f"update public.user_memory set {by_model} where memory_text = 'Lives in Graz'")
    scene.db.run("delete from keepsake.unscreened_edits")
    await llm_summarizer(scene.resources, conversation_id=scene.chat)
    assert text(scene).startswith("Lebt in Graz, auf dem Berg.")
    assert "oves ramen" not in text(scene)
