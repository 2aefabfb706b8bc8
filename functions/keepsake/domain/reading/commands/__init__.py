"""Recognizes a message to the memory itself, such as "forget that".

``recognize`` makes a ``command`` of what the ``command_classifier`` says of its sentences, by their ``command_words``,
and puts a German clause in the order of a ``verb_second``. ``unrecognized`` is what may be meant as a command.
"""

from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.recognize import recognize, recognize_answer
from keepsake.domain.reading.commands.unrecognized import (
    NOTICE,
    has_stem,
    may_be_command,
    may_follow_command,
    unwanted_stems,
)

__all__ = [
    "NOTICE",
    "Command",
    "Kind",
    "has_stem",
    "may_be_command",
    "may_follow_command",
    "recognize",
    "recognize_answer",
    "unwanted_stems",
]
