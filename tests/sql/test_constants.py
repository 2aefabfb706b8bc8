"""A constant that stands both in SQL and in Python has one value: the database and the queries agree with the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest

from keepsake.domain.consent.guard import GuardReason
from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.context.first_context_selection import MIN_FIRST_CONTEXT_IMPORTANCE
from keepsake.domain.context.identity_line import IDENTITY_SLOTS
from keepsake.domain.context.life_topics import LIFE_LEXEMES, MIN_MUST_NOT_MISS_IMPORTANCE
from keepsake.domain.context.selection import MIN_CARD_IMPORTANCE
from keepsake.domain.english.kinship import words_for
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE, MAX_REFERENCE_COUNT
from keepsake.domain.memory import MAX_TEXT_LENGTH, MemoryType, Source, Status, Subtype
from keepsake.domain.reading.commands.command import Kind
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER, schema_files
from keepsake.store.chat_commands import MODEL_FORGET
from keepsake.store.pending_operations import RequestKind
from keepsake.usecases.archive_old_memories import UNDO_WINDOW
from tests.fixtures.db import Clone

IDENTITY_KEYS = {f"fact|person|self|{slot}" for slot in IDENTITY_SLOTS}
ANSWER_KEYS = {f"fact|person|self|{slot}" for slot in ANSWER_SLOTS}
FINAL_STATUSES = {"extracted", "skipped", "quarantined"}


def sql_files() -> Iterator[tuple[Path, str]]:
    """Every schema and query file, with its text."""
    for path in [*schema_files(), *sorted(SQL_FOLDER.rglob("*.sql"))]:
        yield path, path.read_text()


def days_in(text: str) -> set[int]:
    """The days named in messages, comments and intervals that speak of undoing; weeks of metrics are no part of it."""
    return {int(days) for days in re.findall(r"\b(\d+) days\b", text)} - {7}


def key_lists_in(text: str) -> list[set[str]]:
    """The lists of identity keys in a text of SQL."""
    lists = re.findall(r"memory_key in\s*\(((?:\s*'fact\|person\|self\|\w+',?)+)\)", text)
    return [set(re.findall(r"'([^']+)'", found)) for found in lists]


def thresholds_in(text: str) -> set[int]:
    """The importance from which something is shown."""
    return {int(value) for value in re.findall(r"\bimportance >= (\d+)", text)}


def allowed_by(db: Clone, constraint: str) -> set[str]:
    """The values a check constraint lists."""
    definition = db.value("select pg_get_constraintdef(oid) from pg_constraint where conname = %s", (constraint,))
    return set(re.findall(r"'(\w+)'::text", definition))


def test_undo_window__is_the_same_everywhere() -> None:
    """Undo, history, export, invariants and every sentence about them name the days that the nightly job keeps."""
    found = {path.name: days for path, text in sql_files() if (days := days_in(text))}
    assert len(found) > 5
    assert {name: days for name, days in found.items() if days != {UNDO_WINDOW.days}} == {}


def test_life_lexemes__are_the_words_as_postgres_stems_them(db: Clone) -> None:
    """What an introduction is searched for with are the words that tell the topic of a memory."""
    words = dict(entry.split(" = ") for entry in load_sections("life_topics", "keepsake.domain.context")["words"])
    kin = words_for(("mother", "father", "brother", "sister", "wife", "husband", "child"))
    kinds = (words["home"], words["work"], words["health"], " ".join(("married", *kin)))
    for kind, lexemes in zip(kinds, LIFE_LEXEMES, strict=True):
        stemmed = db.value("select tsvector_to_array(to_tsvector('pg_catalog.english', %s))", (kind,))
        assert sorted(lexemes) == sorted(stemmed)


def test_identity_keys__are_those_of_the_identity_line() -> None:
    """The first index lists the slots that the line shows; the query and its index also the answer preferences."""
    found = {path.name: lists for path, text in sql_files() if (lists := key_lists_in(text))}
    assert found.pop("context_candidates.sql") == [IDENTITY_KEYS | ANSWER_KEYS]
    assert list(found.values()) == [[IDENTITY_KEYS, IDENTITY_KEYS | ANSWER_KEYS]]


def test_importance__thresholds_are_those_of_selection() -> None:
    """The indexes and the query agree with the domain on what is always shown."""
    assert {MIN_CARD_IMPORTANCE, MIN_FIRST_CONTEXT_IMPORTANCE, MIN_MUST_NOT_MISS_IMPORTANCE} == thresholds_in(
        load("context_candidates")["select_candidates"].sql
    )
    (memories,) = (path for path in schema_files() if path.name == "memories.sql")
    assert thresholds_in(memories.read_text()) == {
        MIN_CARD_IMPORTANCE,
        MIN_FIRST_CONTEXT_IMPORTANCE,
        MIN_MUST_NOT_MISS_IMPORTANCE,
    }


def test_limits__are_those_of_the_columns(db: Clone) -> None:
    """The longest text, the highest importance and the highest count fit their columns exactly."""
    definition = "select pg_get_constraintdef(oid) from pg_constraint where conname = %s"
    assert f"<= {MAX_TEXT_LENGTH})" in db.value(definition, ("user_memory_text_length",))
    assert f"<= {MAX_IMPORTANCE})" in db.value(definition, ("user_memory_importance",))
    assert f"importance = {MAX_IMPORTANCE})" in db.value(definition, ("user_memory_pinned",))
    assert db.value("select (%s)::smallint = 32767", (MAX_REFERENCE_COUNT,))


@pytest.mark.parametrize(
    "constraint, values",
    [
        ("user_memory_subtype", Subtype),
        ("user_memory_source", Source),
        ("user_memory_status", Status),
    ],
)
def test_enum__has_the_values_of_the_column(db: Clone, constraint: str, values: type[StrEnum]) -> None:
    """A value added on one side only is found here, not by a person."""
    assert allowed_by(db, constraint) == {value.value for value in values}


def test_command_kinds__are_those_of_people_and_agents(db: Clone) -> None:
    """The record of commands holds what people say, what a model reads and what agents ask for, and nothing else."""
    assert allowed_by(db, "commands_kind") == {kind.value for kind in Kind} | {MODEL_FORGET, *get_args(RequestKind)}


def test_memory_types__are_those_of_the_database(db: Clone) -> None:
    """In the order of the enum, too: it is the order of every listing."""
    found = db.value("select enum_range(null::public.memory_type)::text[]")
    assert found == [kind.value for kind in MemoryType]


def test_final_statuses__are_those_of_the_table(db: Clone) -> None:
    """Whoever lists the states of a finished turn lists all of them."""
    assert allowed_by(db, "extractions_status") == FINAL_STATUSES | {"pending", "claimed"}
    lists = [
        set(re.findall(r"'(\w+)'", found))
        for _, text in sql_files()
        for found in re.findall(r"status in \(([^)]*'(?:extracted|quarantined)'[^)]*)\)", text)
    ]
    assert lists
    assert [found for found in lists if not found >= FINAL_STATUSES] == []


def test_advisory_locks__have_one_key_each() -> None:
    """The key of a lock is built in the same way wherever it is taken."""
    keys: dict[str, set[str]] = {}
    for _, text in sql_files():
        for name, rest in re.findall(r"hashtextextended\('keepsake\.(\w+):'([^,]*), 0\)", text):
            spelling = re.sub(r"%\((\w+)\)s", r"\1", re.sub(r"::\w+|\s", "", rest))
            without_alias = re.sub(r"\b[a-z]\.", "", spelling)
            keys.setdefault(name, set()).add(without_alias.replace("user_id", "person"))
    assert {name: len(spellings) for name, spellings in keys.items()} == dict.fromkeys(keys, 1)
    assert keys.keys() == {"merge", "erase", "command", "rate"}


def test_skip_reasons__in_queries_are_known() -> None:
    """A reason that a query writes is one the code can read."""
    written = {reason for _, text in sql_files() for reason in re.findall(r"'skipped', '(\w+)', %\(now", text)}
    assert written == {GuardReason.COMMAND.value, GuardReason.BEFORE_CONSENT.value}


def test_parsers__find_a_planted_difference() -> None:
    """Each parser above can fail."""
    assert days_in("-- it can be undone for 31 days; interval '7 days'") == {31}
    assert key_lists_in("memory_key in\n ('fact|person|self|name')") == [{"fact|person|self|name"}]
    assert thresholds_in("where importance >= 1 and m.importance >= 2") == {1, 2}
