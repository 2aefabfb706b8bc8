"""The forms of chat commands, one file a language in ``languages/``, and the command that a sentence is by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from keepsake.domain.english.patterns.pattern_file import read_row, read_toml
from keepsake.domain.english.patterns.phrase_forms import Form, FormReader, find_at
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.named_words import CHECKS, STATEMENTS, subject_of, with_verb_second


class CommandError(ValueError):
    """A file of commands that cannot be used; the message names the file and the command."""


class Token(NamedTuple):
    """A word or a mark of a sentence, in lower case and without a typing error, and where it stands."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CommandForm:
    """Ways to say a command, with messages that are this command and messages that are not."""

    language: str
    kind: Kind
    forms: tuple[Form, ...]
    finds: tuple[str, ...]
    ignores: tuple[str, ...]
    is_polite: bool = False
    """Whether only a sentence with a polite word is this command."""
    is_alone: bool = False
    """Whether nothing may stand around it."""
    takes_rest: bool = False
    """Whether the rest of the message belongs to the statement."""
    is_ambiguous: bool = False
    is_confirmation: bool = False

    @property
    def beginnings(self) -> frozenset[str]:
        """The words of which a sentence that is this command has one at its beginning."""
        return frozenset(word for form in self.forms for word in form.beginnings or ())

    def match(self, tokens: Sequence[Token], sentence: str, rest: str = "") -> Command | None:
        """The command of the tokens of a sentence, if they have one of the forms; ``rest`` is the text after it."""

        def text(start: int, end: int) -> str:
            return sentence[tokens[start].start : tokens[end - 1].end]

        words = [token.word for token in tokens]
        for found in find_at(self.forms, words, lambda slot, *span: CHECKS[slot](text(*span))):
            if found.end == len(words):
                return self._command({slot: text(*span) for slot, span in found.slots.items()}, rest)
        return None

    def _command(self, said: Mapping[str, str], rest: str) -> Command:
        slot, named = next(iter(said.items()), ("", ""))
        statement = with_verb_second(named) if slot == "clause" else named
        return Command(
            self.kind,
            subject=subject_of(named) if slot and slot not in STATEMENTS else None,
            statement=f"{statement}{rest if self.takes_rest else ''}" if slot in STATEMENTS else None,
            is_ambiguous=self.is_ambiguous,
            is_confirmation=self.is_confirmation,
            language=self.language,
        )


def read_command_forms(name: str, table: Mapping[str, Any]) -> Iterator[CommandForm]:
    """The forms of one language. Raises CommandError."""
    reader = FormReader(table.get("lists", {}), frozenset(CHECKS))
    for number, row in enumerate(table.get("command", ()), start=1):
        try:
            kind, forms = Kind(row["kind"]), reader.read(row["forms"])
            yield read_row(CommandForm, row, language=name.removesuffix(".toml"), kind=kind, forms=forms)
        except (KeyError, ValueError) as fault:
            raise CommandError(f"{name}, command {number}: {fault}") from fault


def _load_forms() -> Iterator[CommandForm]:
    folder = files(__package__).joinpath("languages")
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml")):
        yield from read_command_forms(name, read_toml(f"languages/{name}", __package__))


FORMS = tuple(_load_forms())
"""The forms of all languages, in the order of their files."""
