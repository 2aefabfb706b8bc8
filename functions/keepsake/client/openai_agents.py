"""The old name of ``keepsake_client.openai_agents``; it goes with version 0.2."""

from keepsake_client.openai_agents import RememberedRun

__all__ = ["RememberedRun"]
