"""Modules and functions stay small enough to be read at one go, and each module says what it is."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.architecture.source import (
    MAX_FUNCTION_LINES,
    MAX_MODULE_LINES,
    MAX_PARAMETERS,
    MAX_PUBLIC_NAMES,
    PACKAGE,
    ROOT,
    functions_of,
    length,
    modules,
    parameters,
    public_names,
)

EVERYTHING = modules("functions", "tests", "bench")
# Modules with more than five public names, each with the reason why they are not split.
_STORE = "one subject, one function a query of its file"
_WIRE = "one function's requests and answers, nested models included"
MANY_OPTIONS: Mapping[str, str] = {"adopt": "a command, whose parameters are its options"}
MANY_NAMES: Mapping[str, str] = {
    "cli/operator_commands.py": "one function a command",
    "contracts/compare_yearly_patterns.py": _WIRE,
    "contracts/import_memories.py": _WIRE,
    "contracts/inject_memory.py": _WIRE,
    "contracts/manage_user_memory.py": _WIRE,
    "domain/commands/match_subject.py": "what a subject matches, and the search that finds all it can match",
    "domain/agent/authority.py": "one question, asked of one memory or of many",
    "domain/model_availability.py": "the states of an endpoint, and the decision that each leads to",
    "domain/context/scoring.py": "the score and its parts, which its tests compare one by one",
    "domain/english/classifiers.py": "the features of words, and the weights of each kind of classifier",
    "domain/english/inflection.py": "one function a form",
    "domain/english/lemmas.py": "one function a question to the dictionary",
    "domain/english/third_person.py": "the steps by which a clause becomes the text of a memory",
    "domain/extraction/member_fields.py": "one reader a field of a reply",
    "domain/english/grammar/word_forms.py": "what is asked of a single word",
    "domain/reading/message/previous_messages.py": "what is asked of the messages before",
    "domain/reading/clauses/clause_filters.py": "one filter a kind of clause",
    "domain/memory.py": "the vocabulary of every other module",
    "domain/merging/decisions.py": "one class a decision",
    "domain/screening/screen.py": "one question, asked of a candidate, a text and a name",
    "domain/text.py": "the forms in which texts are compared",
    "errors.py": "one class an error",
    "operations/migrate.py": "what is done with the migrations of one database",
    "infra/models/chat_reply_parser.py": "one class a kind of reply",
    "jobs/payloads.py": "one payload a job",
    "local/servers/npm_packages.py": "Node.js and what npm installs",
    "operations/environment.py": "one function a group of settings",
    "store/explanations.py": "one class a kind of row, and its query",
    "store/agent_tool.py": _STORE,
    "store/chat_commands.py": _STORE,
    "store/conversation_summaries.py": _STORE,
    "store/participant_choices.py": _STORE,
    "store/persona_rolling_summaries.py": _STORE,
    "store/embeddings.py": _STORE,
    "store/erasure_scope.py": _STORE,
    "store/turns_during_erasure.py": _STORE,
    "store/extractions.py": _STORE,
    "store/imports.py": _STORE,
    "store/injections.py": _STORE,
    "store/locks.py": "every lock, so that the lock order is on one page",
    "store/memories.py": _STORE,
    "store/model_health.py": _STORE,
    "store/pending_operations.py": _STORE,
    "store/retention.py": _STORE,
    "store/merged_context_cache.py": _STORE,
    "store/sessions.py": _STORE,
    "store/summaries.py": _STORE,
    "store/summary_schedule.py": _STORE,
    "store/turns.py": _STORE,
    "store/unscreened_edits.py": _STORE,
    "domain/summaries/phrases.py": "one function a kind of phrase",
    "domain/summaries/compose_sentences.py": "the sentences that a summary is made of, and the words for dates in them",
    "usecases/turns/extract_claimed_turn.py": "the steps by which a turn ends, alone or among several",
    "usecases/extraction/proposals.py": "what a proposal is, and the two ways to one by rules",
}


def faults(path: Path, text: str) -> list[str]:
    """What in one module is too long, or unsaid."""
    tree = ast.parse(text)
    found = [
        f"{path}:{function.lineno} {function.name} has {length(function)} lines"
        for function in functions_of(tree)
        if length(function) > MAX_FUNCTION_LINES
    ]
    if (lines := text.count("\n")) > MAX_MODULE_LINES:
        found.append(f"{path} has {lines} lines")
    sentence = (ast.get_docstring(tree) or "").split("\n\n")[0].strip()
    if text.strip() and not sentence.endswith((".", "?", ":")):
        found.append(f"{path} does not open with a sentence that says what it is")
    return found


def test_modules__are_small_and_say_what_they_are() -> None:
    """No module over 300 lines, no function over 50, a first sentence in each."""
    found = [fault for path in EVERYTHING for fault in faults(path.relative_to(ROOT), path.read_text())]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text, fault",
    [
        ('"""A sentence."""\n' + "x = 1\n" * 300, "has 301 lines"),
        ('"""A sentence."""\ndef f():\n' + "    x = 1\n" * 50, "f has 51 lines"),
        ("x = 1\n", "does not open with a sentence"),
        ('"""no sentence"""\n', "does not open with a sentence"),
    ],
)
def test_modules__a_planted_fault_is_found(text: str, fault: str) -> None:
    """The check above can fail."""
    assert any(fault in found for found in faults(Path("planted.py"), text))


def test_functions__have_few_parameters() -> None:
    """More than eight parameters are a value without a name."""
    found = [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name} has {parameters(function)} parameters"
        for path in modules("functions")
        for function in functions_of(ast.parse(path.read_text()))
        if parameters(function) > MAX_PARAMETERS and function.name not in MANY_OPTIONS
    ]
    assert not found, "\n".join(found)


def test_modules__offer_few_names() -> None:
    """More than five public names need a reason, and a reason that is not needed is removed."""
    offered = {
        path.relative_to(PACKAGE).as_posix(): len(public_names(ast.parse(path.read_text())))
        for path in modules("functions/keepsake")
    }
    many = {module for module, count in offered.items() if count > MAX_PUBLIC_NAMES}
    assert many - MANY_NAMES.keys() == set()
    assert MANY_NAMES.keys() - many == set()


def test_names_and_parameters__are_counted() -> None:
    """The two checks above can fail."""
    tree = ast.parse("class A:\n    def f(self, a, /, b, *, c): ...\ndef g(): ...\ndef _h(): ...\n")
    assert public_names(tree) == ["A", "g"]
    assert [parameters(function) for function in functions_of(tree)] == [0, 0, 3]
