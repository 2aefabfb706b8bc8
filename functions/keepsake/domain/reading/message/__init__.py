"""What is done with a message as a whole, before it is split.

- ``language``: whether rules for English can read it
- ``quoted_text``: masks what is not the author's own
- ``normalize_message``: standard spelling, and misspelled words
- ``previous_messages``: what an answer answers ("yeah peanuts"), whom a pronoun means, and who plays
"""

from keepsake.domain.reading.message.language import ENGLISH, is_other_language, is_unreadable
from keepsake.domain.reading.message.previous_messages import PreviousMessage, is_in_role_play
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text

__all__ = [
    "ENGLISH",
    "MASK",
    "PreviousMessage",
    "is_in_role_play",
    "is_other_language",
    "is_unreadable",
    "mask_quoted_text",
]
