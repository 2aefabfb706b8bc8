"""Recognizes a message to the memory itself, such as "forget that".

``recognize`` looks for a ``command`` in the sentences of a message, without what is polite around them, and compares
their words with ``command_forms``, one file a language; ``named_words`` says what these may be about.
``unrecognized`` is what may be meant as a command.
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
