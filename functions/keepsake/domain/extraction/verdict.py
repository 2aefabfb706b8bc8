"""How good a model is at reading messages, as a trial judges it."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What may be done with the replies of one model at one endpoint."""

    GOOD = "good"
    """What it says is stored; the check refuses only what the message contradicts."""
    USABLE = "usable"
    """What it says is checked word for word. A model without a verdict is treated so."""
    RULES = "rules"
    """Nothing of its replies is stored; the rules read the messages."""
