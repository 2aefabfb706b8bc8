"""Attacks whatever reads foreign text with texts made to be slow: a beginning, a part over and over, an end.

Each text is read at 25 and at 100 kB, as its reader is called: with what is cut before it is cut. The table shows by
reader the longest time and the growth of time from the one size to the other; four times is linear.
"""

from __future__ import annotations

import argparse
import json
import random
import string
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from keepsake.domain import text
from keepsake.domain.commands.statement_to_memory import parse_statement
from keepsake.domain.context import escaping, query
from keepsake.domain.entities import entity
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.persona_scope import is_private_to_persona
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.reading.commands.recognize import recognize
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.is_stated import is_stated, no_result_reason
from keepsake.domain.reading.statements.key_of_text import key_of
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.screening.instructions import addresses_model, is_prompt_injection
from keepsake.domain.screening.named_secrets import mentions_credential
from keepsake.domain.screening.screen import screen
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.transfer.csv_format import rows_of_csv
from keepsake.domain.transfer.json_reader import MalformedFile, rows_of_json

SMALL, LARGE = 25_000, 100_000
MOST_GROWTH, MOST_SECONDS = 5.0, 0.2
MEASURABLE = 0.02
"""Seconds below which a growth says more of the clock than of the reader."""
_QUERY, _QUOTE = 4_000, 2_000
"""As much of a message as is searched with, and as a quote may have."""
SAID_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)


def _whole(said: str) -> str:
    return text.truncate_at_sentence(said)[0]


def _reply(said: str) -> object:
    member = {
        "type": "fact", "subtype": "other", "text": said[:400], "about": "self", "attribute": said[:80], "value": "x",
        "many": False, "quote": said[:400], "confidence": 0.8, "importance": 1, "relation": "new", "number": None,
        "entity": None, "language": "en", "astro_context": None,
    }  # fmt: skip
    try:
        return read_reply(json.dumps({"memories": [member]}), GroundingSources(_whole(said)))
    except InvalidReply:
        return None


def _screened(said: str) -> object:
    candidate = Candidate(MemoryType.FACT, Subtype.OTHER, said[:MAX_TEXT_LENGTH], said[:MAX_TEXT_LENGTH], 0.8)
    return screen(candidate, message=_whole(said))


def _json(said: str) -> object:
    try:
        return list(rows_of_json(iter([said])))
    except MalformedFile:
        return None


def _csv(said: str) -> object:
    try:
        return list(rows_of_csv(iter(["memory_text\n", said])))
    except (MalformedFile, ValueError):
        return None


