"""The words for a relation, which have one key whoever reads them."""

from __future__ import annotations

import pytest

from keepsake.domain.commands.match_subject import memories_about
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.english.kinship import SINGLE_RELATIONS, canonical_relation, kinship_of, words_for
from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.english.similarity import difference
from keepsake.domain.extraction.derive_memory_key import Slot, derive_key
from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.text import word_set
from tests.support.memories import memory

RELATIONS = {
    "mother": "mother mom mum mommy mummy mama ma Mom mothers",
    "father": "father dad daddy papa pa pop",
    "grandmother": "grandmother grandma granny nana gran grandmas",
    "grandfather": "grandfather grandpa granddad",
    "husband": "husband hubby",
    "girlfriend": "girlfriend gf",
    "fiance": "fiance fiancé fiancee fiancée",
    "child": "child children kid kids",
    "grandchild": "grandchild grandkids grandchildren",
    "aunt": "aunt auntie aunts",
    "sister": "sister sis sisters",
    "stepmother": "stepmother stepmom step-mum",
    "mother_in_law": "mother-in-law mum-in-law",
    "best_friend": "bff",
    "neighbor": "neighbour neighbors",
    "ex_wife": "ex-wife",
}


@pytest.mark.parametrize("relation, words", RELATIONS.items())
def test_canonical_relation__one_for_all_words(relation: str, words: str) -> None:
    assert {canonical_relation(word) for word in words.split()} == {relation}


@pytest.mark.parametrize("word", sorted(word_set("mama mum mom mother mommy papa dad hubby husband nana gran grandma")))
def test_key__is_the_same_by_model_and_by_rules(word: str) -> None:
    (by_rules,) = extract(f"My {word} lives in Graz.")
    slot = Slot(MemoryType.RELATIONSHIP, word, "home", "Graz")
    relation = canonical_relation(word)
    assert by_rules.key == f"relationship|person|{relation}|home"
    for sentence in (f"{word.title()} has a flat in Graz", f"{word.title()} wohnt in Graz"):
        assert derive_key(slot, sentence) == (by_rules.key, "graz")


def test_kinship_of__names_relations_alone() -> None:
    assert kinship_of("mum") == kinship_of("mother") == "mother"
    assert kinship_of("kids") == kinship_of("children") != kinship_of("kid")
    assert kinship_of("pizza") is None


def test_readers__share_the_table() -> None:
    assert difference("Mum lives in Graz", "Mother lives in Graz") is None
    assert difference("Mum lives in Graz", "Dad lives in Graz") == "kinship"
    known = [(memory("Mother lives in Graz", key="relationship|person|mother|home", value="graz"), False)]
    assert memories_about("my mama", known)
    assert {"mum", "hubby", "kids"} <= set(expand_query("tell me about my family").split())


@pytest.mark.parametrize("subject", ["my family", "meine Familie", "the family"])
def test_family__is_everybody_of_it_and_nobody_else(subject: str) -> None:
    known = [
        (memory(text, key=f"relationship|person|{relation}|home", value="graz"), False)
        for text, relation in [
            ("Mother lives in Graz", "mother"), ("Mother-in-law lives in Graz", "mother_in_law"),
            ("Friend lives in Graz", "friend"), ("Ex lives in Graz", "ex"), ("Boss lives in Graz", "boss"),
        ]
    ]  # fmt: skip
    found = memories_about(subject, [*known, (memory("Likes pizza", key="fact|person|self|likes|pizza"), False)])
    assert [one.text for one in found] == ["Mother lives in Graz", "Mother-in-law lives in Graz"]


def test_words_for__leave_out_what_means_something_else() -> None:
    assert "pop" not in words_for(["father"])
    assert {"father", "dad", "papa"} <= set(words_for(["father"]))


def test_table__names_each_word_once() -> None:
    words = [word.rstrip("?") for line in load_lines("kinship") for word in line.split()[2:]]
    assert len(words) == len(set(words))
    assert {"mother", "wife", "boss", "ex_husband"} <= SINGLE_RELATIONS
    assert "sister" not in SINGLE_RELATIONS
