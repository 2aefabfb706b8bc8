"""Laws of chat commands: no words break out of the line that tells of them, and any message can be looked at."""

from __future__ import annotations

import re
from typing import get_args
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.commands.match_subject import memories_about
from keepsake.domain.commands.outcome import Outcome, Status
from keepsake.domain.commands.replies import reply_text
from keepsake.domain.context.block import Block
from keepsake.domain.context.render import CLOSING, OPENING, render
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.recognize import recognize
from keepsake.infra.models.token_counter import estimate_tokens
from tests.properties.strategies import texts
from tests.support.memories import NOW, memory

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOLD = re.compile(rf"Memory command: (?:[\w .,;:()'-]|{_STRING})*")
_SAID = st.sampled_from(
    ["forget ", "remember that I ", "what do you know about ", "don't save this: ", "undo ", "forget everything about "]
)
statuses = st.sampled_from(get_args(Status))
reasons = st.none() | st.sampled_from(["secret", "already", "this_turn", "remember", "no_persona", "disabled"])


outcomes = st.builds(
    lambda status, reason, said: Outcome(status, tuple(map(memory, said)), UUID(int=1), reason, UUID(int=2)),
    statuses,
    reasons,
    st.lists(texts, max_size=7),
)


@given(kind=st.sampled_from(Kind), outcome=outcomes, subject=texts, shared=st.booleans())
def test_outcome__is_one_line_of_our_words_whatever_the_persons_are(
    *, kind: Kind, outcome: Outcome, subject: str, shared: bool
) -> None:
    line = reply_text(Command(kind, subject=subject), outcome, shared=shared)
    context = render(Block(NOW, outcome=line), estimate_tokens, budget=5_000).context
    opening, _, _, command, *_, closing = context.split("\n")
    assert (opening, closing) == (OPENING, CLOSING)
    assert _TOLD.fullmatch(command)


@given(st.text(max_size=200), _SAID, st.text(max_size=200))
def test_recognize__reads_any_message(before: str, order: str, after: str) -> None:
    for text in (f"{before}{order}{after}", f"{order}{after}", f"{before}\n{order}"):
        command = recognize(text)
        if command is not None and command.kind is Kind.FORGET_SUBJECT:
            assert command.subject
            memories_about(command.subject, [(memory("Likes pizza"), False)])
