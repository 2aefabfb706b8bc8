"""Keepsake for a chat backend in Python: a client of the functions, and the memory of a turn for agents' frameworks.

``keepsake_client.openai_agents`` and ``keepsake_client.langgraph`` need the extras ``openai-agents`` and ``langgraph``.
"""

from keepsake_client.functions import KeepsakeClient, KeepsakeRefusal
from keepsake_client.turns import PersonMessage, TurnMemory

__all__ = ["KeepsakeClient", "KeepsakeRefusal", "PersonMessage", "TurnMemory"]
