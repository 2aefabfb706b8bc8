"""Builds a context: selects the memories that a message needs, and renders them within the limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from uuid import UUID

from keepsake.domain.commands.outcome import CommandResult
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.context.block import Block
from keepsake.domain.context.first_context_selection import Opening, QuestionSpan, introduce, said_within
from keepsake.domain.context.identity_line import IdentityLine, has_shown_name, identity_line
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.render import Rendered, render
from keepsake.domain.context.scoring import ScoredMemory, Strategy
from keepsake.domain.context.selection import SelectedMemory, Selection, select_memories
from keepsake.domain.context.topics import requested_topics
from keepsake.domain.context.unasked_statements import is_shown_unasked
from keepsake.domain.extraction.query_languages import query_languages
from keepsake.domain.memory import Memory, Source
from keepsake.domain.reading.commands import has_stem, unwanted_stems
from keepsake.domain.screening.screen import rejection_of_text, shown_name
from keepsake.domain.text import truncate_at_sentence
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import agent_tool
from keepsake.store.context_candidates import CandidateQuery, find_candidates, find_introduction
from keepsake.store.injections import InjectionTurn
from keepsake.usecases.context.command_listing import is_listing, listed_count, listed_memories, without_reported
from keepsake.usecases.context.opening_sections import is_todo_question, read_opening, request_opening
from keepsake.usecases.context.past_summaries import SpanInQuestion, find_spans_in_question, named_summaries
from keepsake.usecases.context.query_vector import MessageVector

_QUERY_LENGTH = 4_000
_MAX_PLACES = 5
_NOTHING = Rendered("", (), (), 0)


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """A request for a context: of a saved message, or of one about to be saved; and its limits."""

    conversation_id: UUID
    message_id: UUID | None = None
    user_id: UUID | None = None
    user_message: str | None = None
    max_memories: int | None = None
    token_budget: int | None = None
    history: bool = False
    user_name: str | None = None
    emotion_state: str | None = None
    relationship_stage: str | None = None


@dataclass(frozen=True, slots=True)
class ContextBuilder:
    """Builds the context for a message in an open transaction.

    Both ways return what was rendered, and the memories in it.
    """

    resources: Resources
    conn: Connection
    request: ContextRequest
    injected: InjectionTurn
    now: datetime
    vector: MessageVector
    command: CommandResult | None = None
    """The result of the command that the message contains."""

    async def build(self, question: str | None) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
        """Select from the author's own memories; ``question`` is what the person has to be asked or told."""
        spans = find_spans_in_question(self.injected, self.now)
        requested = await request_opening(self.conn, self.injected, self.now)
        limits = self._limits(is_full=self.injected.first_message or bool(spans))
        period_summaries = await named_summaries(self.conn, self.injected, spans, self.now)
        are_over = all(one.end <= self.now for one in spans)
        are_summarized = are_over and bool(period_summaries) and all(outline for _, outline in period_summaries)
        selected = await self._select(spans, limits, are_summarized=are_summarized)
        if selected is None:
            return _NOTHING, ()
        opening = await read_opening(self.conn, self.injected, self.now, requested)
        chosen: Sequence[SelectedMemory] = without_reported(self.command, selected.chosen)
        if unwanted := unwanted_stems(self.injected.turn.text):
            chosen = [one for one in chosen if not has_stem(one.memory.text, unwanted)]
        if is_listing(self.command):
            chosen = listed_memories(self.command, self.request.max_memories)
        return self._render(
            replace(
                self._block(selected.identity),
                chosen=[one for one in chosen if has_shown_name(one.memory)],
                answer_preferences=selected.answer_preferences,
                question=question,
                places=await self._places(),
                period_summaries=period_summaries,
                has_todo_question=is_todo_question(self.injected),
                **opening,
            ),
            limits,
        )

    def build_without_memories(self) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
        """No memories are selected: date, time and name, and the result of the command."""
        chosen = listed_memories(self.command, self.request.max_memories)
        is_full = self.injected.first_message or bool(find_spans_in_question(self.injected, self.now))
        return self._render(replace(self._block(()), chosen=chosen), self._limits(is_full=is_full))

    def _block(self, identity: Sequence[Memory]) -> Block:
        """What every context has."""
        return Block(
            now=self._local_time(),
            identity=self._identity(identity),
            chosen=(),
            emotion_state=self.request.emotion_state,
            relationship_stage=self.request.relationship_stage,
            outcome=self.command.message if self.command else None,
            listed_count=listed_count(self.command),
        )

    def _render(self, block: Block, limits: Limits) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
        rendered = render(block, self.resources.count_tokens, budget=limits.tokens)
        shown = set(rendered.memory_ids)
        return rendered, tuple(one for one in block.chosen if one.memory.id in shown)

    async def _places(self) -> list[str]:
        """Places of interest, for the first message of a conversation that nobody else reads."""
        injected, author, profile_id = self.injected, self.injected.turn.author, self.injected.turn.profile_id
        is_wanted = injected.first_message and injected.has_places and not injected.shared
        if not is_wanted or author is None or profile_id is None:
            return []
        places = await agent_tool.places_of_interest(
            self.conn, user_id=author, profile_id=profile_id, limit=_MAX_PLACES
        )
        return [place for place in places if rejection_of_text(place) is None]  # a person edits places directly

    async def _select(
        self, spans: Sequence[SpanInQuestion], limits: Limits, *, are_summarized: bool
    ) -> Selection | None:
        """The selection for the message; None without an author, which the consent guard excludes.

        ``are_summarized`` says that the periods that the message asks about are over, and summaries tell of them.
        """
        injected, turn, text = self.injected, self.injected.turn, query_text(self.injected.turn)
        strategy = Strategy(self.resources.settings.selection_strategy)
        if turn.author is None or turn.profile_id is None:
            return None
        query = CandidateQuery(
            user_id=turn.author,
            profile_id=turn.profile_id,
            persona_id=turn.persona_id,
            types=turn.consent.allowed_types,
            now=self.now,
            text=text,
            languages=query_languages(text, injected.locale),
            shared=injected.shared,
            strategy=strategy,
            vector=self.vector.vector,
            vector_model=self.vector.model,
            all_of_few=strategy is Strategy.FUSED and bool(requested_topics(text)),
        )
        found = await find_candidates(self.conn, query)
        is_introduced = injected.first_message and strategy is not Strategy.PRIOR
        introduction = await find_introduction(self.conn, query) if is_introduced else []
        numbers = {one.memory.memory_no for one in found}
        found += [one for one in introduction if one.memory.memory_no not in numbers]
        return select_memories(
            found,
            message=text,
            now=self.now,
            limits=limits,
            opening=_opening(spans, introduction, self._local_time(), are_summarized=are_summarized)
            if is_introduced
            else None,
            shared=injected.shared,
            strategy=strategy,
            vector_unavailable_reason=None if self.vector.outcome is None else self.vector.unavailable_reason,
        )

    def _identity(self, memories: Sequence[Memory]) -> IdentityLine:
        """The name from memories, else from the person's own profile, else from the host."""
        injected = self.injected
        if injected.turn.consent.profile_owner != injected.turn.author:
            return identity_line(memories, name=self.request.user_name)
        return identity_line(
            memories,
            name=shown_name(injected.name) or self.request.user_name,
            nickname=shown_name(injected.nickname),
            pronouns=shown_name(injected.pronouns),
        )

    def _limits(self, *, is_full: bool) -> Limits:
        """The limits of the settings, which the caller may only lower; full where much is to be told."""
        settings, request, first = self.resources.settings, self.request, self.injected.first_message
        tokens = settings.first_token_budget if is_full else settings.token_budget
        memories = settings.max_memories
        if request.max_memories is not None:
            memories = min(memories, request.max_memories)
        if request.token_budget is not None:
            tokens = min(tokens, request.token_budget)
        return Limits.of(first_message=first, max_memories=memories, token_budget=tokens)

    def _local_time(self) -> datetime:
        """The time in the person's time zone, or in UTC where it is not known."""
        timezone = self.injected.turn.timezone
        if timezone and find_timezone(timezone) is None:
            _warn_of_zone(self.injected.turn.profile_id)
        return self.now.astimezone(self.injected.zone)


