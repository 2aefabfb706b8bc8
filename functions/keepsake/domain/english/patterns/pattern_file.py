"""Files of patterns and rules: shared patterns, TOML files, and how a row of a table becomes a dataclass."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from keepsake.domain.english.load_word_lists import load_alternations

ROW = ConfigDict(extra="forbid")
"""For a dataclass whose fields are those of a row: it refuses unknown, missing and wrong ones with a ValueError."""
Examples = Annotated[tuple[str, ...], Field(min_length=2)]


def read_toml(name: str, package: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def load_pattern(name: str) -> re.Pattern[str]:
    """A pattern of ``data/patterns.txt``."""
    return re.compile(load_alternations("patterns", __package__)[name], re.IGNORECASE)
