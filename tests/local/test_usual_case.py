"""The usual case of docs/existing-tables.md, typed as it is printed, for an application of its own layout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg

from keepsake.local.servers.npm_packages import node, node_environment, supabase_cli
from tests.architecture.source import ROOT
from tests.fixtures.db import Clone
from tests.fixtures.rest import serve
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL, person_token
from tests.local.test_docs import PAGES, blocks, code
from tests.operations.test_adopt import ADA
from tests.rest.gateway import KEYS, served

APPLICATION = f"""
insert into auth.users (id) values ('{ADA}');
create table public.accounts (id uuid primary key references auth.users (id) on delete cascade, first_name text);
insert into public.accounts values ('{ADA}', 'Ada');
create table public.conversations (id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts (id) on delete cascade, topic text, archived_at timestamptz);
create table public.conversation_items (id bigint generated always as identity primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  author_type text not null check (author_type in ('customer', 'agent')), body text, sent_at timestamptz default now());
insert into public.conversations (account_id) values ('{ADA}');
insert into public.conversation_items (conversation_id, author_type, body)
  select id, 'customer', 'My favourite food is ramen.' from public.conversations;
insert into public.conversation_items (conversation_id, author_type, body)
  select id, 'agent', 'Noted.' from public.conversations;
"""
SIGNED_IN = """
import {{ createClient }} from "@supabase/supabase-js";
const supabase = createClient({url}, {key}, {{ accessToken: async () => {token} }});
const {{ error }} = {call}
if (error) throw new Error(error.message);
"""
(PAGE,) = (page for page in PAGES if page.name == "existing-tables.md")


def _printed(kind: str, name: str) -> str:
    (found,) = (block["code"] for block in blocks(PAGE) if (block["kind"], block["name"]) == (kind, name))
    return str(found)


def _type(name: str, db: Clone, folder: Path) -> str:
    """Run a block of the page in a shell, in the folder beside the application."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "DATABASE_URL": db.api_url,
        "MIGRATION_DATABASE_URL": db.owner_url,
        "SUPABASE_URL": PROJECT_URL,
        "SUPABASE_JWT_SECRET": JWT_SECRET,
    }
    script = ["bash", "-ec", _printed("sh", name)]
    done = subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _agree(rest_url: str) -> None:
    """Run what the page has in the frontend, with supabase-js, as Ada."""
    supabase_cli()  # installs what package.json names, supabase-js among it, where it is not there yet
    call = _printed("javascript", "agree")
    with served(rest_url) as url:
        given = {"url": url, "key": KEYS.publishable_key, "token": person_token(ADA)}
        script = SIGNED_IN.format(**{name: json.dumps(value) for name, value in given.items()}, call=call)
        command = [str(node()), "--input-type=module", "-e", script]
        done = subprocess.run(command, cwd=ROOT, env=node_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_usual_case__as_it_is_printed(blank_db: Clone, tmp_path: Path) -> None:
    """From the first look to a memory of what was said before; the application's tables stay as they are."""
    db = blank_db
    with psycopg.connect(db.owner_url) as owner:
        owner.execute(APPLICATION.encode())
    (tmp_path / "my-app" / "migrations").mkdir(parents=True)
    counts = "1 chats found, 1 readable, 0 skipped"
    looked = _type("look", db, tmp_path)
    assert counts in looked
    assert "role  author_type: customer; of answers agent" in looked
    assert "keepsake migrate --also my-app/migrations/" in _type("write", db, tmp_path)
    assert "_keepsake_copies.sql." in _type("apply", db, tmp_path)
    with psycopg.connect(db.owner_url) as owner:
        owner.execute(code("functions login").encode())
    with serve(db, tmp_path) as rest:
        _agree(rest.url)
    assert f"✓ chats: {counts}" in _type("read", db, tmp_path)
    memories = db.all("select memory_text from public.user_memory where source = 'rule_extraction'")
    assert [row["memory_text"] for row in memories] == ["Favorite food is ramen"]
    columns = db.all("select * from public.conversations")
    assert set(columns[0]) == {"id", "account_id", "topic", "archived_at"}
