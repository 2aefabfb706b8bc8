"""The real Supabase CLI, run as an operator runs it against a database URL."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

from keepsake.infra.package_files import MIGRATIONS
from keepsake.local.servers.npm_packages import node_environment, supabase_cli

FILES = sorted(file.name for file in MIGRATIONS.glob("*.sql"))
VERSIONS = [name.split("_")[0] for name in FILES]


def project(folder: Path) -> Path:
    """A Supabase project that holds our migrations, for one test."""
    target = folder / "supabase" / "migrations"
    shutil.rmtree(folder / "supabase", ignore_errors=True)
    target.mkdir(parents=True)
    (folder / "supabase" / "config.toml").write_text('project_id = "keepsake"\n')
    for name in FILES:
        shutil.copy(MIGRATIONS / name, target / name)
    return folder


def add_later(folder: Path) -> str:
    """Add a migration of a later release to a project, and return its name."""
    name = "20990101000000_later.sql"
    (folder / "supabase" / "migrations" / name).write_text("create table keepsake.later (id integer primary key);\n")
    return name


def migration_up(folder: Path, owner_url: str) -> subprocess.CompletedProcess[str]:
    """`supabase migration up`, whatever comes of it."""
    return _run("migration", "up", f"--remote={_address(owner_url)}", "--yes", f"--workdir={folder}")


def advisors(folder: Path, owner_url: str) -> list[dict[str, Any]]:
    """What `supabase db advisors` finds, all of it."""
    done = _run(
        "db", "advisors", f"--remote={_address(owner_url)}", "--type=all", "--level=info", "--output-format=json",
        f"--workdir={folder}",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return results


def schema_difference(folder: Path, live: str, declared: str) -> str:
    """The statements that `supabase db diff` proposes so that the live database becomes the declared one."""
    written = folder / "difference.sql"
    done = _run(
        "db", "diff", f"--from={_address(live)}", f"--to={_address(declared)}", f"--output={written}",
        f"--workdir={folder}",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return written.read_text().strip() if written.exists() else ""


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*supabase_cli(), *arguments],
        env=node_environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _address(conninfo: str) -> str:
    """The connection string as the URL that the CLI understands."""
    parts = conninfo_to_dict(conninfo)
    return f"postgresql://{parts['user']}@localhost/{parts['dbname']}?host={quote(str(parts['host']))}"
