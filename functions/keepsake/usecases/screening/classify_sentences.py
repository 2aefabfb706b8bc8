"""Screens texts from elsewhere a second time, by the embedding model of this process: what words alone leave open.

Every caller waits for it. A busy machine is slower, and must not store what an idle one refuses.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.memory import Candidate
from keepsake.domain.screening.instructions import DoubtfulSentence, doubtful_sentences
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.choose_embedder import Embedder


@dataclass(frozen=True, slots=True)
class Screening:
    """Why each of some texts may not be stored, and whether the model read them or their words alone decided."""

    rejections: Mapping[str, str]
    is_by_model: bool


async def classify_texts(embedder: Embedder | None, texts: Sequence[str]) -> dict[str, str]:
    """Why each of these texts may not be stored, where the words accept it and the model does not."""
    return dict((await screen_texts(embedder, texts)).rejections)


async def screen_texts(embedder: Embedder | None, texts: Sequence[str]) -> Screening:
    """The same, and by what the texts were judged: without the model of the extra the words alone decide."""
    classifier = embedder.classifier if embedder is not None else None
    if classifier is None:
        return Screening({}, is_by_model=False)
    doubtful = await asyncio.to_thread(_read, texts)
    sentences = sorted({sentence for found in doubtful.values() for sentence in found}, key=_length)
    if not sentences:
        return Screening({}, is_by_model=True)
    try:
        scores = await classifier.classify([sentence.text for sentence in sentences], deadline=None)
    except ModelUnavailable as failure:
        log.warning("sentences were judged by their words alone", why=failure.why, sentences=len(sentences))
        return Screening({}, is_by_model=False)
    rejected = {
        sentence: reason
        for sentence, score in zip(sentences, scores, strict=True)
        if (reason := sentence.rejection(claim=score.claim, secret=score.secret)) is not None
    }
    reasons = {text: [rejected[one] for one in found if one in rejected] for text, found in doubtful.items()}
    return Screening({text: found[0] for text, found in reasons.items() if found}, is_by_model=True)


async def drop_rejected(
    embedder: Embedder | None, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], Counter[str]]:
    """The candidates that may be stored, and how many others there are, by reason."""
    rejections = await classify_texts(embedder, [candidate.text for candidate in candidates])
    kept = [candidate for candidate in candidates if candidate.text not in rejections]
    return kept, Counter(rejections[one.text] for one in candidates if one.text in rejections)


def _length(sentence: DoubtfulSentence) -> tuple[int, str]:
    """Sentences of like length are read together: a batch takes as long as its longest sentence makes it."""
    return len(sentence.text), sentence.text


def _read(texts: Sequence[str]) -> dict[str, list[DoubtfulSentence]]:
    return {text: doubtful_sentences(text) for text in dict.fromkeys(texts)}
