"""The error of a reply that cannot be used."""

from __future__ import annotations

from typing import Literal

Why = Literal["unreadable", "empty", "only_reasoning", "two_answers", "cut_off", "says_nothing"]


class InvalidReply(ValueError):
    """The reply does not have one meaning; the message says what is wrong without repeating it.

    ``why`` is a stable code for metrics and the log.
    """

    def __init__(self, problem: str, why: Why = "unreadable") -> None:
        super().__init__(problem)
        self.problem, self.why = problem, why

    def __reduce__(self) -> tuple[type[InvalidReply], tuple[str, Why]]:
        """Keep the code on the way from a reader's process."""
        return InvalidReply, (self.problem, self.why)
