"""Chat commands: recognizes a message such as "forget that", and words its result.

``recognize`` looks for a command in the sentences of a message, takes ``politeness`` off them, and ``match_forms``
compares them with ``command_forms``, one file a language. ``unrecognized`` is what may be meant as a command.
"""

from keepsake.domain.commands.command import Command, CommandResult, Kind, Outcome, Status

__all__ = ["Command", "CommandResult", "Kind", "Outcome", "Status"]
