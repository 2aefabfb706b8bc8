"""What a chat command does to memories: ``match_subject`` finds those that it means, ``replies`` words its ``outcome``.

That a message is a command is recognized in ``keepsake.domain.reading.commands``. ``statement_to_memory`` makes a
memory of what is to be remembered as it was said.
"""

from keepsake.domain.commands.outcome import CommandResult, Outcome, Status

__all__ = ["CommandResult", "Outcome", "Status"]
