"""Recognizes a message to the memory itself, such as "forget that".

``recognize`` takes the request that ``find_request`` finds by the ``command_classifier`` and the ``command_words``, of
which ``make_command`` makes a ``command``. ``unrecognized`` is what may be meant as one.
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
