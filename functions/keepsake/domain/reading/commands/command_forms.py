"""The forms of chat commands, one file a language in ``languages/``, and the command that a sentence is by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.patterns.pattern_file import read_row, read_toml
from keepsake.domain.english.patterns.pattern_language import Lists, translate
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.text import words

_EXPRESSIONS = {
    "subject": r"[^,;:?!\n]{1,80}?",
    "own_thing": r"(?!.{0,60}\b(?:and|again|or|but|then|if|because|when|so)\b)[^,;:?!\n]{1,60}?",
    "bare": r"[\w'-]{3,30}(?: [\w'-]{2,30}){0,2}",
    "reference": r"m-\d{1,9}",
    "clause": r"[^,;:?!\n]{3,200}?",
    "statement": r"[^\n]{4,300}?",
    "text": r".+",
    "anything": r"\S++ .+",
    "word": r"[\w-]{1,40}",
    "name": r"(?-i:[A-ZÀ-ÖØ-Þ])[\w-]{1,40}",
    "opening": r"(?: that|[:,]){1,3}",
    "gap": r"\W{1,5}",
}
"""What the patterns of all languages may name."""
_STATES, _TONES = frozenset({"", "self", "anybody"}), frozenset({"", "polite", "plain"})
_GROUP = re.compile(r"\(\?P<([a-z]+)>")
_MARKS_AROUND = " .\"'“”„"
_SECTIONS = load_sections("subjects", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_MAX_SUBJECT_WORDS = 8


class CommandError(ValueError):
    """A file of commands that cannot be used; the message names the file and the command."""


@dataclass(frozen=True, slots=True)
class CommandForm:
    """One way to say a command, with messages that are this command and messages that are not."""

    language: str
    kind: Kind
    pattern: str
    finds: tuple[str, ...]
    ignores: tuple[str, ...]
    statement: str = ""
    """What to remember, put together from the slots; empty where it is a slot itself."""
    states: str = ""
    """Of whom what it names has to state something: of the author (``self``), or also of ``anybody`` it names."""
    tone: str = ""
    """Whether only a sentence that is ``polite``, or only a ``plain`` one, is this command."""
    is_unstripped: bool = False
    """Whether it is looked for before what is polite is removed from the sentence."""
    takes_rest: bool = False
    """Whether the rest of the message belongs to the statement."""
    is_ambiguous: bool = False
    is_confirmation: bool = False

    def command(self, said: Mapping[str, str], rest: str) -> Command | None:
        """The command whose slots were said; None where what it names can be no subject, or states nothing."""
        subject = said["subject"].strip(_MARKS_AROUND) if "subject" in said else None
        statement = self.statement.format(**said) if self.statement else said.get("statement")
        if subject is not None and not _may_be_subject(subject):
            return None
        stated = subject or statement or ""
        is_by_others = self.states == "anybody" and _is_of_others(stated)
        if self.states and not (is_by_others or is_own_statement(stated)):
            return None
        return Command(
            self.kind,
            subject=subject,
            statement=f"{statement}{rest}" if self.takes_rest else statement,
            is_ambiguous=self.is_ambiguous,
            is_confirmation=self.is_confirmation,
            language=self.language,
        )


class FormTable:
    """Forms that a sentence is compared with at once: one expression, in which each form is a group."""

    def __init__(self, forms: Iterable[CommandForm]) -> None:
        self.forms = tuple(forms)
        numbered = (_GROUP.sub(rf"(?P<\g<1>{n}>", form.pattern) for n, form in enumerate(self.forms))
        self.pattern = re.compile("|".join(f"(?P<form{n}>{one})" for n, one in enumerate(numbered)), re.IGNORECASE)

    def match(self, sentence: str, rest: str = "") -> Command | None:
        """The command of a sentence, by the first form that it has; ``rest`` is the text of the message after it."""
        match = self.pattern.fullmatch(sentence)
        if match is None:
            return None
        number = str(match.lastgroup).removeprefix("form")
        said = {name.removesuffix(number): value.strip() for name, value in match.groupdict().items() if value}
        return self.forms[int(number)].command(said, rest)


def read_command_forms(name: str, table: Mapping[str, Any]) -> Iterator[CommandForm]:
    """The forms of one language. Raises CommandError."""
    lists = Lists(_EXPRESSIONS, table.get("lists", {}))
    for number, row in enumerate(table.get("command", ()), start=1):
        try:
            yield _form(row, lists, name.removesuffix(".toml"))
        except (KeyError, ValueError) as fault:
            raise CommandError(f"{name}, command {number}: {fault}") from fault


def _form(row: Mapping[str, Any], lists: Lists, language: str) -> CommandForm:
    if row.get("states", "") not in _STATES or row.get("tone", "") not in _TONES:
        raise ValueError("unknown states or tone")
    said = [row["pattern"]] if isinstance(row["pattern"], str) else row["pattern"]
    pattern = "|".join(translate(one, lists) for one in said)
    return read_row(CommandForm, row, language=language, kind=Kind(row["kind"]), pattern=pattern)


def _load_forms() -> Iterator[CommandForm]:
    folder = files(__package__).joinpath("languages")
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml")):
        yield from read_command_forms(name, read_toml(f"languages/{name}", __package__))


FORMS = tuple(_load_forms())
"""The forms of all languages, in the order of their files."""


def _may_be_subject(said: str) -> bool:
    """Whether memories may be about what was said: no pronoun, nothing that holds today only, no second request."""
    lowered, split = said.casefold(), said.split()
    return (
        0 < len(split) <= _MAX_SUBJECT_WORDS
        and lowered not in _WORDS["no_subjects"]
        and split[-1].casefold() not in _WORDS["last_words_of_no_subject"]
        and not any(phrase in lowered for phrase in _SECTIONS["not_in_a_subject"])
        and all(_may_be_joined(after) for before, after in pairwise(split) if before.casefold() == "and")
    )


def _may_be_joined(word: str) -> bool:
    """Whether a word after "and" goes on with the subject, and does not begin another clause."""
    return word != "I" and (word[0].isupper() or word in _WORDS["joined"])


def is_own_statement(text: str) -> bool:
    """Whether a sentence states something about its author."""
    first, *others = text.casefold().partition(",")[0].split() or [""]
    if first in _WORDS["first_person"]:
        return bool(others) and others[0] not in _WORDS["asides"] and not text.endswith(_SECTIONS["endearments"])
    return first in _WORDS["possessives"] and any(map(_is_verb, others[1:5]))


def _is_of_others(text: str) -> bool:
    """Whether a sentence states something about a person whom it names, and claims nothing of the world."""
    said = {word.partition("'")[0] for word in words(text)}
    first, *others = text.casefold().split() or [""]
    return (
        (text[:1].isupper() or not said.isdisjoint(_WORDS["author"]))
        and said.isdisjoint(_WORDS["claims"])
        and first.partition("'")[0] not in _WORDS["not_a_name"]
        and not _WORDS["verbs_of_others"].isdisjoint(others[:4])
    )


def _is_verb(word: str) -> bool:
    """Whether a word may be the verb after "my …"."""
    bare = word.rstrip(".,:;!?")
    return bare in _WORDS["verbs_of_own"] or (bare.isalpha() and len(bare) > 2 and bare.endswith(("s", "ed")))
