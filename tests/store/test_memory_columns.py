"""The columns of a memory stand in one list, whose order is that of the memory's fields."""

from __future__ import annotations

from keepsake.domain.memory import Memory
from keepsake.infra.database import queries

NAMED_OTHERWISE = {
    "memory_type": "type",
    "memory_text": "text",
    "confidence_score": "confidence",
    "memory_key": "key",
}


def test_the_columns_of_a_memory__come_in_the_order_of_its_fields() -> None:
    columns = queries.fragment("memory_columns")
    assert [NAMED_OTHERWISE.get(column, column) for column in columns] == list(Memory._fields)
