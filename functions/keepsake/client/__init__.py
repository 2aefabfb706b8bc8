"""Keepsake for a chat backend in Python: a client of the functions, and the memory of a turn for agents' frameworks.

``keepsake.client.openai_agents`` and ``keepsake.client.langgraph`` need the extras ``openai-agents`` and ``langgraph``.
"""

from keepsake.client.functions import KeepsakeClient, KeepsakeRefusal
from keepsake.client.turns import PersonMessage, TurnMemory

__all__ = ["KeepsakeClient", "KeepsakeRefusal", "PersonMessage", "TurnMemory"]
