"""Recognizes a message to the memory itself, such as "forget that".

``recognize`` makes a ``command`` of the request that ``find_request`` finds by the ``command_classifier`` and the
``command_words``; ``commands_with_subject`` says what it is about, and puts a German clause into the order of a
``verb_second``. ``unrecognized`` is what may be meant as a command.
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