def _opening(
    spans: Sequence[SpanInQuestion], introduction: Sequence[ScoredMemory], now: datetime, *, are_summarized: bool
) -> Opening:
    """What the first context of a conversation shows beside what is relevant.

    Of periods with summaries these tell what rules read in their messages, with what was said around it.
    """
    if spans:
        spoken_of = [
            QuestionSpan(one.start, one.end, (one.span.periods[0].first, one.span.periods[-1].last)) for one in spans
        ]
        return partial(said_within, spans=spoken_of, is_quoted=_is_quoted if are_summarized else None)
    numbers = {one.memory.memory_no for one in introduction if is_shown_unasked(one.memory, now)}
    return lambda pool: introduce([one for one in pool if one.memory.memory_no in numbers])


def _is_quoted(memory: Memory) -> bool:
    """Whether the summary of the period in which it was said tells a memory."""
    return memory.source is Source.RULE_EXTRACTION and not memory.pinned


def query_text(turn: TurnContext) -> str:
    """The part of the message that is searched with."""
    return truncate_at_sentence(turn.text, _QUERY_LENGTH)[0]


@lru_cache(maxsize=10_000)
def _warn_of_zone(profile_id: UUID | None) -> None:
    """Warn once per profile that its time zone is unknown."""
    log.warning("a profile names an unknown time zone; UTC is used", profile_id=str(profile_id))
