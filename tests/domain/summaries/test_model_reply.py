"""A reply of a model, sentence by sentence with the numbers of what each rests on."""

from __future__ import annotations

import json

import pytest

from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import items_of, text_of
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_reply import ReplyForm, split_sentences
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.review import Review, is_reviewed

TEXTS = {1: Citable("Ada likes hiking"), 2: Citable("Has 2 dogs"), 3: Citable("Mrs. Okafor teaches her the cello")}
DATA = Evidence(TEXTS, ["Ada"], "Ada")
FORM = ReplyForm({"summary": 300}, {"key_themes": 2})


@pytest.mark.parametrize(
    "text, sentences",
    [
        ("Ada likes hiking [1]. She has 2 dogs [2].", [("Ada likes hiking.", [1]), ("She has 2 dogs.", [2])]),
        ("Ada likes hiking. [1] She has 2 dogs. [2]", [("Ada likes hiking.", [1]), ("She has 2 dogs.", [2])]),
        ("Ada likes hiking [1, 2]. ", [("Ada likes hiking.", [1, 2])]),
        ("Ada likes hiking [1][2].", [("Ada likes hiking.", [1, 2])]),
        ("Ada likes hiking [1], [3].", [("Ada likes hiking.", [1, 3])]),
        ("Ada likes hiking [1-3].", [("Ada likes hiking.", [1, 2, 3])]),
        ("Ada likes hiking (1).", [("Ada likes hiking.", [1])]),
        ("Her teacher is Mrs. Okafor [3].", [("Her teacher is Mrs. Okafor.", [3])]),
        ("Ada likes hiking [1], and has 2 dogs [2].", [("Ada likes hiking, and has 2 dogs.", [1, 2])]),
        ("Her son Ivo (7) sings [2].", [("Her son Ivo (7) sings.", [2])]),
        ("Ada likes hiking [1]. It is nice.", [("Ada likes hiking.", [1]), ("It is nice.", [])]),
        ("hiking [1]", [("hiking", [1])]),
        ("Nothing is cited.", [("Nothing is cited.", [])]),
        ("", []),
    ],
)
def test_sentences__end_with_their_citations(text: str, sentences: list[tuple[str, list[int]]]) -> None:
    assert split_sentences(text) == sentences


def test_a_reply__is_read_by_its_form_and_says_what_was_refused() -> None:
    reply = {
        "summary": "Ada likes hiking [1]. Quintus left [1]. She has 3 dogs [2].",
        "key_themes": ["hiking [1]", "uncited", "dogs [2]", "cello [3]"],
    }
    read = FORM.read(json.dumps(reply), DATA)
    assert text_of(read.content, "summary") == "Ada likes hiking."
    assert items_of(read.content, "key_themes") == ["hiking", "dogs"]
    refused = [(one.text, one.numbers) for one in read.refused]
    assert refused == [("Quintus left.", (1,)), ("She has 3 dogs.", (2,)), ("uncited", ())]
    assert "the number 3" in str(read.refused[1].fault)
    assert read.content["summary"][0].sources == (TEXTS[1],)
    assert read.has_something


def test_a_long_text__ends_with_a_sentence() -> None:
    parts = " ".join(f"Ada likes hiking{' so' * number} much [1]." for number in range(40))
    text = text_of(FORM.read(json.dumps({"summary": parts, "key_themes": []}), DATA).content, "summary")
    assert 200 < len(text) <= 300
    assert text.endswith("much.")


@pytest.mark.parametrize("reply", ["", "null", "[]", "{}", "Sure! Here it is.", "[" * 20_000])
def test_an_invalid_reply__is_refused_whole(reply: str) -> None:
    with pytest.raises(InvalidReply):
        FORM.read(reply, DATA)


def test_a_reply_in_another_form__is_read_as_what_it_says() -> None:
    reply = {"summary": [{"text": "Ada likes hiking.", "from": [1]}, "She has 2 dogs [2]."], "key_themes": "hiking [1]"}
    read = FORM.read(f"```json\n{json.dumps(reply)}\n```", DATA)
    assert text_of(read.content, "summary") == "Ada likes hiking. She has 2 dogs."
    assert items_of(read.content, "key_themes") == ["hiking"]


