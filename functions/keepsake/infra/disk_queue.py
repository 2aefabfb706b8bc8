"""Values put aside until they are needed: a few in memory, many in a temporary file that nobody else can open."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from tempfile import SpooledTemporaryFile
from typing import Generic, TypeVar

MAX_MEMORY_BYTES = 4 * 1024 * 1024
"""Bytes beyond which values go to the disk."""

Value = TypeVar("Value")


class DiskQueue(Generic[Value]):
    """Written from the start to the end, then read from the start to the end."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES)  # noqa: SIM115 (closed with the spool)
        self._reading = False

    def close(self) -> None:
        """Forget everything."""
        self._file.close()

    def write(self, values: Iterable[Value]) -> None:
        """Put values behind the others."""
        for value in values:
            pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)

    def read(self, count: int) -> list[Value]:
        """The next values, at most so many; none once all were read."""
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
