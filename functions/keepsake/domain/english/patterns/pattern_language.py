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

_LIST = re.compile(r"\{([a-z]\w*)\}")
_SLOT = re.compile(r"<([a-z]\w*)(>|: )")
_MARKS = frozenset(" '.,:/&$£€-")
"""What stands for itself besides letters and digits."""
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
    return _Translation(check_pattern_length(pattern), lists).alternatives("")


class _Translation:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str, lists: Lists) -> None:
        self._pattern = pattern
        self._lists = lists
        self._at = 0

    def alternatives(self, closing: str) -> str:
        """The alternatives up to the mark that closes them, or to the end of the pattern."""
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        if closing and not self._take(closing):
            raise self._error(f"{closing} is missing")
        if not closing and self._rest():
            raise self._error("what is closed here was never opened")
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
        body = f"(?:{self.alternatives(']')})"
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
            return rf"(?!(?:{self.alternatives(')')})\b)"
        if self._take("("):
            return f"(?:{self.alternatives(')')})"
        if named := _LIST.match(self._pattern, self._at):
            self._at = named.end()
            return f"(?:{self._lists[named[1]]})"
        if slot := _SLOT.match(self._pattern, self._at):
            self._at = slot.end()
            return f"(?P<{slot[1]}>{_ANY_TEXT if slot[2] == '>' else self.alternatives('>')})"
        literal = self._pattern[self._at]
        if not (literal.isalnum() or literal in _MARKS):
            raise self._error("no word, list or slot")
        self._at += 1
        return literal if literal == " " else re.escape(literal)

    def _take(self, mark: str) -> bool:
        if not self._pattern.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def _rest(self) -> str:
        return self._pattern[self._at :]

    def _error(self, problem: str) -> PatternError:
        return PatternError(f"{problem} at {self._rest()[:12]!r}")
