"""Validates a place that an agent adds: lengths, characters, secrets and prompt injection."""

from __future__ import annotations

from dataclasses import dataclass

from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.screening import screen
from keepsake.domain.text import has_forbidden_characters

MAX_NAME, MAX_NOTES = 200, 500


@dataclass(frozen=True, slots=True)
class PlaceInput:
    """A place from an agent; ``place_id`` is the agent's own id, or that of a map service."""

    place_id: str
    place_name: str
    notes: str | None = None


def normalize_place(place: PlaceInput) -> PlaceInput:
    """The place with single spaces."""
    notes = " ".join((place.notes or "").split())
    return PlaceInput(" ".join(place.place_id.split()), " ".join(place.place_name.split()), notes or None)


def rejection_reason(place: PlaceInput) -> str | None:
    """Why the place may not be stored, as a stable word; None where it may."""
    for text, limit in ((place.place_id, MAX_NAME), (place.place_name, MAX_NAME), (place.notes or "-", MAX_NOTES)):
        if not 1 <= len(text) <= limit:
            return "bad_length"
        if has_forbidden_characters(text):
            return "bad_characters"
    named = screen.rejection_of_name(place.place_id) or screen.rejection_of_name(place.place_name)
    if (reason := named or (screen.rejection_of_text(place.notes) if place.notes else None)) is not None:
        return reason
    said = ". ".join(part for part in (place.place_name, place.notes) if part)
    verdict = screen.screen(Candidate(MemoryType.FACT, Subtype.OTHER, said[:500], "", 0.8), message=said)
    return verdict.reason if isinstance(verdict, screen.Dropped) else None


def may_be_shown(name: str, notes: str | None) -> bool:
    """Whether a stored place may reach a model: its person edits name and notes directly."""
    return all(screen.rejection_of_text(text) is None for text in (name, notes) if text)
