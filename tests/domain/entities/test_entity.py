"""Which entities a statement names, under which key it is kept, and which names may be one."""

from __future__ import annotations

import pytest

from keepsake.domain.entities.alias_candidates import find_alias_candidates, name_similarity
from keepsake.domain.entities.entity import Entity, entity_slug, keys_named, search_form
from keepsake.domain.entities.references import with_entities
from keepsake.domain.entities.resolve_references import canonicalize, name_learned, resolve_relation
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import memory

ANNA = Entity("person:anna", "Anna", ("Annie",))


def said(text: str) -> Candidate:
    """The first thing the rules find in a message."""
    return with_entities(extract(text)[0])


@pytest.mark.parametrize(
    "text, refs, label",
    [
        ("My sister Anna lives in Graz.", ("person:anna", "place:graz"), "Anna"),
        ("My sister lives in Graz.", ("person:sister", "place:graz"), None),
        ("My friend Mukesh likes tea.", ("person:mukesh",), "Mukesh"),
        ("My wife works at Google.", ("person:wife", "org:google"), None),
        ("I work for Acme Corp as a designer.", ("org:acme_corp",), "Acme Corp"),
        ("I work at siemens", ("org:siemens",), "siemens"),
        ("I study at MIT.", ("org:mit",), "MIT"),
        ("I live in Austin, Texas.", ("place:austin_texas",), "Austin, Texas"),
        ("I'm from Portugal.", ("place:portugal",), "Portugal"),
        ("I'm married to Tom.", ("person:tom",), "Tom"),
        ("I have two brothers, Max and Leo.", ("person:max", "person:leo"), "Max"),
        ("I am building an app called Trailmix.", ("project:trailmix",), "Trailmix"),
        ("I live in a small town.", (), None),
        ("I live with my parents.", (), None),
        ("I like pizza.", (), None),
    ],
)
def test_with_entities__names_whom_and_what(text: str, refs: tuple[str, ...], label: str | None) -> None:
    """Whom it is about first; a description is no name; doing it twice is doing it once."""
    found = said(text)
    assert (found.entity_refs, found.entity_label) == (refs, label)
    assert with_entities(found) == found


def test_canonicalize__an_alias_has_the_same_key() -> None:
    candidate = said("My friend Annie lives in Graz.")
    meant = canonicalize(candidate, [ANNA])
    assert meant.key == "relationship|person|friend|anna|home"
    assert meant.entity_refs == ("person:anna", "place:graz")
    assert meant.text == candidate.text
    assert canonicalize(candidate, [ANNA, Entity("person:annie", "Annie")]) == candidate
    assert keys_named(" annie ", [ANNA]) == {"person:anna"}
    assert keys_named("Bea", [ANNA]) == frozenset()


def test_resolve_relation__only_where_one_relative_is_known() -> None:
    """A nameless sister is Anna while Anna is the only one; a name whispered to one persona teaches nothing."""
    anna = memory("Sister Anna is 30", key="relationship|person|sister|anna|age", value="30", entity_label="Anna")
    berta = memory("Sister Berta is 20", key="relationship|person|sister|berta|age", value="20", entity_label="Berta")
    nameless, named = said("My sister works at Google."), said("My sister Anna is 30.")
    assert resolve_relation(nameless, [anna]).entity_refs == ("person:anna", "org:google")
    assert resolve_relation(nameless, [anna, berta]) == resolve_relation(nameless, []) == nameless
    assert name_learned(named, [anna]) == name_learned(named, []) == ("person:sister", "person:anna")
    assert name_learned(named, [berta]) is None
    assert name_learned(nameless, []) is None


@pytest.mark.parametrize(
    "one, other",
    [("makesh", "mukesh"), ("jon", "john"), ("sara", "sarah"), ("catherine", "katherine"), ("john", "john_doe"),
     ("mohammed", "muhammad"), ("peter_schmidt", "peter_schmitt"), ("acme_corp", "acme_inc"), ("ana", "anna"),
     ("stephen", "steven"), ("katharina", "catarina"), ("philip", "filip"), ("tony", "toni"),
     ("siemens", "simens"), ("lukas", "lucas"), ("sofia", "sophia"), ("karin", "karen")],
)  # fmt: skip
def test_name_similarity__spellings_of_one_name(one: str, other: str) -> None:
    assert name_similarity(one, other) == name_similarity(other, one) >= 0.8


@pytest.mark.parametrize(
    "one, other",
    [("anna", "anne"), ("paul", "paula"), ("maria", "mario"), ("leo", "lea"), ("tom", "tim"), ("daniel", "daniela"),
     ("marina", "martina"), ("berlin", "merlin"), ("peter_schmidt", "petra_schmidt"), ("york", "new_york"),
     ("phase_1", "phase_2"), ("anna_berg", "anne_bergs"), ("tina", "dina"), ("petra", "pedro"),
     ("jan", "jon"), ("lena", "luna"), ("ana", "anne"), ("jane", "jan"), ("ben", "pen"), ("simon", "simone"),
     ("मुकेश", "राकेश")],
)  # fmt: skip
def test_name_similarity__names_of_different_people(one: str, other: str) -> None:
    assert name_similarity(one, other) == name_similarity(other, one) == 0


def test_alias_candidates__of_one_kind_and_never_of_a_relation() -> None:
    known = [ANNA, Entity("place:ana", "Ana"), Entity("person:sister", "Sister"), Entity("person:makesh", "Makesh")]
    assert [(one.key, one.similarity) for one in find_alias_candidates("person:ana", known)] == [("person:anna", 0.95)]
    assert [one.key for one in find_alias_candidates("person:annie_berg", known)] == ["person:anna"]
    assert find_alias_candidates("person:sisters", known) == find_alias_candidates("person:anna", known) == []


@pytest.mark.parametrize("name", ["John Doe", "O'Brien", "Jean-Luc", "AT&T", "Zoë", "मुकेश", "李 雷", "x" * 300])
def test_slug__is_found_in_the_search_form(name: str) -> None:
    slug = entity_slug(name)
    assert entity_slug(slug) == slug
    assert f" {slug.replace('_', ' ')} " in search_form(f"How is {name}'s cat? ({name})") or len(slug) == 80
