"""Collects the rules of a file: a fault is refused with its place, and so is a pattern that is there twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar


class HasPattern(Protocol):
    """A rule, whatever it is for."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """What it fits."""


R = TypeVar("R", bound=HasPattern)


def collect_rules(entries: Iterable[tuple[str, Callable[[], R]]], error: type[ValueError]) -> tuple[R, ...]:
    """The rules of some entries, each a place in a file and what reads the rule there; raises ``error``."""
    rules: dict[str, R] = {}
    for place, read in entries:
        try:
            rule = read()
        except KeyError as missing:
            raise error(f"{place}: unknown or missing name {missing}") from missing
        except (ValueError, re.error) as fault:
            raise error(f"{place}: {fault}") from fault
        if rules.setdefault(rule.pattern.pattern, rule) is not rule:
            raise error(f"{place}: another rule has the same pattern")
    return tuple(rules.values())
