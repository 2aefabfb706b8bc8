"""Migrations are applied once, in order, by us or by the Supabase CLI, whichever comes first."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from keepsake.errors import Conflict, DatabaseUnavailable, MisconfiguredError, NotFound
from keepsake.infra.package_files import MIGRATIONS, ROOT
from keepsake.local.servers.npm_packages import node_environment, supabase_cli
from keepsake.operations import doctor
from keepsake.operations.adoption.adopt import adopt
from keepsake.operations.adoption.known import Known
from keepsake.operations.migrate import copy_to, migrate, migrate_also, plan
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.servers import Cluster
from tests.operations.test_adopt import PEOPLE, VERCEL, adopted, run

HISTORY = "select version, name from supabase_migrations.schema_migrations order by version"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A Supabase CLI project with two migrations."""
    (tmp_path / "supabase" / "migrations").mkdir(parents=True)
    (tmp_path / "supabase" / "config.toml").write_text('project_id = "test"\n')
    _write(tmp_path, "20260101000000_first.sql", "create table public.one ();\ncreate table public.two ();")
    _write(tmp_path, "20260102000000_second.sql", "create table public.three ();")
    return tmp_path / "supabase" / "migrations"


def _write(project: Path, name: str, script: str) -> None:
    (project / "supabase" / "migrations" / name).write_text(script)


def _with_cli(url: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [*supabase_cli(), "migration", "up", f"--remote={url}", "--yes"]
    return subprocess.run(command, cwd=folder, env=node_environment(), capture_output=True, text=True, check=False)


def test_supabase_cli__after_migrate_finds_nothing_to_do(blank_db: Clone) -> None:
    assert len(migrate(blank_db.owner_url)) == len(list(MIGRATIONS.glob("*.sql")))
    done = _with_cli(blank_db.owner_url, ROOT)
    assert done.returncode == 0, done.stderr
    assert "Applying" not in done.stderr


def test_both__write_the_same_history(blank_db: Clone, cluster: Cluster) -> None:
    migrate(blank_db.owner_url)
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as other:
        assert _with_cli(other.owner_url, ROOT).returncode == 0
        assert blank_db.all(HISTORY) == other.all(HISTORY)


@pytest.mark.parametrize("first", ["20261121000100_foundations.sql", "20261121100100_schema_and_roles.sql"])
def test_plan__of_a_database_from_before_the_first_release(blank_db: Clone, tmp_path: Path, first: str) -> None:
    """Its migrations were written anew: it is told to start anew, also where an application has some of its own."""
    for name in (first, "20261122100000_recipes.sql"):
        (tmp_path / name).write_text(f"create table public.t{name[:14]} ();")
    migrate(blank_db.owner_url, directory=tmp_path)
    with pytest.raises(Conflict, match=first[:14]) as failure:
        plan(blank_db.owner_url)
    assert "remove the data folder" in str(failure.value.hint)


def test_either__goes_on_where_the_other_stopped(blank_db: Clone, project: Path) -> None:
    second = (project / "20260102000000_second.sql").rename(project / "later")
    assert migrate(blank_db.owner_url, directory=project) == ["20260101000000"]
    second.rename(project / "20260102000000_second.sql")
    assert _with_cli(blank_db.owner_url, project.parent.parent).returncode == 0
    (project / "20260103000000_third.sql").write_text("create table public.four ();")
    assert migrate(blank_db.owner_url, directory=project) == ["20260103000000"]


def test_migrate__a_failing_file_leaves_nothing_and_is_named(blank_db: Clone, project: Path) -> None:
    (project / "20260103000000_third.sql").write_text("create table public.four ();\nselect missing;")
    with pytest.raises(Conflict, match=r"20260103000000_third\.sql: column \"missing\" does not exist") as failure:
        migrate(blank_db.owner_url, directory=project)
    assert failure.value.details == "line 2"
    assert [m.version for m in plan(blank_db.owner_url, directory=project).pending] == ["20260103000000"]
    assert blank_db.value("select to_regclass('public.four') is null")


def test_migrate__passes_on_what_a_refusing_migration_advises(blank_db: Clone, project: Path) -> None:
    raising = "do $$ begin raise exception 'does not fit' using detail = 'bigint key', hint = 'use uuid'; end $$"
    (project / "20260103000000_third.sql").write_text(raising)
    with pytest.raises(Conflict, match="does not fit") as failure:
        migrate(blank_db.owner_url, directory=project)
    assert "bigint key" in (failure.value.details or "")
    assert failure.value.hint == "use uuid"


def test_migrate__twice_at_once_applies_each_file_once(blank_db: Clone, project: Path) -> None:
    applied: list[str] = []
    both = [
        threading.Thread(target=lambda: applied.extend(migrate(blank_db.owner_url, directory=project)))
        for _ in range(2)
    ]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert sorted(applied) == ["20260101000000", "20260102000000"]


def test_migrate__refuses_a_history_it_does_not_know(blank_db: Clone, project: Path) -> None:
    migrate(blank_db.owner_url, directory=project)
    (project / "20260101000000_first.sql").unlink()
    (project / "20260103000000_third.sql").write_text("create table public.four ();")
    with pytest.raises(Conflict, match="20260101000000") as refused:
        migrate(blank_db.owner_url, directory=project)
    assert "--copy-to" in str(refused.value.hint)
    assert blank_db.value("select to_regclass('public.four') is null")


def test_application_with_migrations_of_its_own__copies_and_pushes(blank_db: Clone, tmp_path: Path) -> None:
    """Its next migration is pushed as before, beside ours; `migrate` and `doctor` then find nothing to do."""
    app = tmp_path / "supabase" / "migrations"
    app.mkdir(parents=True)
    (tmp_path / "supabase" / "config.toml").write_text('project_id = "app"\n')
    (app / "20250101000000_app.sql").write_text("create table public.recipes (id bigint primary key);")
    assert _with_cli(blank_db.owner_url, tmp_path).returncode == 0

    assert copy_to(app) == [file.name for file in sorted(MIGRATIONS.glob("*.sql"))]
    assert copy_to(app) == []
    (app / "20990101000000_later.sql").write_text("create table public.orders (id bigint primary key);")
    pushed = _with_cli(blank_db.owner_url, tmp_path)
    assert pushed.returncode == 0, pushed.stderr

    assert migrate(blank_db.owner_url) == []
    found = plan(blank_db.owner_url)
    assert (found.others, found.pending) == (["20250101000000", "20990101000000"], [])
    assert found.lines()[0] == "other    20250101000000"
    assert doctor.check_schema(blank_db.owner_url).failed is False


def test_copy_to__names_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="missing is no folder"):
        copy_to(tmp_path / "missing")


