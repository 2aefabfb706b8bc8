"""The sentences that explain a memory to its person; the panel has the same ones, made from the same files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files

from keepsake.domain.timezones import find_timezone

_PACKAGE = "keepsake.domain.explanation"


@cache
def load_sentences(language: str) -> Mapping[str, Mapping[str, str]]:
    """All sentences of a language, by their section and name."""
    return tomllib.loads(files(_PACKAGE).joinpath(f"data/{language}.toml").read_text(encoding="utf-8"))


def sentence(section: str, name: str, **values: object) -> str:
    """An English sentence with its values."""
    return load_sentences("en")[section][name].format(**values)


def has_sentence(section: str, name: str) -> bool:
    """Whether there is a sentence of that name."""
    return name in load_sentences("en")[section]


def zone_name(timezone: str | None) -> str:
    """The time zone in which the moments are told: that of the person, where it is known."""
    return str(find_timezone(timezone) or "UTC")


def moment(at: datetime | None, timezone: str | None = None) -> str:
    """A moment as the person's clock shows it."""
    zone = find_timezone(timezone) or find_timezone("UTC")
    return f"{at.astimezone(zone):%d %b %Y at %H:%M}".removeprefix("0") if at else "a time that is not known"
