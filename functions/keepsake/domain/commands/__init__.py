"""What a person tells their memory to do in the middle of a chat: recognized, and told what came of it."""

from keepsake.domain.commands.answers import recognize_answer
from keepsake.domain.commands.command import Command, CommandResult, Kind, Outcome, Status

__all__ = ["Command", "CommandResult", "Kind", "Outcome", "Status", "recognize", "recognize_answer"]
