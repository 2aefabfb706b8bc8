"""The sections of a context beside memories, without what another section or a memory says already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from keepsake.domain.context.escaping import quote_text
from keepsake.domain.context.outline import Outline
from keepsake.domain.context.repeated_statements import leave_out, normalize_statement, statements_of
from keepsake.domain.context.selection import SelectedMemory

SECTION_LENGTH = 800
"""Characters of one section: with the frame they fit into half of the budget."""


class SectionKind(Enum):
    """What may be left out of a section."""

    ANSWER = auto()
    """The summary that the message asked for: it stays whole, and nothing else repeats it."""
    SUMMARY = auto()
    """A summary that is shown unasked: without what stands elsewhere."""
    TODO = auto()
    """It stays whole, and no summary repeats it."""
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its title, and what it says; None where there is nothing to list."""

    title: str
    content: Outline | None
    kind: SectionKind = SectionKind.OTHER
    limit: int | None = SECTION_LENGTH
    """Characters of what it says; None where it has been cut to its room."""

    @property
    def line(self) -> str:
        """The section as it stands in a context."""
        text = "none is stored." if self.content is None else quote_text(self.content.text, self.limit)
        return f"{self.title}: {text}"


def without_repetitions(
    sections: Sequence[Section], chosen: Sequence[SelectedMemory], own_lines: Sequence[str] = ()
) -> tuple[list[Section], list[SelectedMemory]]:
    """The sections, and the memories that need a line of their own: each thing is said once.

    ``own_lines`` are statements that other lines of the context say. A memory that may no longer hold always has its
    line, which says so.
    """
    if not sections:
        return [], list(chosen)
    answered = _statements(sections, SectionKind.ANSWER)
    shown = [one for one in chosen if one.memory.doubted_at or normalize_statement(one.memory.text) not in answered]
    elsewhere = map(normalize_statement, (*(one.memory.text for one in shown), *own_lines))
    said = {*answered, *_statements(sections, SectionKind.TODO), *elsewhere} - {""}
    kept = []
    for section in sections:
        if section.kind is not SectionKind.SUMMARY or section.content is None:
            kept.append(section)
        elif left := leave_out(section.content, said):
            kept.append(replace(section, content=left))
            said |= statements_of(left)
    return kept, shown


def _statements(sections: Sequence[Section], kind: SectionKind) -> frozenset[str]:
    contents = (one.content for one in sections if one.kind is kind and one.content is not None)
    return frozenset[str]().union(*map(statements_of, contents))
