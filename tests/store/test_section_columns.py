"""What a signature of an export covers is what the tables have: a new column is added to the list of its section."""

from __future__ import annotations

from keepsake.domain.transfer.row_schema import SECTION_COLUMNS
from keepsake.store.exports import SECTIONS
from tests.fixtures.db import Clone


def test_sections__list_every_column_of_their_table(db: Clone) -> None:
    restored = {section.name: section.tables[0] for section in SECTIONS if section.is_restored}
    assert SECTION_COLUMNS.keys() == restored.keys()
    for name, table in restored.items():
        rows = db.all(
            "select column_name from information_schema.columns where table_schema = 'public' and table_name = %s",
            (table,),
        )
        assert {row["column_name"] for row in rows} == SECTION_COLUMNS[name], name
