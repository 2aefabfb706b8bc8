"""The language in which rules say what they match, and its translation into regular expressions.

    I [really|still]* (like|love) <object> [very much]

Words stand for themselves; ``(a|b)`` are alternatives, ``[a|b]`` may be left out, ``[a|b]*`` may also be repeated.
``<object>`` is a slot for any text, ``<age: {number}>`` one for what is written there; ``{pets}`` is one of a named
list, ``!(a|b)`` forbids words at this place, and ``...`` is whatever else the clause says. What may be left out takes
the blank before it along, or at the beginning the one behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from keepsake.domain.english.load_word_lists import check_pattern_length

_LITERAL = re.compile(r"[^\W_]|[ '.,:/&$£€-]")
_NAME = re.compile(r"[a-z]\w*")
_ANY_TEXT = ".{2,250}?"


class Lists:
    """Named lists: regular expressions, and lists of patterns in this language, which may name one another."""

    def __init__(self, expressions: Mapping[str, str], patterns: Mapping[str, str | Sequence[str]]) -> None:
        self._known = dict(expressions)
        self._patterns = patterns
        self._open: list[str] = []

    def __getitem__(self, name: str) -> str:
        """The regular expression of a list. Raises PatternError where there is none, or it would contain itself."""
        if name not in self._known:
            if name in self._open or name not in self._patterns:
                raise PatternError(f"the list {name} {'contains itself' if name in self._open else 'does not exist'}")
            self._open.append(name)
            entries = self._patterns[name]
            parts = [translate(entry, self) for entry in ([entries] if isinstance(entries, str) else entries)]
            self._known[name] = "|".join(parts)
            self._open.pop()
        return self._known[name]


class PatternError(ValueError):
    """A pattern that is not in the language; the message says what is wrong and where."""


def translate(pattern: str, lists: Lists) -> str:
    """The regular expression of a pattern. Raises PatternError."""
    translation = _Translation(check_pattern_length(pattern), lists)
    result = translation.alternatives()
    translation.end()
    return result


class _Translation:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str, lists: Lists) -> None:
        self._pattern = pattern
        self._lists = lists
        self._at = 0

    def end(self) -> None:
        if self._rest():
            raise self._error("what is closed here was never opened")

    def alternatives(self) -> str:
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        return "|".join(branches)

    def _sequence(self) -> str:
        parts: list[str] = []
        is_beginning = True
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)]>":
            if self._take("["):
                parts.append(self._optional(parts, is_beginning=is_beginning))
                is_beginning = is_beginning and parts[-1].endswith((" )?", " )*"))
            else:
                parts.append(self._part())
                is_beginning = is_beginning and parts[-1].startswith("(?!")
        return "".join(parts)

    def _optional(self, parts: list[str], *, is_beginning: bool) -> str:
        body = f"(?:{self._closed_by(']')})"
        times = "*" if self._take("*") else "?"
        if body == "(?:,)":
            return f",{times}"
        if parts and parts[-1] == " " and not self._rest()[:1].isalnum():
            parts.pop()
            return f"(?: {body}){times}"
        if is_beginning and self._take(" "):
            return f"(?:{body} ){times}"
        return body + times

    def _part(self) -> str:
        if self._take("..."):
            before = self._pattern[: self._at - 3]
            return r"\b.*" if before[-1:].isalnum() or before.endswith((")", "}", "]", ">", ": ")) else ".*"
        if self._take("!("):
            return rf"(?!(?:{self._closed_by(')')})\b)"
        if self._take("("):
            return f"(?:{self._closed_by(')')})"
        if self._take("{"):
            return self._list()
        if self._take("<"):
            return self._slot()
        if not (literal := _LITERAL.match(self._pattern, self._at)):
            raise self._error("unknown character")
        self._at = literal.end()
        return literal[0] if literal[0] == " " else re.escape(literal[0])

    def _list(self) -> str:
        name = self._name()
        if not self._take("}"):
            raise self._error("} is missing")
        return f"(?:{self._lists[name]})"

    def _slot(self) -> str:
        name = self._name()
        if self._take(">"):
            return f"(?P<{name}>{_ANY_TEXT})"
        if not self._take(": "):
            raise self._error("> is missing")
        return f"(?P<{name}>{self._closed_by('>')})"

    def _name(self) -> str:
        if not (name := _NAME.match(self._pattern, self._at)):
            raise self._error("a name is missing")
        self._at = name.end()
        return name[0]

    def _closed_by(self, mark: str) -> str:
        body = self.alternatives()
        if not self._take(mark):
            raise self._error(f"{mark} is missing")
        return body

    def _take(self, mark: str) -> bool:
        if not self._pattern.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def _rest(self) -> str:
        return self._pattern[self._at :]

    def _error(self, problem: str) -> PatternError:
        return PatternError(f"{problem} at {self._rest()[:12]!r}")
