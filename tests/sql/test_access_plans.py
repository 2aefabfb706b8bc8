"""What a person asks through REST is answered by an index, however many others there are."""

from __future__ import annotations

from tests.fixtures.db import Clone
from tests.fixtures.people import People

CROWD = """
insert into auth.users (id) select gen_random_uuid() from generate_series(1, 1500);
insert into public.user_profile_list (user_id, is_primary) select id, true from auth.users;
insert into public.conversations (user_id) select u.id from auth.users as u, generate_series(1, 4);
insert into public.messages (conversation_id, user_id, role, content)
  select c.id, c.user_id, 'user', 'x' from public.conversations as c, generate_series(1, 3);
insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source)
  select p.user_id, p.id, 'Likes number ' || n, 'fact', 'user'
  from public.user_profile_list as p, generate_series(1, 3) as n;
analyze;
"""

# What the frontend asks, without any filter but the policy's.
QUERIES = [
    "select * from public.user_memory order by created_at desc limit 25",
    "select * from public.user_memory where status = 'active' and memory_type = 'fact'",
    "select * from public.user_memory where memory_no = 3",
    "select * from public.messages order by created_at desc limit 25",
    "select * from public.messages where conversation_id = '00000000-0000-4000-8000-000000000001'",
    "select * from public.conversations",
    "select * from public.conversations_participants",
    "select * from public.user_profile_list",
    "update public.user_memory set pinned = true where memory_no = 3",
]


def test_access_plans__no_table_is_read_to_the_end(db: Clone, people: People) -> None:
    """Every plan starts from the person's own rows, and asks who they are once."""
    db.run(CROWD)
    ada = people.person("Ada")
    db.run("analyze")
    for query in QUERIES:
        with db.as_person(ada.user_id) as connection:
            plan = "\n".join(str(row["QUERY PLAN"]) for row in connection.execute(f"explain {query}".encode()))
        assert "Seq Scan on" not in plan, f"{query}\n{plan}"
        assert "InitPlan" in plan, f"{query}\n{plan}"