def test_migrate__refuses_to_slip_one_in_before_what_is_applied(blank_db: Clone, project: Path) -> None:
    migrate(blank_db.owner_url, directory=project)
    (project / "20251231000000_earlier.sql").write_text("select 1;")
    with pytest.raises(Conflict, match="20251231000000_earlier"):
        plan(blank_db.owner_url, directory=project)


@pytest.mark.parametrize("end", ["commit;", "select 1;\n  ROLLBACK work ;"])
def test_migrate__refuses_a_file_that_ends_its_transaction(blank_db: Clone, project: Path, end: str) -> None:
    (project / "20260103000000_third.sql").write_text(f"{end} create table public.stray ();")
    with pytest.raises(Conflict, match="ends the transaction"):
        migrate(blank_db.owner_url, directory=project)
    assert blank_db.value("select to_regclass('public.stray') is null")


def test_migrate__records_the_text_of_the_file(blank_db: Clone, project: Path) -> None:
    migrate(blank_db.owner_url, directory=project)
    recorded = "select statements from supabase_migrations.schema_migrations where version = '20260102000000'"
    assert blank_db.value(recorded) == ["create table public.three ();"]


def test_plan__changes_nothing(blank_db: Clone) -> None:
    assert plan(blank_db.owner_url).applied == []
    assert blank_db.value("select to_regnamespace('supabase_migrations') is null")


def test_migrate__says_in_one_line_that_it_may_not(db: Clone) -> None:
    with pytest.raises(Conflict, match="permission denied"):
        migrate(db.api_url)


def test_migrate__says_in_one_line_that_nobody_answers() -> None:
    with pytest.raises(DatabaseUnavailable, match="does not answer") as failure:
        migrate("postgresql://nobody@127.0.0.1:1/postgres")
    assert "\n" not in failure.value.message


def test_migrate__says_what_an_address_looks_like_without_repeating_it() -> None:
    """As where the project's URL was taken for the database's."""
    with pytest.raises(MisconfiguredError) as failure:
        migrate("https://me:geheim@abc.supabase.co")
    assert "postgresql://" in str(failure.value.hint)
    assert "geheim" not in f"{failure.value.message} {failure.value.hint}"


def test_migrate_also__runs_what_adoption_wrote_once_and_keeps_it_in_the_history(
    host_db: Clone, tmp_path: Path
) -> None:
    """A later push finds it applied, a later Keepsake goes on, and what was dropped can be applied anew."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    (written,) = tmp_path.iterdir()
    history = (
        "select version || '_' || name || '.sql' as file from supabase_migrations.schema_migrations order by version"
    )
    assert [row["file"] for row in db.all(history)][-1] == written.name
    assert plan(db.owner_url).others == []
    assert not migrate_also(db.owner_url, written)
    run(db, "drop schema chat_copies cascade")
    assert migrate_also(db.owner_url, written)


@pytest.mark.parametrize("name", ["missing_keepsake_copies.sql", "20990101000000_other.sql"])
def test_migrate_also__takes_no_other_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "20990101000000_other.sql").write_text("select 1")
    with pytest.raises(NotFound, match="no file that `keepsake adopt` wrote"):
        migrate_also("postgresql://nobody@localhost/nowhere", tmp_path / name)


def test_adoption__of_an_application_that_pushes_its_migrations(blank_db: Clone, tmp_path: Path) -> None:
    """Keepsake's file and the one of the adoption lie in its folder, and one push applies both."""
    folder = tmp_path / "supabase" / "migrations"
    folder.mkdir(parents=True)
    (tmp_path / "supabase" / "config.toml").write_text('project_id = "app"\n')
    (folder / "20250101000000_app.sql").write_text(PEOPLE + VERCEL)
    assert _with_cli(blank_db.owner_url, tmp_path).returncode == 0
    said: list[str] = []
    adopt(blank_db.owner_url, Known(), folder, said.append)
    assert "supabase db push --include-all" in said[-1]
    assert len(list(folder.iterdir())) == 3
    assert _with_cli(blank_db.owner_url, tmp_path).returncode == 0
    assert blank_db.value("select to_regprocedure('chat_copies.counts()') is not null")
