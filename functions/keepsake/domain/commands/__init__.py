"""Chat commands: recognizes a message such as "forget that", and words its result."""

from keepsake.domain.commands.answers import recognize_answer
from keepsake.domain.commands.command import Command, CommandResult, Kind, Outcome, Status

__all__ = ["Command", "CommandResult", "Kind", "Outcome", "Status", "recognize", "recognize_answer"]
