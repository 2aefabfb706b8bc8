"""Finds possessive repetitions that Python before 3.11.5 matches wrongly.

There, a repetition of more than one character such as ``(?:ab?)*+`` may return to the wrong position
(https://github.com/python/cpython/issues/106052). An atomic group around the same repetition, ``(?>(?:ab?)*)``, means
the same and is matched rightly by every version.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)


def misread(pattern: str, flags: int = 0) -> list[str]:
    """What the pattern repeats possessively and is more than one character."""
    bodies = _repeated_possessively(parser.parse(pattern, flags))
    return [str(body) for body in bodies if len(body) != 1 or body[0][0] not in _SINGLE]


def _repeated_possessively(part: Any) -> Iterator[Any]:
    if isinstance(part, parser.SubPattern):
        for operator, argument in part:
            if operator is op.POSSESSIVE_REPEAT:
                yield argument[2]
            yield from _repeated_possessively(argument)
    elif isinstance(part, (tuple, list)):
        for inner in part:
            yield from _repeated_possessively(inner)
