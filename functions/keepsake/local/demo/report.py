"""Prints the demo's report: headings, tables and expectations in at most 100 columns, with or without colors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 100
CONFIDENCE = "Conf."
"""The heading of a memory's confidence."""
MIN_WIDE = 90
"""Columns from which on every detail has its place; a terminal has 80 at first."""
ONLY_WIDE = frozenset({CONFIDENCE})
"""Columns that a narrow table leaves out."""


class Report:
    """Prints the demo section by section, and collects the expectations that were met and that were not."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or _default_console()
        self._sections = 0
        self.met: list[str] = []
        self.failed: list[str] = []

    def section(self, title: str, introduction: str) -> None:
        """Print a numbered heading and a sentence on what follows."""
        self._sections += 1
        for text in ("", Text(f"{self._sections}  {title}", style="bold"), Text(introduction, style="dim"), ""):
            self._console.print(text)

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line, or an empty one."""
        self._console.print(Text(text, style=style))

    def code(self, text: str) -> None:
        """Print a call that was made, so that it can be repeated by hand."""
        self._print_hanging(Text("  "), Text("    "), Text(text, style="cyan"))

    @property
    def is_narrow(self) -> bool:
        """Whether the terminal has too few columns for what is only of interest beside the rest."""
        return self._console.width < MIN_WIDE

    def table(self, columns: Sequence[tuple[str, int]], rows: Iterable[Sequence[str]]) -> None:
        """Print a table; a column has a heading and a share of the width (0: as narrow as its content)."""
        table = Table(box=SIMPLE_HEAD, width=self._console.width, pad_edge=False, header_style="bold", show_edge=False)
        shown = [n for n, (heading, _) in enumerate(columns) if not (self.is_narrow and heading in ONLY_WIDE)]
        for heading, share in (columns[n] for n in shown):
            table.add_column(heading, ratio=share or None, no_wrap=not share)
        for row in rows:
            table.add_row(*(Text(row[n]) for n in shown))
        with self._console.capture() as printed:
            self._console.print(table)
        for line in printed.get().splitlines():
            self._console.print(Text.from_ansi(line.rstrip()))
        self._console.print()

    def block(self, text: str) -> None:
        """Print a text unchanged, with a bar at its left."""
        bar = Text("  │ ", style="dim")
        for line in text.splitlines():
            self._print_hanging(bar, bar, Text(line))
        self._console.print()

    def expect(self, text: str, is_met: bool) -> None:  # noqa: FBT001  (the sentence before it names the flag)
        """Print an expectation and whether it is met."""
        (self.met if is_met else self.failed).append(text)
        mark = Text("  ✓ ", style="green") if is_met else Text("  ✗ ", style="bold red")
        self._print_hanging(mark, Text("    "), Text(text, style="" if is_met else "bold"))

    def _print_hanging(self, first: Text, rest: Text, text: Text) -> None:
        """Print a text after a mark, and its further lines after another of the same width."""
        for i, line in enumerate(text.wrap(self._console, self._console.width - 5) or [Text()]):
            line.rstrip()
            printed = (rest if i else first) + line
            printed.rstrip()
            self._console.print(printed)


def _default_console() -> Console:
    console = Console(highlight=False)
    return Console(highlight=False, width=min(WIDTH, console.width) if console.is_terminal else WIDTH)
