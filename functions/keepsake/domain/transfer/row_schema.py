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
        "period": str,
    }
)
"""Every column of a memory, in the order of the table."""

_COLUMNS_OF_OTHERS: Mapping[str, str] = MappingProxyType(
    {
        "entities": "id user_id profile_id key kind label renamed aliases names created_at updated_at",
        "alias_proposals": "id user_id profile_id key variant similarity status created_at decided_at",
        "places": "id user_id profile_id place_id name notes source created_at updated_at",
        "place_mentions": "id user_id profile_id place conversation_id source_message_id mentioned_at",
        "todos": "id user_id profile_id persona_id kind todo_text status due_date source source_quote conversation_id"
        " source_message_id closed_by_message_id opened_at closed_at created_at updated_at",
    }
)
SECTION_COLUMNS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"memories": frozenset(COLUMNS), **{name: frozenset(of.split()) for name, of in _COLUMNS_OF_OTHERS.items()}}
)
"""The columns of each section that an import restores: what a signature of this version covers."""

MARKS = frozenset({"nature", "ref", "signature"})
"""What an export adds to the columns: the provenance of the memory, its reference, and the signature of the row."""
