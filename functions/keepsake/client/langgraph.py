"""The old name of ``keepsake_client.langgraph``; it goes with version 0.2."""

from keepsake_client.langgraph import MemoryNodes, MemoryState, with_context

__all__ = ["MemoryNodes", "MemoryState", "with_context"]
