"""Which merged contexts are due, what they are merged from, and the cache."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime

from psycopg.rows import args_row, class_row, dict_row

from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.summaries.citable import memory_ids_of, message_ids_of
from keepsake.domain.summaries.cited import Content, sources_of, text_of
from keepsake.domain.summaries.local_days import ZoneHistory
from keepsake.domain.summaries.merged_context import ContextInputs, Fact
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.infra.database import Connection, queries
from keepsake.store import spine
from keepsake.store.row_keys import ProfileKey

_SQL = queries.load("merged_context_cache")
_MAX_FACTS = 40


@dataclass(frozen=True, slots=True)
class CacheKey:
    """What a stored context was merged from, and the day for which it counts."""

    day: date
    facts_hash: str
    day_hash: str
    history_hash: str
    prompt_version: str | None
    days_since: int
    """How many days were written, or written anew, since."""
    has_other_facts: bool
    """Whether a fact ended or became doubtful since."""

    @property
    def hashes(self) -> tuple[str, str, str]:
        """The hashes in the order of the inputs."""
        return self.facts_hash, self.day_hash, self.history_hash


async def claim_due(
    conn: Connection, *, now: datetime, next_attempt_at: datetime, not_before: datetime, limit: int
) -> list[ProfileKey]:
    """The next profiles whose context is due; a change makes it due again ``not_before`` this moment."""
    params = {"now": now, "next_attempt_at": next_attempt_at, "not_before": not_before, "limit": limit}
    return await _SQL["claim_due"].all(conn, args_row(ProfileKey), **params)


async def mark(conn: Connection, profile: ProfileKey, *, now: datetime) -> None:
    """Make the context of a profile due."""
    await _SQL["mark"].execute(conn, **profile.params, now=now)


async def model_wait(conn: Connection, profile: ProfileKey) -> ModelWait:
    """How long a context has waited for the model."""
    return await _SQL["model_wait"].one(conn, class_row(ModelWait), **profile.params) or ModelWait()


async def wait_for_model(conn: Connection, profile: ProfileKey, *, due_at: datetime, wait: ModelWait) -> None:
    """Keep a context due until the model is asked again."""
    await _SQL["wait_for_model"].execute(conn, **profile.params, due_at=due_at, **asdict(wait))


async def postpone(conn: Connection, profile: ProfileKey, *, due_at: datetime) -> None:
    """Make a context again at this moment, or earlier if a memory changed meanwhile."""
    await _SQL["postpone"].execute(conn, **profile.params, due_at=due_at)


async def finish(conn: Connection, profile: ProfileKey) -> None:
    """Remove a profile in which nothing was said lately."""
    await _SQL["finish"].execute(conn, **profile.params)


async def read_inputs(conn: Connection, profile: ProfileKey, history: ZoneHistory, today: date) -> ContextInputs:
    """What the context of today is merged from."""
    sources = await spine.read_sources(conn, profile, history, from_day=today)
    day, past = [await _SQL[name].one(conn, dict_row, **profile.params, today=today) for name in ("day", "history")]
    return ContextInputs(
        [Fact(memory.id, memory.text, memory.day) for memory in sources.memories[:_MAX_FACTS]],
        day["summary"] if day else "",
        past["summary"] if past else "",
        list(dict.fromkeys(memory_id for one in (day, past) if one for memory_id in one["memory_ids"])),
        SummaryRef(day["id"], tuple(day["message_ids"])) if day else None,
        SummaryRef(past["id"], tuple(past["message_ids"])) if past else None,
    )


async def read_key(conn: Connection, profile: ProfileKey) -> CacheKey | None:
    """What the stored context was merged from; None where there is none."""
    return await _SQL["hashes"].one(conn, class_row(CacheKey), **profile.params)


async def write(
    conn: Connection,
    profile: ProfileKey,
    inputs: ContextInputs,
    content: Content,
    *,
    today: date,
    prompt_version: str,
    now: datetime,
) -> None:
    """Store a merged context, with the messages that it cites and those of the memories that it cites."""
    facts_hash, day_hash, history_hash = inputs.hashes
    cited = sources_of(content)
    fact_ids = [fact.id for fact in inputs.facts]
    await _SQL["write"].execute(
        conn,
        **profile.params,
        today=today,
        context=text_of(content, "context"),
        facts_hash=facts_hash,
        day_hash=day_hash,
        history_hash=history_hash,
        fact_ids=fact_ids,
        memory_ids=list(dict.fromkeys([*fact_ids, *inputs.memory_ids])),
        summary_ids=[ref.id for ref in (inputs.day_ref, inputs.history_ref) if ref],
        message_ids=message_ids_of(cited),
        cited_ids=memory_ids_of(cited),
        prompt_version=prompt_version,
        now=now,
    )


async def keep(conn: Connection, profile: ProfileKey, *, today: date) -> None:
    """Mark the stored context as valid for today."""
    await _SQL["keep"].execute(conn, **profile.params, today=today)


async def delete(conn: Connection, profile: ProfileKey) -> None:
    """Delete the merged context of a profile."""
    await _SQL["delete"].execute(conn, **profile.params)
