"""Names use the terms of the glossary: a synonym that ``docs/glossary.md`` rules out is found, with the term to use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, modules

GLOSSARY = ROOT / "docs" / "glossary.md"
# Names that others rely on, or that quote somebody else's interface.
EXEMPT: Mapping[str, str] = {
    "ToldCommand": "a schema of the published contract",
    "nature": "a field of the published contract",
}
MIN_TERMS = 60
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ROW = re.compile(r"^\| (?P<term>[^|]+?) \| .+ \| (?P<synonyms>[^|]*?) ?\|$", re.MULTILINE)
_SQL_NAMES = (
    re.compile(r"^-- name: (\w+)$", re.MULTILINE),  # queries
    re.compile(
        r"(?:\bwith(?: recursive)?|^\)?,|\),)\s+(\w+) (?:\([\w, ]+\) )?as (?:(?:not )?materialized )?\(", re.MULTILINE
    ),
    re.compile(
        r"^  (\w+) (?:uuid|text|boolean|smallint|integer|bigint|numeric|real|jsonb|timestamptz|date|bytea)\b",
        re.MULTILINE,
    ),
    re.compile(r"create (?:or replace )?function \w+\.(\w+)"),
    re.compile(r"create (?:constraint )?trigger (\w+)"),
    re.compile(r"add column (?:if not exists )?(\w+)"),
    re.compile(r"'keepsake\.(\w+)'"),  # session settings
)


def synonyms() -> dict[str, str]:
    """Each synonym that is not used, lower case and split by ``_``, with the term to use instead."""
    rows = [row for row in _ROW.finditer(GLOSSARY.read_text()) if row["term"] not in {"term", "---"}]
    return {word: row["term"] for row in rows for word in re.findall(r"`([a-z_*]+)`", row["synonyms"])}


def terms() -> list[str]:
    """The terms of the glossary."""
    return [row["term"] for row in _ROW.finditer(GLOSSARY.read_text()) if row["term"] not in {"term", "---"}]


def python_names(tree: ast.AST) -> Iterator[str]:
    """The names a module defines: classes, functions, parameters, fields and constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def sql_names(text: str) -> Iterator[str]:
    """The names a file of SQL defines: queries, common table expressions, columns, functions, triggers, settings."""
    for pattern in _SQL_NAMES:
        yield from pattern.findall(text)


def wrong_words(name: str, ruled_out: Mapping[str, str]) -> list[str]:
    """What is wrong with a name: each synonym in it, and the term to use."""
    if name in EXEMPT:
        return []
    split = f"_{_CAMEL.sub('_', name).lower().strip('_')}_"
    return [
        f"{name}: not “{word}” but “{term}”" for word, term in ruled_out.items() if re.search(_whole_word(word), split)
    ]


def _whole_word(word: str) -> str:
    return f"_{word[:-1].rstrip('_')}[a-z0-9]*_" if word.endswith("*") else f"_{word}_"


def _faults(path: Path, ruled_out: Mapping[str, str]) -> list[str]:
    text = path.read_text()
    names = {path.stem, *(python_names(ast.parse(text)) if path.suffix == ".py" else sql_names(text))}
    return [f"{path.relative_to(ROOT)}: {fault}" for name in sorted(names) for fault in wrong_words(name, ruled_out)]


def test_names__use_the_terms_of_the_glossary() -> None:
    """No module, class, function, parameter, column, query or common table expression uses a synonym."""
    ruled_out = synonyms()
    files = [*modules("functions"), *sorted(ROOT.glob("sql/**/*.sql")), *sorted(ROOT.glob("supabase/schemas/*.sql"))]
    found = [fault for path in files for fault in _faults(path, ruled_out)]
    assert not found, "\n".join(found)


def test_glossary__has_its_terms() -> None:
    """Each term stands once, and there are enough of them to cover the product."""
    found = terms()
    assert len(found) == len(set(found))
    assert len(found) >= MIN_TERMS
    assert not synonyms().keys() & set(found)


@pytest.mark.parametrize(
    "name, term",
    [
        ("dedupe_rows", "merging"),
        ("CuratorRun", "consolidation"),
        ("hold_profile", "advisory lock"),
        ("GivenRow", "parameters"),
    ],
)
def test_names__a_planted_synonym_is_found(name: str, term: str) -> None:
    """The check above can fail, and names the term."""
    assert any(f"“{term}”" in fault for fault in wrong_words(name, synonyms()))


def test_sql_names__are_found() -> None:
    """A query, a common table expression, a column, a function, a trigger and a setting are all read."""
    text = (
        "-- name: hold_rows\nwith told as (select 1),\nmeant as (select 2)\nselect 1\n"
        "create table keepsake.notes (\n  given text not null\n);\n"
        "create function keepsake.fate() returns trigger\ncreate trigger gone before update\n"
        "perform set_config('keepsake.circle', 'on', true)\n"
    )
    assert set(sql_names(text)) >= {"hold_rows", "told", "meant", "given", "fate", "gone", "circle"}


def test_names__a_term_is_no_fault() -> None:
    """A word that only contains a synonym is not one."""
    assert not wrong_words("threshold_of_claim", synonyms())
