"""Which arm of the comparison a person is in: always the same one, by a hash of their id."""

from __future__ import annotations

import hashlib
from typing import Literal
from uuid import UUID

Variant = Literal["treatment", "control"]


def variant_of(user_id: UUID, control_share: float) -> Variant:
    """``control`` for a stable share of people, who get no memories so that their effect can be measured."""
    number = int.from_bytes(hashlib.sha256(b"keepsake.arm:" + user_id.bytes).digest()[:8], "big")
    return "control" if number < control_share * 2**64 else "treatment"
