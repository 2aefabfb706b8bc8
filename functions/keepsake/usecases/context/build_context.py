"""What a context is made of: the memories a message needs, chosen and rendered within the limits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from uuid import UUID

from keepsake.domain.commands import CommandResult
from keepsake.domain.context.identity_line import identity_line
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.render import Block, Rendered, render
from keepsake.domain.context.scoring import Strategy
from keepsake.domain.context.selection import SelectedMemory, Selection, select_memories
from keepsake.domain.text import truncate_at_sentence
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import agents, selection
from keepsake.store.injections import Asked
from keepsake.usecases.context.command_listing import beside, listed, listed_count, lists
from keepsake.usecases.context.query_vector import MessageVector

_QUERY_LENGTH = 4_000
_MOST_PLACES = 5
_NOTHING = Rendered("", (), (), 0)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller wants a context for: a saved message, or one about to be saved; and how much at most."""

    conversation_id: UUID
    message_id: UUID | None = None
    user_id: UUID | None = None
    user_message: str | None = None
    max_memories: int | None = None
    token_budget: int | None = None
    history: bool = False
    emotion_state: str | None = None
    relationship_stage: str | None = None


async def context(
    resources: Resources,
    conn: Connection,
    wish: Wish,
    asked: Asked,
    now: datetime,
    *,
    meaning: MessageVector,
    command: CommandResult | None,
    question: str | None = None,
) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
    """Select from the author's own memories, and render what was chosen."""
    limits = _limits(resources, wish, first_message=asked.first_message)
    selected = await _selected(resources, conn, asked, now, limits=limits, meaning=meaning)
    if selected is None:
        return _NOTHING, ()
    block = Block(
        now=_local(now, asked),
        identity=identity_line(selected.identity, name=asked.name, nickname=asked.nickname, pronouns=asked.pronouns),
        chosen=listed(command, wish.max_memories) if lists(command) else beside(command, selected.chosen),
        emotion_state=wish.emotion_state,
        relationship_stage=wish.relationship_stage,
        outcome=command.message if command else None,
        question=question,
        listed_count=listed_count(command),
        places=await _places(conn, asked),
    )
    return _rendered(resources, block, limits)


async def _places(conn: Connection, asked: Asked) -> list[str]:
    """Places of interest, at the beginning of a conversation that nobody else reads."""
    author, profile_id = asked.facts.author, asked.facts.profile_id
    if not asked.first_message or not asked.has_places or asked.shared or author is None or profile_id is None:
        return []
    return await agents.places_of_interest(conn, user_id=author, profile_id=profile_id, most=_MOST_PLACES)


async def _selected(
    resources: Resources, conn: Connection, asked: Asked, now: datetime, *, limits: Limits, meaning: MessageVector
) -> Selection | None:
    """What the message gets of the author's own memories; None without an author, which the guard has seen to."""
    message, author, profile_id = message_of(asked), asked.facts.author, asked.facts.profile_id
    if author is None or profile_id is None:
        return None
    strategy = Strategy(resources.settings.selection_strategy)
    find = partial(
        selection.candidates,
        conn,
        user_id=author,
        profile_id=profile_id,
        persona_id=asked.persona_id,
        types=asked.allowed_types,
        now=now,
        languages=_languages(asked.locale),
        shared=asked.shared,
        strategy=strategy,
    )
    choose = partial(
        select_memories,
        message=message,
        now=now,
        limits=limits,
        shared=asked.shared,
        strategy=strategy,
        vector_unavailable_reason=None if meaning.why_not == "off" else meaning.why_not,
    )
    found = await find(query=message, question_vector=meaning.vector, vector_model=meaning.model)
    selected = choose(found)
    if asked.first_message and len(selected.chosen) < limits.memories:  # only then are all memories read
        known = {one.memory.id for one in found}
        best = [one for one in await find(query="", best_alone=True) if one.memory.id not in known]
        selected = choose([*found, *best], first_message=True)
    return selected


def outcome_alone(
    resources: Resources, wish: Wish, asked: Asked, now: datetime, command: CommandResult | None
) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
    """What a person who is given no memories is told: what came of their command, if it was one."""
    if command is None:
        return _NOTHING, ()
    block = Block(
        now=_local(now, asked),
        chosen=listed(command, wish.max_memories),
        outcome=command.message,
        listed_count=listed_count(command),
    )
    return _rendered(resources, block, _limits(resources, wish, first_message=asked.first_message))


def _rendered(resources: Resources, block: Block, limits: Limits) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
    rendered = render(block, resources.count_tokens, budget=limits.tokens)
    shown = set(rendered.memory_ids)
    return rendered, tuple(one for one in block.chosen if one.memory.id in shown)


def message_of(asked: Asked) -> str:
    """As much of the message as is looked at."""
    return truncate_at_sentence(asked.facts.text, _QUERY_LENGTH)[0]


def _limits(resources: Resources, wish: Wish, *, first_message: bool) -> Limits:
    """The limits of the settings, which the caller may only lower."""
    settings = resources.settings
    most = settings.first_token_budget if first_message else settings.token_budget
    wanted = settings.max_memories if wish.max_memories is None else min(settings.max_memories, wish.max_memories)
    tokens = most if wish.token_budget is None else min(most, wish.token_budget)
    return Limits.of(first_message=first_message, max_memories=wanted, token_budget=tokens)


def _local(now: datetime, asked: Asked) -> datetime:
    """The moment in the person's time zone; in UTC where theirs is not known."""
    known = find_timezone(asked.timezone)
    if known is None and asked.timezone:
        _warn_of_zone(asked.facts.profile_id)
    return now.astimezone(known or UTC)


def _languages(locale: str | None) -> tuple[str, ...]:
    """What the message's words are stemmed by: the language of the person's locale, and English, which rules write."""
    own = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", locale or "")
    return (own[0].lower(), "en") if own else ("en",)


@lru_cache(maxsize=10_000)
def _warn_of_zone(profile_id: UUID | None) -> None:
    """Say once a profile that its time zone is none."""
    log.warning("a profile names an unknown time zone; UTC is used", profile_id=str(profile_id))
