"""Runs the demo: starts a new stack, replays the conversation, shows the result, and stops the stack."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from keepsake.errors import Conflict
from keepsake.infra.package_files import IS_CHECKOUT
from keepsake.local.demo.backend import ChatBackend, create_supabase_client
from keepsake.local.demo.bundled_conversation import read_script
from keepsake.local.demo.bundled_year import read_year
from keepsake.local.demo.read_database import DatabaseProbe
from keepsake.local.demo.report import Report
from keepsake.local.demo.running_demo import RunningDemo
from keepsake.local.demo.show_access_rights import show_denials, show_own_memories
from keepsake.local.demo.show_context import show_context
from keepsake.local.demo.show_memories import show_memories, show_refusals, show_secrets
from keepsake.local.demo.show_year import show_year
from keepsake.local.servers.npm_packages import postgrest_binary
from keepsake.local.servers.processes import LOOPBACK
from keepsake.local.stack import background
from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder, RunningStack
from keepsake.project.keys import person_token

DEFAULT_PORT = 54321
TOKEN_LIFETIME = timedelta(days=1)
SECTIONS = (show_memories, show_refusals, show_context, show_own_memories, show_denials, show_year, show_secrets)
MAKE, COMMAND = ("make up", ".venv/bin/keepsake") if IS_CHECKOUT else ("keepsake up", "keepsake")
NEXT_STEPS = (
    (f"{COMMAND} demo --keep", "this again, and then a page to chat as its people"),
    (MAKE, "the same stack and page, empty, with data of your own"),
    (f"{COMMAND} token --user you@…", "sign somebody in there, for the REST calls above"),
    ("README.md", "connect a chat backend; deploy it"),
)
EDIT = "  Edit functions/keepsake/local/demo/conversation.json to change what they say, and run it again."


def run_demo(*, keep: bool, port: int | None, folder: Path) -> int:
    """Run the demo with a new database in ``folder``; return 0 if every expectation is met, else 1."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # from here on whatever is running is stopped
    project, report = ProjectFolder(folder.resolve()), Report()
    postgrest_binary(say=report.line)  # installed the first time, which takes a while and should be seen
    with _new_stack(project, _choose_port(port)) as (running, seconds):
        report.line("Keepsake: a conversation of nine days, and what a chat application remembers of it", "bold")
        report.line(
            f"A fresh stack at {running.api_url}, up in {seconds:.1f} s. No model and no API key: rules read.", "dim"
        )
        with closing(DatabaseProbe(running.db_url)) as probe:
            demo = _create_demo(project, running, probe)
            _replay(demo, report)
            for show in SECTIONS:
                show(demo, report)
        _summarize(report)
        if keep or _wants_to_keep(report, running.api_url):
            report.line(f"  The stack stays up until Ctrl-C. Open {running.api_url} to chat with its people.", "bold")
            report.line(f"  In another terminal: {COMMAND} status --data {os.path.relpath(project.folder)}")
            with suppress(KeyboardInterrupt):
                background.wait_until_stopped(project)
    return 1 if report.failed else 0


def _replay(demo: RunningDemo, report: Report) -> None:
    report.section(
        "The conversation",
        "Replayed with supabase-py, as a chat backend does it: save, inject-memory, answer, chat-send.",
    )
    start = time.monotonic()
    demo.replay()
    seconds = time.monotonic() - start
    for chat in demo.script.chats:
        names = " and ".join(demo.script.actors[key].name for key in chat.participants)
        details = f"{chat.mode}, {names}, {len(chat.turns)} messages"
        report.line(f"  {chat.turns[0].at:%a %d %b %H:%M}  {chat.title} ({details})")
    report.line(
        "\n  In “together” both read along; a “swiss” chat is off the record, and nothing of it is remembered.", "dim"
    )
    turns = len(demo.script.user_turns())
    report.line(
        f"\n  {turns} turns replayed in {seconds:.1f} s, each waited for until its extraction was finished.", "dim"
    )


def _wants_to_keep(report: Report, url: str) -> bool:
    """Offer to leave the stack running, where a person is at the terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    report.line(f"  The same people wait on a page: {url} is a small chat with the memory panel beside it.", "bold")
    try:
        return input("  Leave it running and look? [Y/n] ").strip().lower() in {"", "y", "yes"}
    except (EOFError, KeyboardInterrupt):
        return False


def _summarize(report: Report) -> None:
    met, failed = len(report.met), len(report.failed)
    report.section("Where to go next", f"{met} of {met + failed} expectations held.")
    for text in report.failed:
        report.line(f"  did not hold: {text}", "bold red")
    for step, description in NEXT_STEPS:
        report.line(f"  {step:<38} {description}")
    report.line(EDIT if IS_CHECKOUT else "")


def _create_demo(project: ProjectFolder, running: RunningStack, probe: DatabaseProbe) -> RunningDemo:
    """Sign the people up and in, and give them and the backend their clients."""
    keys, url, now = project.keys(), running.api_url, datetime.now(UTC)
    script, year = read_script(now), read_year(now)
    actors = {**script.actors, **year.actors}
    user_ids = {key: find_user(running.db_url, actor.email, create=True)[0] for key, actor in actors.items()}
    backend = ChatBackend(create_supabase_client(url, keys.secret_key), actors, user_ids)
    backend.add_profiles()
    clients = {}
    for key, actor in actors.items():
        token = person_token(
            user_ids[key], actor.email, jwt_secret=keys.jwt_secret, api_url=url, lifetime=TOKEN_LIFETIME
        )
        clients[key] = create_supabase_client(url, keys.publishable_key, token=token)
    anonymous = create_supabase_client(url, keys.publishable_key)
    return RunningDemo(script, year, backend, probe, user_ids, clients, anonymous, project.logs())


@contextmanager
def _new_stack(project: ProjectFolder, port: int) -> Iterator[tuple[RunningStack, float]]:
    """Start a stack with an empty database, and stop it at the end of the block."""
    _remove_earlier_demo(project)
    start = time.monotonic()
    try:
        yield background.start(project, port=port), time.monotonic() - start
    finally:
        for again in (signal.SIGTERM, signal.SIGINT):
            signal.signal(again, signal.SIG_IGN)  # a second signal must not leave it half stopped
        background.stop(project)


def _remove_earlier_demo(project: ProjectFolder) -> None:
    """Remove the data of an earlier demo, but never of one that runs, nor a database that no demo made."""
    mark = project.folder / "made-by-keepsake-demo"
    if project.database_dir.exists() and not mark.exists():
        raise Conflict(f"{project.folder} holds a database that the demo did not make.", hint="Choose another --data.")
    if (running := project.running()) is not None:
        folder = os.path.relpath(project.folder)
        raise Conflict(
            f"A demo is running at {running.api_url}, with what was said there.",
            hint=f"Stop it with `{COMMAND} down --data {folder}`, or name another folder with --data.",
        )
    shutil.rmtree(project.database_dir, ignore_errors=not project.database_dir.exists())
    for log in project.logs():
        log.unlink()
    project.create()
    mark.touch()


def _choose_port(port: int | None) -> int:
    """Return the requested port, else the default port if it is free, else 0 for any."""
    if port is not None:
        return port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, DEFAULT_PORT))
            probe.listen()
        except OSError:
            return 0
    return DEFAULT_PORT
