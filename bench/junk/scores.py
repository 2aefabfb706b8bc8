"""What measuring a set gives: figures under their names, and the lines that came out wrong."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Failure:
    """A line of data that came out wrong, and how."""

    id: str
    said: str
    why: str
    came_out: str


@dataclass(slots=True)
class Score:
    """The figures of one set: by row of its table, then by column."""

    title: str
    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)


def share(part: int, whole: int) -> str:
    """A share with three places, or a dash where there is nothing to share."""
    return f"{part / whole:.3f}" if whole else "-"
