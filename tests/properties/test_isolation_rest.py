"""Whatever a person asks PostgREST, however oddly, nothing of another's comes back or changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone, clone
from tests.fixtures.people import People
from tests.fixtures.rest import serve
from tests.fixtures.servers import Cluster
from tests.fixtures.tokens import person_token
from tests.rest.access import FUNCTIONS, TABLES
from tests.rest.attempts import CHANGES, Attempt, assert_nothing_of_theirs
from tests.rest.victim import Victim, everything_of, make_victim


@dataclass(frozen=True)
class Scene:
    """Ben's browser, and the one whose things it must not find."""

    db: Clone
    browser: httpx.Client
    victim: Victim
    before: dict[str, list[str]] = field(repr=False)


@pytest.fixture(scope="module")
def scene(cluster: Cluster, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with clone(cluster, template) as db, serve(db, tmp_path_factory.mktemp("rest")) as rest:
        people = People(db, FixedClock(datetime.now(UTC)))
        victim, ben = make_victim(db, people), people.person("Ben")
        people.memory(ben, "Plays the cello", conversation_id=people.conversation(ben))
        token = {"authorization": f"Bearer {person_token(ben.user_id)}", "connection": "close"}
        with httpx.Client(base_url=rest.url, headers=token, timeout=60) as browser:
            yield Scene(db, browser, victim, everything_of(db, victim))


TEXTS = {
    "conversation_summaries": ("summary",),
    "conversations": ("title", "mode"),
    "conversations_participants": (),
    "messages": ("content", "role"),
    "user_memory": ("memory_text", "source_quote", "value", "status"),
    "user_memory_alias_proposals": ("key", "variant", "status"),
    "user_memory_daily_summaries": ("summary", "generator"),
    "user_memory_monthly_summaries": ("emotional_summary", "cognitive_summary"),
    "user_memory_yearly_comparisons": ("growth",),
    "user_memory_forgotten_summaries": ("kind",),
    "user_memory_history_summaries": ("summary", "generator"),
    "user_memory_weekly_summaries": ("emotional_summary", "summary"),
    "user_memory_entities": ("key", "label", "kind"),
    "user_memory_place_mentions": (),
    "user_memory_places": ("place_id", "name", "notes", "source"),
    "user_memory_session_state": ("rolling_summary",),
    "user_memory_session_summaries": ("one_liner", "tone", "generator"),
    "user_memory_sessions": (),
    "user_memory_settings": (),
    "user_memory_spine": ("generator",),
    "user_memory_todos": ("todo_text", "source_quote", "status"),
    "user_profile_list": ("name", "nickname", "pronouns"),
}
EMBEDS = {
    "conversation_summaries": ("conversations",),
    "conversations": ("messages", "user_profile_list", "conversations_participants", "conversation_summaries"),
    "conversations_participants": ("conversations", "user_profile_list", "user_memory"),
    "messages": ("conversations", "user_memory"),
    "user_memory": ("user_profile_list", "messages", "conversations_participants"),
    "user_memory_alias_proposals": ("user_memory_entities", "user_profile_list"),
    "user_memory_daily_summaries": ("user_profile_list",),
    "user_memory_monthly_summaries": ("user_profile_list",),
    "user_memory_yearly_comparisons": ("user_profile_list",),
    "user_memory_forgotten_summaries": ("user_profile_list", "user_memory_sessions"),
    "user_memory_history_summaries": ("user_profile_list",),
    "user_memory_weekly_summaries": ("user_profile_list",),
    "user_memory_entities": ("user_profile_list", "user_memory_alias_proposals"),
    "user_memory_place_mentions": ("user_memory_places", "messages", "conversations_participants"),
    "user_memory_places": ("user_memory_place_mentions", "user_profile_list"),
    "user_memory_session_state": ("user_profile_list",),
    "user_memory_session_summaries": ("user_memory_sessions", "user_profile_list"),
    "user_memory_sessions": ("user_memory_session_summaries", "user_profile_list"),
    "user_memory_settings": (),
    "user_memory_spine": ("user_profile_list",),
    "user_memory_todos": ("user_profile_list", "messages", "conversations_participants"),
    "user_profile_list": ("user_memory", "conversations", "conversations_participants"),
}
WORDS = (
    *("like.*canary*", "ilike.CANARY%", "match.^canary", "not.like.Plays*", "fts.canary", "wfts(english).canary -x"),
    *("imatch.c.n.ry", "like(any).{{canary*,*}}", "not.is.null", "eq.canary", "lt.zzz", "plfts(simple).canary"),
)
ODDITIES = (
    *("*", "count()", "id.count()", "memory_text.max()", "retention_days->fact", "retention_days->>fact::int", "a:*"),
    *("user_id::regclass", "memory_text::user_memory", "users(*)", "...user_memory(*)", "messages!inner(*)", "xmin"),
    *(
        "user_memory!user_memory_supersedes(*)",
        "auth.users(*)",
        "search_user_memory",
        "profile_id(*)",
        "tableoid::text",
    ),
)


Drawn = TypeVar("Drawn")


def seldom(usual: st.SearchStrategy[Drawn], odd: st.SearchStrategy[Drawn]) -> st.SearchStrategy[Drawn]:
    """Mostly what is well formed, so that most requests are answered and not only refused."""
    return st.integers(0, 7).flatmap(lambda number: usual if number else odd)


def columns(table: str) -> st.SearchStrategy[str]:
    """A column of a table, seldom one that it has not."""
    keys = "conversation_id" if table.startswith("conversation_") else "user_id"
    return seldom(st.sampled_from((keys, *TEXTS[table])), st.sampled_from(("id", "meta", "retention_days", "nothing")))


@st.composite
def selects(draw: st.DrawFn, table: str, depth: int = 2) -> str:
    """A select list: columns with aliases and casts, and what is related embedded or spread in it, to some depth."""
    alias = st.sampled_from(("", "", "a:", "id:"))
    cast = st.sampled_from(("", "", "::text"))
    choices = [st.just("*"), st.builds("{}{}{}".format, alias, columns(table), cast)]
    if depth and EMBEDS[table]:
        target = draw(st.sampled_from(EMBEDS[table]))
        join = st.sampled_from(("", "", "!inner", "!left"))
        lead = st.sampled_from(("", "", "a:", "..."))
        choices.append(st.builds("{}{}{}({})".format, lead, st.just(target), join, selects(target, depth - 1)))
    chosen = seldom(st.one_of(choices), st.sampled_from(ODDITIES))
    return ",".join(draw(st.lists(chosen, min_size=1, max_size=3, unique=True)))


@st.composite
def conditions(draw: st.DrawFn, victim: Victim, table: str) -> tuple[str, str]:
    """A filter as PostgREST writes it, on ids and on words; alone, negated, or within or/and."""
    mark = draw(st.sampled_from(sorted(victim.secrets() - {"canary"})))
    of_ids = st.sampled_from(("eq.{}", "neq.{}", "in.({})", "gt.{}", "not.eq.{}", "isdistinct.{}", "is.null", "gte.{}"))
    of_words = st.sampled_from(WORDS)
    column = draw(columns(table))
    operators = of_words if column in TEXTS[table] else of_ids
    condition = draw(seldom(operators, st.sampled_from(("cs.{{}}", "ov.(1,2)", "sl.1", "eq", "is.nothing", "any.{}"))))
    condition = condition.format(mark)
    kind = draw(st.sampled_from(("plain", "plain", "or", "not.and")))
    if kind in {"or", "not.and"}:
        return kind, f"({column}.{condition},and({draw(columns(table))}.not.is.null,{column}.is.null))"
    return column, condition


@st.composite
def requests(draw: st.DrawFn, victim: Victim) -> Attempt:
    """A request of any verb, with any of what PostgREST reads in it."""
    verb = draw(st.sampled_from(("GET", "GET", "GET", "HEAD", "POST", "PATCH", "DELETE")))
    function = draw(st.sampled_from((None, None, None, *sorted(FUNCTIONS))))
    table = "user_memory" if function else draw(st.sampled_from(sorted(TABLES)))
    params: list[tuple[str, str]] = []
    if function in {None, "search_user_memory"}:  # the others return no rows to filter
        params += draw(st.lists(conditions(victim, table), max_size=2))
        params += draw(st.lists(st.tuples(st.just("select"), selects(table)), max_size=1) | reaches(victim, table))
        usual = st.sampled_from((("limit", "1"), ("columns", "user_id"), ("order", "user_id.desc.nullslast")))
        odd = st.sampled_from((("limit", "-1"), ("offset", "9"), ("on_conflict", "user_id"), ("order", "nothing")))
        params += draw(st.lists(seldom(usual, odd), max_size=1))
    headers = dict(draw(st.lists(preferences() | odd_headers(), max_size=2)))
    if function is not None:
        arguments = {name: str(victim.ids.get(value, value)) for name, value in FUNCTIONS[function].items()}
        if verb in {"GET", "HEAD"}:
            return Attempt(verb, f"/rpc/{function}", {"params": [*params, *arguments.items()], "headers": headers})
        return Attempt("POST", f"/rpc/{function}", {"params": params, "headers": headers, "json": arguments})
    body = {"json": draw(bodies(victim, table))} if verb in {"POST", "PATCH"} else {}
    return Attempt(verb, f"/{table}", {"params": params, "headers": headers, **body})


def reaches(victim: Victim, table: str) -> st.SearchStrategy[list[tuple[str, str]]]:
    """An embedded resource, with a filter on it that the victim's row would pass."""
    if not EMBEDS[table]:
        return st.just([])
    return st.builds(
        lambda target, join, mark: [("select", f"*,{target}{join}(*)"), (f"{target}.{join and 'not.'}or", f"({mark})")],
        st.sampled_from(EMBEDS[table]),
        st.sampled_from(("", "!inner")),
        st.sampled_from(("conversation_id.not.is.null", f"user_id.eq.{victim.account.user_id}")),
    )


def odd_headers() -> st.SearchStrategy[tuple[str, str]]:
    """Other media types, the plan of the query, ranges, and schemas that are not exposed."""
    accepted = ("text/csv", "*/*", "application/vnd.pgrst.object+json", "application/geo+json", "text/plain")
    plan = 'application/vnd.pgrst.plan+text; for="application/json"; options=verbose'
    return st.one_of(
        st.tuples(st.just("accept"), st.sampled_from((*accepted, plan))),
        st.tuples(st.just("range"), st.sampled_from(("0-0", "0-", "5-1", "-1", "a"))),
        st.tuples(st.just("accept-profile"), st.sampled_from(("public", "keepsake"))),
    )


def preferences() -> st.SearchStrategy[tuple[str, str]]:
    """The Prefer header: several preferences at once, also ones that contradict each other."""
    known = (
        *("return=representation", "return=minimal", "return=headers-only", "count=exact", "count=planned"),
        *("resolution=merge-duplicates", "resolution=ignore-duplicates", "missing=default", "tx=rollback"),
        *("handling=strict", "handling=lenient", "max-affected=1", "params=single-object", "timezone=Asia/Tokyo"),
    )
    several = st.lists(st.sampled_from(known), min_size=1, max_size=4).map(", ".join)
    return st.tuples(st.just("prefer"), several)


def bodies(victim: Victim, table: str) -> st.SearchStrategy[Any]:
    """What is sent: a change, and the victim's key; one row, several, or nothing that is a row."""
    known = {**CHANGES[table], **victim.row(table)}
    rows = st.lists(st.sampled_from(sorted(known)), unique=True).map(
        lambda names: {name: known[name] for name in names}
    )
    return st.one_of(rows, st.lists(rows, max_size=2), st.just(CHANGES[table]), st.sampled_from((None, "canary", [])))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_nothing_of_anothers__comes_back_or_changes_whatever_is_asked(scene: Scene, data: st.DataObject) -> None:
    """No answer of any kind, refusals and the plans of queries included, holds what is another's."""
    request = data.draw(requests(scene.victim))
    answer = request.by(scene.browser)
    event(f"{request.verb} {answer.status_code // 100}xx")
    assert_nothing_of_theirs(answer, scene.victim)
    if request.verb in {"POST", "PATCH", "DELETE"}:
        assert everything_of(scene.db, scene.victim) == scene.before


def test_what_is_looked_for__would_be_recognized(scene: Scene) -> None:
    """The same judgment, of what the person themselves reads, is red."""
    own = {"authorization": f"Bearer {person_token(scene.victim.account.user_id)}"}
    for table in TABLES:
        answer = scene.browser.get(f"/{table}", headers=own)
        with pytest.raises(AssertionError):
            assert_nothing_of_theirs(answer, scene.victim)
