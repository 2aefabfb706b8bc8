"""Migrations are split where Postgres ends a statement, and nowhere else."""

from __future__ import annotations

import pytest

from keepsake.infra.package_files import MIGRATIONS
from keepsake.operations.split_sql import split_statements


@pytest.mark.parametrize(
    "statement",
    [
        "select 'a;b', \"c;d\"",
        "select e'it\\'s; here'",
        "do $$ begin null; end $$",
        "do $outer$ begin execute $inner$ select 1; $inner$; end $outer$",
        "-- not; here\nselect 1",
        "/* nor; here */ select 1",
        "select $1; ".strip("; "),
        "create function f() returns int language sql begin atomic select case when true then 1 end; select 2; end",
        "create function f() returns int language sql BEGIN ATOMIC select 1; END",
        "select 1 as end",
    ],
)
def test_split_statements__leaves_whole_what_belongs_together(statement: str) -> None:
    assert split_statements(f"{statement};\nselect 2;\n") == [statement, "select 2"]


@pytest.mark.parametrize("script", ["", " ;; \n;", "-- only a comment", "/* ; */"])
def test_split_statements__finds_nothing_in_nothing(script: str) -> None:
    assert split_statements(script) == []


def test_split_statements__takes_a_last_statement_without_semicolon() -> None:
    assert split_statements("select 1; select 2") == ["select 1", "select 2"]


def test_split_statements__loses_nothing_of_our_migrations() -> None:
    for file in MIGRATIONS.glob("*.sql"):
        script = file.read_text()
        said = "".join("".join(split_statements(script)).split()).replace(";", "")
        assert len("".join(script.split()).replace(";", "")) - len(said) < 400, file.name
