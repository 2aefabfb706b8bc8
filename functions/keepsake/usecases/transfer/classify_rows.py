"""Screens the rows of an import a second time, by the embedding model of this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.transfer.validate_row import Finding, ValidatedRow
from keepsake.infra.models.choose_embedder import Embedder
from keepsake.usecases.screening.classify_sentences import screen_texts
from keepsake.usecases.transfer.staging import RestorableRow

_Row = ValidatedRow | RestorableRow | Finding


async def classify_rows(embedder: Embedder | None, rows: Sequence[_Row]) -> tuple[list[_Row], bool]:
    """The rows of a batch, where a row whose text is rejected is refused; and whether the model read them all."""
    screening = await screen_texts(embedder, [text for row in rows if (text := _new_text(row))])
    screened = [_refuse(row, screening.rejections.get(_new_text(row) or "")) for row in rows]
    return screened, screening.is_by_model


def _refuse(row: _Row, reason: str | None) -> _Row:
    if reason is None or not isinstance(row, ValidatedRow):
        return row
    return replace(row, row=None, problems=(Finding(row.number, row.line, "memory_text", reason),))


def _new_text(row: _Row) -> str | None:
    """The text of a row that is new here: neither refused nor signed."""
    return row.row["memory_text"] if isinstance(row, ValidatedRow) and row.row and not row.signed else None
