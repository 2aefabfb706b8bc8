"""What a trained classifier decides is tested by shares: each training may turn single sentences."""

from __future__ import annotations

from collections.abc import Mapping


def wrong_share(is_right: Mapping[str, bool]) -> tuple[float, list[str]]:
    """The share of the messages that are read wrongly, and these."""
    wrong = [said for said, right in is_right.items() if not right]
    return len(wrong) / len(is_right), wrong
