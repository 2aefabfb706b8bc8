"""A first-in, first-out queue of values that moves to a temporary file when it gets large."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import Generic, TypeVar

MAX_MEMORY_BYTES = 4 * 1024 * 1024
"""Bytes beyond which values go to the disk."""

Value = TypeVar("Value")


class DiskQueue(Generic[Value]):
    """A queue that is first written completely and then read once."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES)  # noqa: SIM115 (closed with the spool)
        self._reading = False

    def close(self) -> None:
        """Delete all values."""
        self._file.close()

    def write(self, values: Iterable[Value]) -> None:
        """Append values."""
        for value in values:
            pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)

    def read(self, count: int) -> list[Value]:
        """Return the next values, at most ``count``; an empty list at the end."""
        if not self._reading:
            self._file.seek(0)
            self._reading = True
        values: list[Value] = []
        try:
            while len(values) < count:
                values.append(pickle.load(self._file))  # noqa: S301 (our own values, in a file nobody else can open)
        except EOFError:
            pass
        return values
