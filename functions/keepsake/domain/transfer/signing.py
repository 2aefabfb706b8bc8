"""Signs the rows of an export: an HMAC over the row, its section and the person."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from keepsake.domain.transfer.row_schema import MARKS

_DOMAIN = b"keepsake export row 1\n"


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs rows for one person with the first key, and verifies signatures of any key."""

    keys: Sequence[bytes]
    person: UUID

    def sign(self, section: str, row: Mapping[str, Any]) -> str:
        """The signature of a row; the marks of the export are not covered."""
        return _hmac(self.keys[0], self._statement(section, row))

    def verify(self, section: str, row: Mapping[str, Any], signature: object) -> bool:
        """Whether one of the keys signed exactly this row for exactly this person."""
        if not isinstance(signature, str) or not signature.isascii():
            return False
        try:
            statement = self._statement(section, row)
        except (ValueError, RecursionError):  # JSON cannot contain it, so we have not signed it
            return False
        return any(hmac.compare_digest(_hmac(key, statement), signature) for key in self.keys)

    def _statement(self, section: str, row: Mapping[str, Any]) -> bytes:
        content = {name: _canonical(value) for name, value in row.items() if name not in MARKS}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return b"\n".join((self.person.bytes, section.encode("utf-8", "replace"), text.encode()))


def _hmac(key: bytes, statement: bytes) -> str:
    return hmac.new(key, _DOMAIN + statement, hashlib.sha256).hexdigest()


def _canonical(value: Any) -> Any:
    """1.0 and 1 are the same number: programs that save a file again write either."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, dict):
        return {name: _canonical(of) for name, of in value.items()}
    return [_canonical(one) for one in value] if isinstance(value, list) else value
