"""Recognizes files that are no memories of ours, by their first bytes and the names of their first fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_BINARY: Sequence[tuple[bytes, str]] = (
    (b"PK\x03\x04", "a ZIP archive, which also an .xlsx workbook is: unpack it, or save the sheet as CSV"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "compressed with gzip: unpack it"),
    (b"BZh", "compressed with bzip2: unpack it"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it"),
    (b"%PDF", "a PDF document"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\xff\xfe", "text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16: save it as UTF-8"),
)
_CHATS = "which holds chats and no memories: put them into your tables, and `keepsake backfill` reads them"
_EACH = 'give each memory as {"memory_text": "…"}'
_PRODUCTS: Sequence[tuple[frozenset[str], str]] = (
    (frozenset({"mapping", "title"}), f"an export of ChatGPT, {_CHATS}"),
    (frozenset({"mapping", "create_time"}), f"an export of ChatGPT, {_CHATS}"),
    (frozenset({"chat_messages"}), f"an export of Claude, {_CHATS}"),
    (frozenset({"conversations_memory"}), f"the memory of Claude, which is one text: {_EACH}"),
    (frozenset({"header", "titleUrl"}), f"an activity log of Google Takeout: {_EACH}"),
    (frozenset({"header", "products"}), f"an activity log of Google Takeout: {_EACH}"),
    (frozenset({"entityType", "observations"}), f"a graph of the MCP memory server: {_EACH}"),
    (frozenset({"containerTags"}), f"an export of Supermemory: {_EACH}"),
    (frozenset({"agent_type", "blocks"}), f"an agent file of Letta: {_EACH}"),
    (frozenset({"agent_type", "core_memory"}), f"an agent file of Letta: {_EACH}"),
    (frozenset({"namespace", "key", "value"}), f"a store of LangGraph: {_EACH}"),
    (frozenset({"fact", "valid_at"}), f"facts of Zep: {_EACH}"),
    (frozenset({"memory", "user_id"}), f"an export of mem0: {_EACH}, from its field memory"),
    (frozenset({"memory", "hash"}), f"an export of mem0: {_EACH}, from its field memory"),
    (frozenset({"memory", "results"}), f"an export of mem0: {_EACH}, from its field memory"),
    (frozenset({"role", "content"}), f"a chat, {_CHATS}"),
)
"""The fields by which the JSON of each product is known, and what it is."""
_OURS = frozenset({"memory_text", "schema_version"})
_FIELD = re.compile(r'"([A-Za-z_]{2,40})"[ \t\r\n]{0,20}:')


def name_of_binary(start: bytes) -> str | None:
    """What a file is that begins with these bytes; None where it may be text in UTF-8."""
    return next((name for mark, name in _BINARY if start.startswith(mark)), None)


def name_of_product(start: str) -> str | None:
    """Of which other product this beginning of a JSON document is; None where it may be one of ours."""
    fields = frozenset(_FIELD.findall(start))
    if fields & _OURS:
        return None
    return next((name for needed, name in _PRODUCTS if needed <= fields), None)


def expected_form(fields: Mapping[str, object]) -> str:
    """What to tell of a document that has no memories."""
    named = ", ".join(sorted(fields)[:5])
    return f'there are no memories in it (only {named}): {_EACH}, in a list or under "memories"'
