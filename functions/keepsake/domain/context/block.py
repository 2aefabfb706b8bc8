"""What a context may contain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from keepsake.domain.context.identity_line import UNNAMED, IdentityLine
from keepsake.domain.context.outline import Outline
from keepsake.domain.context.period_texts import PeriodText
from keepsake.domain.context.selection import SelectedMemory
from keepsake.domain.memory import Memory


@dataclass(frozen=True, slots=True)
class Block:
    """Everything a context may contain; ``now`` is in the person's time zone, ``chosen`` is best first."""

    now: datetime
    identity: IdentityLine = UNNAMED
    chosen: Sequence[SelectedMemory] = ()
    answer_preferences: Sequence[Memory] = ()
    """How the person wants to be answered; they have a line of their own."""
    emotion_state: str | None = None
    """From the host application, as is the stage of the relationship."""
    relationship_stage: str | None = None
    outcome: str | None = None
    """The result of the chat command that the message was."""
    question: str | None = None
    """What an agent asks for and the person is to answer: our own words, and the memories' in quotes."""
    listed_count: int = 0
    """How many memories there are, where the person asked for a list."""
    period_summaries: Sequence[tuple[str, Outline | None]] = ()
    """The names of the periods that the message asks about, and their summaries."""
    last_session: Outline | None = None
    """This field and the following are for the first message of a conversation."""
    spine: Outline | None = None
    rolling_summary: Outline | None = None
    periods: Sequence[PeriodText] = ()
    """What the days, the weeks and the month of late were about, the newest first; they take the room that is left."""
    people: Sequence[str] = ()
    """Whom the spine names; shown where the periods do not tell of them."""
    merged_context: Outline | None = None
    """Facts, the current day and the history in one text; of the following two, what is newer is shown beside it."""
    current_day: Outline | None = None
    history: Outline | None = None
    todos: Sequence[Outline] = ()
    """For a message that asks for them too."""
    has_todo_question: bool = False
    places: Sequence[str] = ()

    @property
    def are_periods_by_rules(self) -> bool:
        """Whether rules wrote of all the periods: then memories tell better what these tell too."""
        return bool(self.periods) and all(one.yields for one in self.periods)
