"""How a memory came about, as an export says it of each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from keepsake.domain.memory import Source

_NATURES: Mapping[str, str] = MappingProxyType(
    {
        Source.LLM_EXTRACTION: "inferred",
        Source.RULE_EXTRACTION: "inferred",
        Source.AGENT_TOOL: "inferred",
        Source.FOLD: "derived",
        Source.USER: "stated",
        Source.IMPORT: "stated",
        Source.SEEDED_PROFILE: "stated",
    }
)


def nature_of(source: str) -> str:
    """How a memory of this source came about."""
    return _NATURES.get(source, "inferred")
