"""Assigns each person an experiment arm, treatment or control, by a hash of their id."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Literal
from uuid import UUID

ExperimentArm = Literal["treatment", "control"]


@lru_cache(maxsize=1024)
def assign_arm(user_id: UUID, control_share: float) -> ExperimentArm:
    """``control`` for a stable share of people: they get no memories, so that the effect can be measured."""
    hash_value = int.from_bytes(hashlib.sha256(b"keepsake.arm:" + user_id.bytes).digest()[:8], "big")
    return "control" if hash_value < control_share * 2**64 else "treatment"
