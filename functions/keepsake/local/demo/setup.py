"""What the demo plays on: the running stack, its people signed in, and the ways to look at it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from supabase import Client

from keepsake.local.demo.conversation import Script
from keepsake.local.demo.inspection import Evidence
from keepsake.local.demo.replay import Replay


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything a part of the demo may need, made once."""

    script: Script
    replay: Replay
    evidence: Evidence
    user_ids: dict[str, UUID]
    people: dict[str, Client]
    nobody: Client
    logs: tuple[Path, ...]
