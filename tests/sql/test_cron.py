"""The schedule for Supabase, on a real Postgres with Debian's pg_cron: each job calls its function with the key."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from keepsake.errors import MisconfiguredError
from keepsake.infra.package_files import IS_CHECKOUT
from keepsake.local.servers.postgres import EmbeddedPostgres
from keepsake.local.stack.scheduler import SCHEDULE
from keepsake.operations.check_use import check_schedule
from keepsake.operations.schedule import PERIODIC_FUNCTIONS, write_schedule
from tests.fixtures.servers import SYSTEM_BINARIES, server_folder

ROOT = Path(__file__).parents[2]
CRON = ROOT / "supabase" / "cron.sql"
FUNCTIONS = "https://<functions>/functions/v1/"
LIBRARY = Path("/usr/lib/postgresql/15/lib/pg_cron.so")
PRELOAD = {"shared_preload_libraries": "pg_cron", "cron.use_background_workers": "on", "max_worker_processes": "16"}

# What Supabase has beside Postgres: the vault, and pg_net, of which only what was called is noted.
SUPABASE = """
    create schema vault;
    create table vault.decrypted_secrets (id uuid default gen_random_uuid(), name text unique, decrypted_secret text);
    create function vault.create_secret(secret text, name text) returns void language sql
      as 'insert into vault.decrypted_secrets (name, decrypted_secret) values (name, secret)';
    create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql
      as 'update vault.decrypted_secrets set decrypted_secret = new_secret where id = secret_id';
    create schema net;
    create table net.calls (url text, body jsonb, headers jsonb, timeout_milliseconds integer);
    create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
      headers jsonb default '{}', timeout_milliseconds integer default 2000) returns bigint language sql
      as 'insert into net.calls values (url, body, headers, timeout_milliseconds) returning 1::bigint';
"""


@pytest.fixture(scope="module")
def server() -> Iterator[psycopg.Connection[dict[str, Any]]]:
    """A connection to a server with pg_cron, in which the schedule was set up."""
    if not LIBRARY.exists():
        if os.environ.get("CI"):
            pytest.fail("CI has no postgresql-15-cron; .ci/run installs it")
        pytest.skip("needs Debian's packages postgresql-15 and postgresql-15-cron")
    assert IS_CHECKOUT
    with server_folder() as folder:
        postgres = EmbeddedPostgres(folder / "data", version=16, durable=False)
        postgres._bin = SYSTEM_BINARIES
        postgres._settings = postgres._settings | PRELOAD
        with postgres, psycopg.connect(postgres.url(), autocommit=True, row_factory=dict_row) as connection:
            connection.execute(SUPABASE.encode())
            schedule = CRON.read_text().replace("create extension if not exists pg_net;", "")
            connection.execute(schedule.encode())
            yield connection


def jobs(connection: psycopg.Connection[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The jobs by the function that each calls."""
    rows = connection.execute("select schedule, command, active from cron.job").fetchall()
    return {row["command"].split(FUNCTIONS)[1].split("'")[0]: row for row in rows}


def test_schedule__calls_the_functions_that_the_local_stack_calls(
    server: psycopg.Connection[dict[str, Any]],
) -> None:
    found = jobs(server)
    assert found.keys() == SCHEDULE.keys() == set(PERIODIC_FUNCTIONS)
    assert all(job["active"] for job in found.values())
    calls_an_hour = {name: job["schedule"].split()[0] for name, job in found.items()}
    assert calls_an_hour["run-due-jobs"] == "*"
    for name in ("generate-daily-summaries", "generate-weekly-summaries", "generate-monthly-summaries"):
        minutes = sorted(map(int, calls_an_hour[name].split(",")))
        assert [later - earlier for earlier, later in pairwise(minutes)] == [15, 15, 15]


def test_each_job__posts_with_the_key_from_the_vault(server: psycopg.Connection[dict[str, Any]]) -> None:
    for name, job in jobs(server).items():
        with server.transaction(force_rollback=True):
            server.execute("delete from net.calls")
            server.execute(job["command"].encode())
            (call,) = server.execute("select * from net.calls").fetchall()
        assert call["url"] == f"{FUNCTIONS}{name}"
        assert call["headers"] == {"apikey": "sb_secret_…"}
        assert (call["body"], call["timeout_milliseconds"] >= 60_000) == ({}, True)


def test_pg_cron__runs_a_job_at_the_full_minute(server: psycopg.Connection[dict[str, Any]]) -> None:
    runs: list[dict[str, Any]] = []
    for _ in range(900):  # pg_cron 1.4 knows no shorter period than a minute
        runs = server.execute(
            "select status, return_message from cron.job_run_details as d join cron.job as j using (jobid)"
            " where j.jobname = 'keepsake-due' and d.status in ('succeeded', 'failed')"
        ).fetchall()
        if runs:
            break
        time.sleep(0.1)
    assert runs
    assert runs[0]["status"] == "succeeded", runs[0]["return_message"]
    calls = server.execute("select url from net.calls").fetchall()
    assert {"url": f"{FUNCTIONS}run-due-jobs"} in calls


def test_schedule__set_up_again_is_the_same(server: psycopg.Connection[dict[str, Any]]) -> None:
    before = jobs(server)
    server.execute(CRON.read_text().replace("create extension if not exists pg_net;", "").encode())
    assert jobs(server) == before


def test_command__writes_the_address_and_a_new_key_into_it(server: psycopg.Connection[dict[str, Any]]) -> None:
    """What it prints can be run again, and the jobs then send the new key to the new address."""
    printed = write_schedule("https://memory.example.com/functions/v1/", "sb_secret_new, sb_secret_old")
    assert "…" not in printed
    with server.transaction(force_rollback=True):
        server.execute(printed.replace("create extension if not exists pg_net;", "").encode())
        (job,) = server.execute("select command from cron.job where jobname = 'keepsake-archive'").fetchall()
        server.execute("delete from net.calls")
        server.execute(job["command"].encode())
        (call,) = server.execute("select url, headers from net.calls").fetchall()
    assert call == {
        "url": "https://memory.example.com/functions/v1/archive-old-memories",
        "headers": {"apikey": "sb_secret_new"},
    }


def test_command__needs_an_address_and_a_key() -> None:
    for address, key in ((None, "sb_secret_k"), ("memory.example.com", "sb_secret_k"), ("https://a/functions/v1", "")):
        with pytest.raises(MisconfiguredError):
            write_schedule(address, key)


def test_doctor__names_what_pg_cron_does_not_call(server: psycopg.Connection[dict[str, Any]]) -> None:
    with server.transaction(force_rollback=True):
        assert [finding.result for finding in check_schedule(server)] == ["pg_cron calls all 5 functions"]
        server.execute("select cron.unschedule('keepsake-days')")
        (finding,) = check_schedule(server)
    assert finding.result == "pg_cron does not call generate-daily-summaries"
    assert "keepsake schedule" in finding.remedy
