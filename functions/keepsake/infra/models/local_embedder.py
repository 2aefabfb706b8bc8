"""Embeds and classifies texts in this process, in a thread of its own, with the surface of an endpoint's client.

The model is loaded once, by the thread, as soon as it is built. A message goes before memories that wait, which are
embedded a few at a time. What the layers made of a text lately is kept, by a hash of the text: the message that a
context was asked for is soon read for what it changes.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from queue import PriorityQueue
from typing import Any, TypeVar

import numpy as np

from keepsake.errors import MisconfiguredError
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.circuit_breaker import CircuitBreaker
from keepsake.infra.models.embedding_reply_parser import Vectors
from keepsake.infra.models.layer_network import LAYERS
from keepsake.infra.models.message_needs import need_embeddings
from keepsake.infra.models.model_folder import BUNDLED_MODEL, ModelFolder
from keepsake.infra.models.sentence_classifier import SentenceScores, attack_scores
from keepsake.infra.models.sentence_encoder import Floats, embeddings

_Result = TypeVar("_Result")

_FEW = 4
"""So many sentences belong to one statement, and go before memories that wait."""
_TEXTS_AT_ONCE = 8
"""The longest a message waits for memories that are being embedded."""
_MAX_CACHED = 1_000
"""Six kilobytes each."""


@dataclass(order=True, slots=True)
class _Job:
    """What the thread is to do with the model; the lowest priority comes first, and None ends the thread."""

    priority: int
    number: int
    call: Callable[[_Model], Any] | None = field(compare=False)
    result: Future[Any] = field(compare=False, default_factory=Future)


class LocalEmbedder:
    """Embeds with a model whose files are on this machine."""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder
        self._jobs: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = itertools.count()
        self._cache: OrderedDict[bytes, Floats] = OrderedDict()
        self.breaker = CircuitBreaker(max_timeouts=None)
        """Always closed: a busy machine is slow, not away."""
        self.is_kept: bool | None = None
        """Whether the database can keep vectors, once somebody has looked."""
        self._thread = threading.Thread(target=self._work, name="embedding", daemon=True)
        self._thread.start()

    @property
    def model(self) -> str:
        """The name under which vectors are stored."""
        return self._folder.name

    @property
    def circuit(self) -> str:
        """The key of the shared circuit breaker."""
        return f"{self.model} in this process"

    async def embed(self, texts: Sequence[str], *, deadline: float) -> Vectors:
        """Embed texts by ``deadline`` (of the event loop's clock), or raise ModelUnavailable."""
        means, tokens = await self._layer_means(texts, deadline, first=len(texts) == 1)
        last_layer = means.reshape(len(texts), self._layers, -1)[:, -1]
        return _vectors(embeddings(last_layer), tokens)

    async def embed_message(self, text: str, *, deadline: float) -> Vectors:
        """The vector with which the memories are found that a message needs, or raise ModelUnavailable."""
        if self.classifier is None:
            return await self.embed([text], deadline=deadline)
        means, tokens = await self._layer_means([text], deadline, first=True)
        return _vectors(need_embeddings(means), tokens)

    @property
    def classifier(self) -> LocalEmbedder | None:
        """This one, if the classifiers of sentences were trained for its model."""
        return self if self._folder.name == BUNDLED_MODEL else None

    async def classify(self, sentences: Sequence[str], *, deadline: float | None) -> list[SentenceScores]:
        """Score sentences as attacks by ``deadline`` (None: whenever it is done), or raise ModelUnavailable."""
        means, _ = await self._layer_means(sentences, deadline, first=len(sentences) <= _FEW)
        return await asyncio.to_thread(attack_scores, means)

    def detach(self, call: asyncio.Task[Any]) -> None:
        """Let a late call finish: its vector is kept for the next time."""
        call.add_done_callback(_discard_result)

    async def close(self) -> None:
        """End the thread once what it computes is done."""
        self._jobs.put(_Job(-1, next(self._numbers), None))
        await asyncio.to_thread(self._thread.join)

    @property
    def _layers(self) -> int:
        """How many layers are of use."""
        return LAYERS if self.classifier is not None else 1

    async def _layer_means(self, texts: Sequence[str], deadline: float | None, *, first: bool) -> tuple[Floats, int]:
        """The means of the last layers for each text, and how many tokens were read for it."""
        keys = [_key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._cache}
        tokens, made = 0, {key: self._cache[key] for key in keys if key not in missing}
        try:
            async with asyncio.timeout_at(deadline):
                for batch in _batches(list(missing.items())):
                    call = partial(_Model.layer_means, texts=[text for _, text in batch], count=self._layers)
                    means, read = await asyncio.wrap_future(self._submit(call, first=first))
                    made.update(zip((key for key, _ in batch), means, strict=True))
                    tokens += read
        except TimeoutError:
            raise ModelUnavailable("busy", "deadline", sent=False) from None
        self._remember(made)
        return np.stack([made[key] for key in keys]), tokens

    def _submit(self, call: Callable[[_Model], _Result], *, first: bool) -> Future[_Result]:
        job = _Job(0 if first else 1, next(self._numbers), call)
        self._jobs.put(job)
        return job.result

    def _remember(self, made: dict[bytes, Floats]) -> None:
        for key, means in made.items():
            self._cache[key] = means
            self._cache.move_to_end(key)
        while len(self._cache) > _MAX_CACHED:
            self._cache.popitem(last=False)

    def _work(self) -> None:
        """Load the model, then embed until the end; runs in the thread."""
        model: _Model | None = None
        try:
            model = _Model(self._folder)
        except (MisconfiguredError, OSError, ValueError, LookupError) as error:
            log.exception("the embedding model cannot be loaded; words alone decide", error=str(error))
        while (call := (job := self._jobs.get()).call) is not None:
            if not job.result.set_running_or_notify_cancel():
                continue
            try:
                if model is None:
                    raise ModelUnavailable("locked_out", "model_not_loaded", sent=False)  # noqa: TRY301
                job.result.set_result(call(model))
            except Exception as error:  # noqa: BLE001 (handed to who waits)
                job.result.set_exception(error)


class _Model:
    """The model, loaded by the thread; what is imported here is slow to import, and in the extra."""

    def __init__(self, folder: ModelFolder) -> None:
        from threadpoolctl import threadpool_limits  # noqa: PLC0415
        from tokenizers import Tokenizer  # noqa: PLC0415

        threadpool_limits(limits=1, user_api="blas")  # several threads wait for each other on a busy machine
        folder.check()
        self._tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(folder.max_length())
        self._encoder = folder.load_encoder()

    def layer_means(self, texts: Sequence[str], count: int) -> tuple[Floats, int]:
        """The means of the last layers, and how many tokens were read."""
        token_ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        return self._encoder.layer_means(token_ids, count), sum(map(len, token_ids))


def _vectors(rows: Floats, tokens: int) -> Vectors:
    return Vectors(tuple(array("f", row.tobytes()) for row in rows), tokens)


def _batches(items: Sequence[_Result]) -> list[Sequence[_Result]]:
    return [items[start : start + _TEXTS_AT_ONCE] for start in range(0, len(items), _TEXTS_AT_ONCE)]


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _discard_result(call: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a call that nobody waits for."""
    if not call.cancelled():
        call.exception()
