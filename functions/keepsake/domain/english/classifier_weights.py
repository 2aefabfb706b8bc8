"""Reads the weights of the linear classifiers over words: one binary, ``data/classifiers.zip``, with a card for each.

``python -m bench.training.classifiers`` makes it from data of the repository.
"""

from __future__ import annotations

import sys
import zipfile
from array import array
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO

UNIT = 100
"""The weights are stored as whole hundredths."""

_BINARY = files(__package__).joinpath("data").joinpath("classifiers.zip")


@cache
def load_weights(name: str) -> Mapping[str, float]:
    """The weight of each feature of a classifier; a score is the sum of the weights of the features of a text."""
    with zipfile.ZipFile(BytesIO(_BINARY.read_bytes())) as archive:
        features = archive.read(f"{name}.features").decode().split("\n")
        hundredths = array("h", archive.read(f"{name}.weights"))
    if sys.byteorder == "big":
        hundredths.byteswap()
    return {feature: weight / UNIT for feature, weight in zip(features, hundredths, strict=True)}
