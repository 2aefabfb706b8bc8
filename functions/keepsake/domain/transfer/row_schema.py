"""The columns of a memory in an export, with the type of each, and the marks that an export adds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

COLUMNS: Mapping[str, type] = MappingProxyType(
    {
        "id": UUID,
        "user_id": UUID,
        "profile_id": UUID,
        "conversation_id": UUID,
        "source_message_id": UUID,
        "turn_index": int,
        "memory_text": str,
        "memory_type": str,
        "confidence_score": float,
        "astrological_context": dict,
        "origin_mode": str,
        "created_at": datetime,
        "last_referenced_at": datetime,
        "reference_count": int,
        "status": str,
        "is_active": bool,
        "deleted_at": datetime,
        "memory_no": int,
        "subtype": str,
        "entity_type": str,
        "memory_key": str,
        "value": str,
        "importance": int,
        "pinned": bool,
        "entity_refs": list,
        "entity_label": str,
        "persona_id": str,
        "language": str,
        "source": str,
        "source_quote": str,
        "supersedes_id": UUID,
        "valid_from": datetime,
        "valid_to": datetime,
        "expires_at": datetime,
        "archived_at": datetime,
        "updated_at": datetime,
        "folded_into": UUID,
        "doubted_at": datetime,
        "restated_at": datetime,
    }
)
"""Every column of a memory, in the order of the table."""

MARKS = frozenset({"nature", "ref", "signature"})
"""What an export adds to the columns: the provenance of the memory, its reference, and the signature of the row."""
