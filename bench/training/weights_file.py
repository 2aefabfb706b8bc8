"""Writes the weights of the classifiers over words into one binary, ``classifiers.zip``, with a card for each.

The same weights and cards give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.training.linear_model import Row
from keepsake.domain import english
from keepsake.domain.english.classifiers import UNIT

BINARY = Path(english.__path__[0]) / "data" / "classifiers.zip"
_CARD, _FEATURES, _WEIGHTS = "card.json", "features", "weights"
_LEVEL = 9
_DATE = (1980, 1, 1, 0, 0, 0)


def hash_rows(rows: Iterable[Row]) -> str:
    """A hash of what a classifier learns from: the texts of its data, as its features see them."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps([row.features, row.is_positive, row.weight]).encode())
    return digest.hexdigest()


def read_cards() -> dict[str, dict[str, Any]]:
    """What is known of each classifier: its data, its date, its hash, its figures."""
    if not BINARY.exists():
        return {}
    with zipfile.ZipFile(BINARY) as archive:
        return dict(json.loads(archive.read(_CARD)))


def write_weights(name: str, weights: Mapping[str, float], card: Mapping[str, Any]) -> None:
    """Put a classifier into the binary in place of the one of this name; the others stay as they are."""
    members: dict[str, bytes] = {}
    if BINARY.exists():
        with zipfile.ZipFile(BINARY) as archive:
            members = {one: archive.read(one) for one in archive.namelist()}
    hundredths = array("h", (round(weights[feature] * UNIT) for feature in sorted(weights)))
    if sys.byteorder == "big":
        hundredths.byteswap()
    cards = {**read_cards(), name: {**card, "features": len(weights)}}
    members |= {
        _CARD: (json.dumps(cards, indent=1, sort_keys=True) + "\n").encode(),
        f"{name}.{_FEATURES}": "\n".join(sorted(weights)).encode(),
        f"{name}.{_WEIGHTS}": hundredths.tobytes(),
    }
    with zipfile.ZipFile(BINARY, "w", zipfile.ZIP_DEFLATED) as archive:
        for member in sorted(members):
            archive.writestr(zipfile.ZipInfo(member, _DATE), members[member], zipfile.ZIP_DEFLATED, _LEVEL)
