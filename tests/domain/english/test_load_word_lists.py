"""Word lists: files of entries, in sections or not, read as words, pairs or regular expressions."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import keepsake
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from tests.architecture.patterns import MAX_PATTERN_LENGTH

DATA = sorted(Path(keepsake.__path__[0]).glob("domain/**/data/*.txt"))


def test_load_sections__reads_entries_in_order_and_skips_comments() -> None:
    sections = load_sections("fragments", __package__)
    assert sections == {"animals": ("cats?", "dogs?"), "likes": ("I like (?:my )?{animals}", "{person} #1{1,2}")}


def test_load_alternations__replaces_sections_and_references_and_no_counts() -> None:
    patterns = load_alternations("fragments", __package__, person="Ada")
    assert patterns == {"animals": "(?:cats?|dogs?)", "likes": "(?:I like (?:my )?(?:cats?|dogs?)|Ada #1{1,2})"}


def test_load_alternations__match_any_entry() -> None:
    likes = re.compile(load_alternations("fragments", __package__, person="Ada")["likes"])
    assert likes.fullmatch("I like my dogs")
    assert likes.fullmatch("Ada #11")
    assert not likes.fullmatch("I like birds")


def test_load_alternations__an_unknown_reference_is_an_error() -> None:
    with pytest.raises(KeyError, match="person"):
        load_alternations("fragments", __package__)


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_data__begins_with_a_comment(path: Path) -> None:
    """A reader of a list sees first what is in it."""
    assert path.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_data__has_entries_that_can_be_read(path: Path) -> None:
    """No pattern longer than a line, and no header of a section with words behind it, as half a comment has."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "|" in line and line[0] != "#" and len(line) > MAX_PATTERN_LENGTH] == []
    assert [line for line in lines if re.match(r"\[[a-z]\w{2,}\] ", line)] == []


def repeated_entries(path: Path) -> list[str]:
    """The entries that stand twice in a list, or in a section of it."""
    counts: Counter[tuple[str, str]] = Counter()
    section = ""
    for line in map(str.strip, path.read_text(encoding="utf-8").splitlines()):
        if re.fullmatch(r"\[\w+\]", line):
            section = line
        elif line and not line.startswith("#"):
            counts[section, line] += 1
    return [f"{section} {entry}" for (section, entry), count in counts.items() if count > 1]


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_data__has_each_entry_once(path: Path) -> None:
    """Who changes an entry need not look for another one like it."""
    assert repeated_entries(path) == []


def test_data__an_entry_that_is_there_twice_is_found(tmp_path: Path) -> None:
    """The check above can fail, and tells sections apart."""
    path = tmp_path / "list.txt"
    path.write_text("# Words.\n[one]\nred\nblue\nred\n[two]\nblue\n", encoding="utf-8")
    assert repeated_entries(path) == ["[one] red"]
