"""The entrances of the product in process: what each stores, shows or sends of a foreign text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from keepsake.domain.agent.user_fact_parser import parse_fact
from keepsake.domain.agent.validate_place import PlaceInput, rejection_reason
from keepsake.domain.commands.statement_to_memory import parse_statement
from keepsake.domain.context.card_heading import card_heading
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.memory import Candidate, MemoryType
from keepsake.domain.reading.commands.recognize import recognize
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.screening.screen import rejection_of_name, rejection_of_text, screen
from keepsake.domain.text import slug
from keepsake.domain.transfer.import_row import ImportPolicy
from keepsake.domain.transfer.json_reader import MEMORIES, RawRow
from keepsake.domain.transfer.validate_row import validate_row
from keepsake.infra.models.choose_embedder import Embedder
from keepsake.infra.models.local_embedder import LocalEmbedder
from keepsake.infra.models.model_folder import bundled_model
from keepsake.usecases.screening.classify_sentences import classify_texts

_SAID_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
_PROFILE = str(UUID(int=1))


def _screened(candidates: Sequence[Candidate], message: str) -> list[str]:
    return _parts(_accepted(candidates, message))


def _accepted(candidates: Sequence[Candidate], message: str) -> list[Candidate]:
    verdicts = (screen(candidate, message=message) for candidate in candidates)
    return [verdict for verdict in verdicts if isinstance(verdict, Candidate)]


def _parts(accepted: Sequence[Candidate]) -> list[str]:
    return [f"{one.text} {one.quote} {one.value} {one.entity_label} {one.entity_refs}" for one in accepted]


def by_chat(text: str) -> list[str]:
    """What is stored of a message that the rules read."""
    command = recognize(text)
    if command is not None and command.statement:
        found = extract(command.statement)
        statement = parse_statement(command.statement)
        return _screened(found or ([statement] if statement else []), command.statement)
    return _screened(extract(text), text)


def by_remember(text: str) -> list[str]:
    """What is stored where the person asks to remember the text."""
    return by_chat(text if text.startswith("Remember") else f"Remember that {text}")


def by_model(text: str) -> list[str]:
    """What is stored where a model repeats the whole message as a memory."""
    member = {
        "type": "fact", "subtype": "other", "text": text, "about": "self", "attribute": "", "value": "", "many": False,
        "quote": text, "confidence": 0.8, "importance": 1, "relation": "new", "number": None, "entity": None,
        "language": "en", "astro_context": None,
    }  # fmt: skip
    accepted = _accepted(read_reply(json.dumps({"memories": [member]}), GroundingSources(text)).candidates, text)
    return [] if _is_rejected_by_model([one.text for one in accepted]) else _parts(accepted)


def by_endpoint(text: str) -> list[str]:
    """What a model's endpoint is sent."""
    return [mask_secrets(text)]


def by_agent(text: str) -> list[str]:
    """What is stored of a fact that an agent states."""
    if rejection_of_text(text) is not None or _is_rejected_by_model([text]):
        return []
    found = extract(text)
    fact = parse_fact(text)
    return _screened(found or ([fact] if fact else []), text)


def by_import(text: str) -> list[str]:
    """What is stored of an unsigned row."""
    texts = [row["memory_text"] for row in _imported({"memory_text": text})]
    return [] if _is_rejected_by_model(texts) else texts


def _imported(content: dict[str, object]) -> list[Mapping[str, Any]]:
    policy = ImportPolicy(
        _SAID_AT, UUID(int=0), frozenset({_PROFILE}), _PROFILE, frozenset(MemoryType), lambda *_: False
    )
    row = validate_row(RawRow(1, 1, MEMORIES, content), policy).row
    return [row] if row else []


def by_place(text: str) -> list[str]:
    """What is stored of the notes of a place."""
    return [] if rejection_reason(PlaceInput("p1", "Home", text)) or _is_rejected_by_model([text]) else [text]


_embedders: list[Embedder] = []


def read_with_local_model() -> None:
    """Screen texts from elsewhere with the embedding model of the extra too, as a process does that has loaded it."""
    _embedders.append(LocalEmbedder(bundled_model()))


def _is_rejected_by_model(texts: Sequence[str]) -> bool:
    return bool(_embedders and texts and asyncio.run(classify_texts(_embedders[0], texts)))


ENTRANCES: dict[str, Callable[[str], list[str]]] = {
    "chat, rules": by_chat,
    "chat, remember": by_remember,
    "chat, model": by_model,
    "agent tool": by_agent,
    "import": by_import,
    "place": by_place,
}


def _import_field(field: str, text: str) -> list[str]:
    return [str(row[field]) for row in _imported({"memory_text": "Likes green tea", field: text}) if row[field]]


def by_label(text: str) -> list[str]:
    """What is stored of the label of an imported row."""
    return _import_field("entity_label", text)


def by_key(text: str) -> list[str]:
    """The headings that a context shows for the entity of an imported row."""
    key = f"person:{slug(text)}"
    rows = _imported({"memory_text": "Likes green tea", "entity_refs": [key]})
    return [heading for _ in rows if (heading := card_heading(key, ())) != "[person]"]


def by_persona(text: str) -> list[str]:
    """What is stored of the persona of an imported row."""
    return _import_field("persona_id", text)


def by_entity_type(text: str) -> list[str]:
    """What is stored of the type of the entity of an imported row."""
    return _import_field("entity_type", text)


def by_place_id(text: str) -> list[str]:
    """What is stored of a place by its id."""
    return [] if rejection_reason(PlaceInput(text, "Home")) else [text]


def by_place_name(text: str) -> list[str]:
    """What is stored of a place by its name."""
    return [] if rejection_reason(PlaceInput("p1", text)) else [text]


def by_name(text: str) -> list[str]:
    """What a context shows of a name that its person writes directly."""
    return [] if rejection_of_name(text) else [text]


NAME_ENTRANCES: dict[str, Callable[[str], list[str]]] = {
    "import, label": by_label,
    "import, key": by_key,
    "import, persona": by_persona,
    "import, entity type": by_entity_type,
    "place, id": by_place_id,
    "place, name": by_place_name,
    "name, pronouns, alias": by_name,
}