def test_a_reply_of_which_nothing_is_supported__has_nothing() -> None:
    read = FORM.read(json.dumps({"summary": "Quintus left [1].", "key_themes": ["hiking [1]"]}), DATA)
    assert not read.has_something


@pytest.mark.parametrize(
    "text, kept",
    [
        ("Ada has 3 dogs [2]. Before that she likes hiking [1].", ""),
        (
            "Ada has 3 dogs [2]. It likes hiking [1]. That also likes hiking [1]. Ada likes hiking [1].",
            "Ada likes hiking.",
        ),
        ("Her teacher Mrs. Okafor has 3 dogs [2]. She likes hiking [1].", ""),
        ("Ada has 3 dogs [2]. She likes hiking [1].", "She likes hiking."),
        ("Ada likes hiking [1]. She also has 2 dogs [2].", "Ada likes hiking. She also has 2 dogs."),
    ],
)
def test_what_hangs_on_a_refused_sentence__goes_with_it(text: str, kept: str) -> None:
    assert text_of(FORM.read(json.dumps({"summary": text, "key_themes": []}), DATA).content, "summary") == kept


def _review(task: str, **reply: object) -> Review:
    prompt = SummaryPrompt.of(task, FORM, list(TEXTS.values()), author=Author("Ada"))
    return Review(prompt, FORM.read(json.dumps(reply), prompt.evidence))


def _corrected(**texts: str) -> ReplyText:
    items = [{"number": int(number.removeprefix("n")), "text": text} for number, text in texts.items()]
    return ReplyText(json.dumps({"corrected": items}))


def test_a_review_of_a_session__asks_for_the_refused_sentences_alone() -> None:
    text = "Ada has 3 dogs [2]. She likes hiking [1]. Quintus left [1]."
    review = _review("session", summary=text, key_themes=["4 dogs [2]", "hiking [1]"])
    sent = review.build_messages(schema_in_prompt=False)[1]["content"]
    assert '"text":"Ada has 3 dogs.","cites":[2]' in sent
    assert "She likes hiking" not in sent
    assert "cello" not in sent
    read = review.read(_corrected(n1="Ada has 2 dogs [2].", n2="", n3="2 dogs [2]"))
    assert text_of(read.content, "summary") == "Ada has 2 dogs. She likes hiking."
    assert items_of(read.content, "key_themes") == ["2 dogs", "hiking"]
    assert text_of(review.read(_corrected()).content, "summary") == "She likes hiking."
    with pytest.raises(InvalidReply):
        review.read(ReplyText(json.dumps({"corrected": "Ada has 2 dogs [2]."})))


def test_a_review_of_a_week__asks_for_all_and_takes_what_is_put_right() -> None:
    review = _review(
        "week", summary="Ada has 2 dogs [2]. She likes hiking a lot [1]. Ada plays the cello [3].", key_themes=[]
    )
    assert is_reviewed(review.prompt, review.first)
    sent = review.build_messages(schema_in_prompt=False)[1]["content"]
    assert '"text":"She likes hiking a lot.","cites":[1]' in sent
    assert "wrong" not in sent
    read = review.read(_corrected(n2="She likes hiking [1].", n3="", n9="Ada has 3 dogs [2]."))
    assert text_of(read.content, "summary") == "Ada has 2 dogs. She likes hiking."
    assert text_of(review.read(_corrected(n1="Ada has 3 dogs [2].")).content, "summary").count("dogs") == 0


@pytest.mark.parametrize("second, kept", [("She likes hiking [1].", True), ("She has 3 dogs [2].", False)])
def test_a_replacement_of_several_sentences__is_taken_if_all_are_supported(second: str, *, kept: bool) -> None:
    review = _review("day", summary="Ada has 3 dogs and likes hiking [1, 2].", key_themes=[])
    read = review.read(_corrected(n1=f"Ada has 2 dogs [2]. {second}"))
    assert text_of(read.content, "summary") == ("Ada has 2 dogs. She likes hiking." if kept else "")
