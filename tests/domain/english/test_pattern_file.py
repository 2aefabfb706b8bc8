"""Patterns in TOML files are laid out in lines, contain fragments, and are short enough to be read."""

from __future__ import annotations

import pytest

from keepsake.domain.english.patterns.pattern_file import PatternTable, insert_fragments, read_fragments

LONG = "x" * 201


def test_insert_fragments__removes_line_breaks_and_leading_blanks() -> None:
    assert insert_fragments("  I (?:like|\n    love\n  ) it\n", {}) == "I (?:like|love) it"


def test_insert_fragments__a_list_is_alternatives() -> None:
    assert insert_fragments(["tea|{drinks}", "rain"], {"drinks": "milk"}) == "(?:tea|milk|rain)"


def test_read_fragments__each_may_contain_those_before_it() -> None:
    assert read_fragments({"drinks": ["tea", "milk"], "all": "{drinks}s?"}, {}) == {
        "drinks": "(?:tea|milk)",
        "all": "(?:tea|milk)s?",
    }


@pytest.mark.parametrize("pattern", [LONG, ["tea", LONG], "tea|\n" + LONG])
def test_insert_fragments__refuses_what_is_longer_than_200_characters(pattern: str | list[str]) -> None:
    with pytest.raises(ValueError, match="longer than 200 characters"):
        insert_fragments(pattern, {})


def test_insert_fragments__a_reference_counts_as_it_is_written() -> None:
    assert insert_fragments("I like {what}", {"what": LONG}) == f"I like {LONG}"


def test_insert_fragments__refuses_a_line_that_ends_in_a_blank() -> None:
    with pytest.raises(ValueError, match="ends in a blank"):
        insert_fragments("I like \n tea", {})


@pytest.mark.parametrize("table", [{"drinks": LONG}, {"tea": "tea"}])
def test_read_fragments__a_fault_names_the_fragment(table: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(iter(table))):
        read_fragments(table, {"tea": "tea"})


def test_compile__numbers_a_group_that_occurs_again() -> None:
    table = PatternTable({"fragments": {"thing": r"(?P<object>\w+)"}, "rule": "sold {thing}|{thing} is gone"})
    match = table.compile(table["rule"]).fullmatch("Car is gone")
    assert match is not None
    assert match.groupdict() == {"object": None, "object2": "Car"}