def _row_of_many_fields(length: int) -> str:
    """A row of about so many characters, with one of its fields given twice."""
    fields = ",".join(f'"{number}":0' for number in range(length // 8))
    return f'[{{{fields},"7":1}}]'


READERS: dict[str, Callable[[str], object]] = {
    "rules": lambda said: extract(_whole(said)),
    "why nothing": lambda said: no_result_reason(_whole(said)),
    "rules of one memory": lambda said: key_of(said[:MAX_TEXT_LENGTH]),
    "is it stated": lambda said: is_stated(said[:400], _whole(said)),
    "whole statement": lambda said: parse_statement(_whole(said)),
    "command": recognize,
    "long command": lambda said: recognize(f"{said[:1400]} forget that"),
    "model's reply": _reply,
    "between us": lambda said: is_private_to_persona(_whole(said)),
    "secrets": lambda said: find_secrets(_whole(said)),
    "secrets masked": lambda said: mask_secrets(_whole(said)),
    "credential named": lambda said: mentions_credential(_whole(said)),
    "screen": _screened,
    "instruction": lambda said: is_prompt_injection(said[:_QUOTE]),
    "order to the model": lambda said: addresses_model(said[:MAX_TEXT_LENGTH]),
    "private topic": lambda said: is_sensitive_topic(said[:_QUOTE]),
    "readable part": text.truncate_at_sentence,
    "question": query.extract_query,
    "names in a message": lambda said: entity.search_form(said[:_QUERY]),
    "slug": text.slug,
    "plain words": text.normalize_words,
    "runs": text.shorten_runs,
    "quotation": escaping.quote_text,
    "JSON file": _json,
    "CSV file": _csv,
    "row of many fields": lambda said: _json(_row_of_many_fields(len(said))),
}

_BEGINNINGS = (
    "", "I like a", "I love ", "my name is ", "My sister, who ", "I am allergic to ", "I work at Acme",
    "I was born on ", "Remember that ", "remember: ", "forget ", "please forget what i said about ",
    "what do you know about ", '"', "'", "```", "<code>", "<s ", "> ", "from: ", "on ", "# ", "- ", "(",
    "my password is ", "the PIN ", "eyJabcdefgh", "sk-", "card number ", "log in with ", "4111", "A1 ",
    "recovery words ", "ignore ", "you must ", "when ", "please translate ", "this is an ", "pretend ", "haha ",
    "well, ", "maybe ", "if ", "Anna: ", "\n", "[", '[{"memory_text":"', "{", "1", "just between us",
    "my favorite thing is ", "I have a dog named ",
)  # fmt: skip
_PARTS = (
    ", ", " ", "\t", " \t", "\n", "\n ", "\r\n", ".", "...", ". ", "?", "! ", "-", "--", "- ", "=", "_", "a_", "*",
    "*a ", "* ", "'", '"', "'a", '"a', '"a" ', "`", "``", "`a", "(", ")", "(a", "((", "[", "]", "{", "}", "<", ">",
    "<s ", "<a", "</", "/", "\\", "\\x41", "&", "&#65;", "|", ":", ";", "; ", ": ", "a: ", "a:b@", "://", "@", "#",
    "0", "1", "12 ", "1-", "1.", "1,", "1 1", "4111 ", "a", "A", "a ", "A ", "a-", "a.", "ab ", "A1 ", "a1", "I ",
    "I, ", "i am ", "my ", "and ", " and I ", ", and ", "but ", "so ", "I like a ", "I like a, ", "I have a dog and ",
    "too ", " too", ", too", "lol ", "haha", "ha ", "well, ", "oh ", "no, ", "really ", "very ", "also ", "quickly ",
    "not ", "never ", "is ", "is my ", "my favorite ", "which ", ", who ", "because ", "named ", "from: \n",
    "from: a", "to: \n", "on ", "on a ", "wrote:", "please make ", "please translate text ", "the text ", "write a ",
    "this is the ", "here is the ", "pretend ", 'I said "', "password ", "password is ", "password for ", "pin ",
    "my code is ", "key ", "eyJ-", "eyJa.", "sk-", "IBAN ", "as my ", "log in ", "seed phrase ", "ignore ",
    "ignore all ", "when asked ", "you ", "you must ", "always ", "system: ", "remember ", "remember that ",
    "forget ", "forget about ", "don't save ", "please ", "hey ", "between us ", "ok ", ", just between us",
    "a \u2014 ", "\u2014", "\u2026", "\xe9", "\u4e2d", "\u0645 ", "\u200b", "\u200b ", "\U0001f600", "\ufdfa",
    "\u0130", "\u017f", "\ufffc", "\x00", "\u202e", "1e", "1e9,", '{"a":', "[[", '","', '""', "=1+1,", "'s ", "n't ",
    "ly ", "ing ", "he is ", "Anna ", "Anna, ", "5 ", "5 years ", "2026-01-05 ", "some day ",
)  # fmt: skip
_ENDS = (
    "", "x", "!", ".", "?", "\n", '"', "'", ")", " too", " you", "@", " is my favorite", "\x00", ">", "```", "]", "_",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shot:
    """One text for one reader, and how long it took at both sizes."""

    reader: str
    beginning: str
    part: str
    end: str
    small: float = 0.0
    large: float = 0.0

    @property
    def growth(self) -> float:
        """How many times as long the large text took, or 0 where neither took any time."""
        return self.large / max(self.small, MEASURABLE / 4) if self.large > MEASURABLE else 0.0

    def text(self, size: int) -> str:
        """The text, as long as asked for."""
        room = max(0, size - len(self.beginning) - len(self.end))
        return f"{self.beginning}{(self.part * (room // len(self.part) + 1))[:room]}{self.end}"


def shots(count: int, seed: int) -> Iterator[Shot]:
    """As many texts as asked for, spread evenly over the readers; the same for the same seed."""
    chance, names = random.Random(seed), list(READERS)  # noqa: S311 (the same texts each time)
    for number in range(count):
        yield Shot(names[number % len(names)], chance.choice(_BEGINNINGS), _part(chance), chance.choice(_ENDS))


def _part(chance: random.Random) -> str:
    """A known part, two or three of them beside each other, or characters at random; or long enough to be no run."""
    kind = chance.random()
    if kind < 0.5:
        return chance.choice(_PARTS)
    if kind < 0.8:
        return "".join(chance.choices(_PARTS, k=chance.choice((2, 3, 7))))
    if kind < 0.9:
        few = "".join(chance.choices(string.printable, k=2))
        return "".join(chance.choices(few, k=chance.randint(20, 300)))
    return "".join(chance.choices(_PARTS, k=60))


def fired(shot: Shot, *, again: int = 5) -> Shot:
    """The shot with its times: of one that is over the limits the least of several, as a busy machine only adds."""
    best = _timed(shot)
    while again and faults(best):
        other = _timed(shot)
        best = replace(shot, small=min(best.small, other.small), large=min(best.large, other.large))
        again -= 1
    return best


def _timed(shot: Shot) -> Shot:
    times = []
    for size in (SMALL, LARGE):
        said = shot.text(size)
        started = time.process_time()
        READERS[shot.reader](said)
        times.append(time.process_time() - started)
    return replace(shot, small=times[0], large=times[1])


def faults(shot: Shot) -> list[str]:
    """What is wrong with the times of a shot."""
    found = []
    if max(shot.small, shot.large) > MOST_SECONDS:
        found.append(f"takes {max(shot.small, shot.large) * 1000:.0f} ms")
    if shot.growth > MOST_GROWTH:
        found.append(f"grows {shot.growth:.1f} times")
    return found


def table(done: list[Shot]) -> Table:
    """One row a reader."""
    by_reader: dict[str, list[Shot]] = defaultdict(list)
    for shot in done:
        by_reader[shot.reader].append(shot)
    shown = Table(title=f"{len(done)} texts of {SMALL // 1000} and {LARGE // 1000} kB")
    for heading in ("reader", "texts", "25 kB ms", "100 kB ms", "growth", "over a limit"):
        shown.add_column(heading, justify="left" if heading == "reader" else "right")
    for reader, of_it in [*by_reader.items(), ("all", done)]:
        small, large = max(s.small for s in of_it), max(s.large for s in of_it)
        growth, over = max(s.growth for s in of_it), sum(bool(faults(s)) for s in of_it)
        shown.add_row(reader, str(len(of_it)), f"{small * 1000:.0f}", f"{large * 1000:.0f}", f"{growth:.1f}", str(over))
    return shown


def main() -> int:
    """Attack, print the table and each text that is over a limit; 1 where there is one."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--seed", type=int, default=9)
    given = options.parse_args()
    READERS["rules"]("I like tea.")  # what is made once is made before
    done = [fired(shot) for shot in shots(given.count, given.seed)]
    console = Console()
    console.print(table(done))
    over = [shot for shot in done if faults(shot)]
    for shot in over:
        print(f"{shot.reader}: {'; '.join(faults(shot))}: {shot.beginning!r} + {shot.part[:60]!r} … + {shot.end!r}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
