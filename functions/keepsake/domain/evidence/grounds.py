"""Grounds: the texts that a statement may rest on, and in which language it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

_CODES = {"nb": "no", "nn": "no", "fil": "tl", "iw": "he", "in": "id", "bs": "hr"}


@dataclass(frozen=True, slots=True)
class Said:
    """A text, and the day on which it was said, in the time zone of whoever said it."""

    text: str
    on: date | None = None


@dataclass(frozen=True)
class Grounds:
    """The texts that may say what a statement says.

    Numbers, dates and names may come from ``said``. ``named`` are further texts that names alone may come from, such
    as memories about the same people. ``language`` is that of the statement, as ISO 639-1; empty where nobody knows.
    """

    said: Sequence[Said]
    named: Sequence[str] = field(default=())
    language: str = ""

    @cached_property
    def text(self) -> str:
        """Everything that was said."""
        return "\n".join(one.text for one in self.said)

    @cached_property
    def code(self) -> str:
        """The language without a region, as the word lists name it."""
        code = self.language.casefold().partition("-")[0]
        return _CODES.get(code, code)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages whose words may occur; empty for all."""
        return frozenset({self.code, "en"}) if self.code else frozenset()
