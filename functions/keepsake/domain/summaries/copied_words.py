"""Whether a statement copies too much of a message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MAX_COPIED = 8
"""Words of a message that a summary says in a row."""

Runs = frozenset[tuple[str, ...]]


def find_runs(messages: Iterable[Sequence[str]]) -> Runs:
    """The runs of words of messages that are too long to be copied."""
    return frozenset(run for tokens in messages for run in _runs(tokens))


def is_copy(tokens: Sequence[str], runs: Runs) -> bool:
    """Whether a statement has one of these runs."""
    return any(run in runs for run in _runs(tokens))


def _runs(tokens: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return (tuple(tokens[at : at + MAX_COPIED + 1]) for at in range(len(tokens) - MAX_COPIED))
