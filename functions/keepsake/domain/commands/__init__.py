"""Chat commands: recognizes a message such as "forget that", and words its result."""

from keepsake.domain.commands.command import Command, CommandResult, Kind, Outcome, Status
from keepsake.domain.commands.yes_or_no import recognize_answer

__all__ = ["Command", "CommandResult", "Kind", "Outcome", "Status", "recognize", "recognize_answer"]
