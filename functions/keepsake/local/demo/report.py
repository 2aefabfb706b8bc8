"""The look of the demo's report: headings, tables and lines that read well in 100 columns, in colour or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 100


class Report:
    """Prints the demo part by part and keeps count of the expectations that held and that did not."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or _console()
        self._parts = 0
        self.held: list[str] = []
        self.failed: list[str] = []

    def part(self, title: str, intro: str) -> None:
        """Begin a part with its number, its name and a sentence of what is to be seen."""
        self._parts += 1
        self._console.print()
        self._console.print(Text(f"{self._parts}  {title}", style="bold"))
        self._console.print(Text(intro, style="dim"))
        self._console.print()

    def line(self, text: str = "", style: str = "") -> None:
        """Print one plain line, or an empty one."""
        self._console.print(Text(text, style=style))

    def code(self, text: str) -> None:
        """Print what was executed, so that it can be done again by hand."""
        self._hang(Text("  "), Text("    "), Text(text, style="cyan"))

    def table(self, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[str]]) -> None:
        """Print a table; each column says its heading and its share of the width (0: as narrow as its content)."""
        table = Table(box=SIMPLE_HEAD, width=WIDTH, pad_edge=False, header_style="bold", show_edge=False)
        for heading, share in columns:
            table.add_column(heading, ratio=share or None, no_wrap=not share)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self._console.print(table)
        self._console.print()

    def block(self, text: str) -> None:
        """Print a text exactly as it is, with a line at its left."""
        bar = Text("  │ ", style="dim")
        for line in text.splitlines():
            self._hang(bar, bar, Text(line))
        self._console.print()

    def expect(self, text: str, holds: bool) -> None:  # noqa: FBT001  (the sentence before it names the flag)
        """State an expectation and whether it held."""
        (self.held if holds else self.failed).append(text)
        mark = Text("  ✓ ", style="green") if holds else Text("  ✗ ", style="bold red")
        self._hang(mark, Text("    "), Text(text, style="" if holds else "bold"))

    def _hang(self, first: Text, rest: Text, text: Text) -> None:
        """Print a text behind a mark, its further lines behind another of the same width."""
        for place, line in enumerate(text.wrap(self._console, self._console.width - 5) or [Text()]):
            line.rstrip()
            self._console.print((rest if place else first) + line)


def _console() -> Console:
    console = Console(highlight=False)
    return Console(highlight=False, width=min(WIDTH, console.width) if console.is_terminal else WIDTH)
