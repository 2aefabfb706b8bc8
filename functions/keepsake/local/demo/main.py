"""Plays the whole demo: raises a fresh stack, replays the conversation, shows what came of it, and takes it down."""

from __future__ import annotations

import shutil
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from keepsake.errors import Conflict
from keepsake.infra.package_files import IS_CHECKOUT
from keepsake.local.demo.backend import ChatBackend, connect
from keepsake.local.demo.conversation import read_script
from keepsake.local.demo.inspection import Evidence
from keepsake.local.demo.replay import Replay
from keepsake.local.demo.report import Report
from keepsake.local.demo.setup import Stage
from keepsake.local.demo.show_memories import show_refused, show_remembered
from keepsake.local.demo.show_prompt import show_prompt
from keepsake.local.demo.show_rest import show_isolation, show_rest
from keepsake.local.demo.show_secrets import show_secrets
from keepsake.local.servers.node import postgrest_binary
from keepsake.local.servers.processes import LOOPBACK
from keepsake.local.stack import background
from keepsake.operations.users import find_user
from keepsake.project.folder import ProjectFolder, RunningStack
from keepsake.project.keys import person_token

USUAL_PORT = 54321
A_DAY = timedelta(days=1)


def main(*, keep: bool, port: int | None, folder: Path) -> int:
    """Play the demo with a database made anew in ``folder``; 0 if every expectation held, else 1."""
    project, report = ProjectFolder(folder.resolve()), Report()
    postgrest_binary(say=report.line)  # the first time it is installed, which takes a while and should be seen
    with _fresh_stack(project, _free(port)) as (running, seconds):
        report.line("Keepsake: a conversation of nine days, and what a chat application remembers of it", "bold")
        report.line(f"A fresh stack at {running.api_url}, up in {seconds:.1f} s. No model, no API key: rules.", "dim")
        with closing(Evidence(running.db_url)) as evidence:
            _play(_set_stage(project, running, evidence), report)
        _end(report, project, running, keep=keep)
        if keep:
            _wait_for_ctrl_c()
    return 1 if report.failed else 0


def _play(stage: Stage, report: Report) -> None:
    """Everything between the curtains, part by part."""
    _replay(stage, report)
    show_remembered(stage, report)
    show_refused(stage, report)
    show_prompt(stage, report)
    show_rest(stage, report)
    show_isolation(stage, report)
    show_secrets(stage, report)


def _replay(stage: Stage, report: Report) -> None:
    report.part(
        "The conversation",
        "Replayed with supabase-py, as a chat backend does it: save, inject-memory, answer, chat-send.",
    )
    began = time.monotonic()
    stage.replay.play()
    seconds = time.monotonic() - began
    for chat in stage.script.chats:
        names = " and ".join(stage.script.actors[person].name for person in chat.people)
        report.line(
            f"  {chat.turns[0].at:%a %d %b %H:%M}  {chat.title} ({chat.mode}, {names}, {len(chat.turns)} messages)"
        )
    report.line()
    turns = len(stage.script.said_by_people())
    report.line(
        f"  {turns} turns replayed in {seconds:.1f} s, each waited for until its extraction was finished.", "dim"
    )


def _set_stage(project: ProjectFolder, running: RunningStack, evidence: Evidence) -> Stage:
    """Sign the people up and in, and give the backend its key."""
    keys = project.keys()
    script = read_script(datetime.now(UTC))
    user_ids = {key: find_user(running.db_url, actor.email, create=True)[0] for key, actor in script.actors.items()}
    backend = ChatBackend(connect(running.api_url, keys.secret_key), user_ids)
    for actor in script.actors.values():
        backend.add_profile(actor)
    tokens = {
        key: person_token(
            user_id, script.actors[key].email, jwt_secret=keys.jwt_secret, api_url=running.api_url, lifetime=A_DAY
        )
        for key, user_id in user_ids.items()
    }
    return Stage(
        script=script,
        replay=Replay(script, backend, evidence),
        evidence=evidence,
        user_ids=user_ids,
        people={key: connect(running.api_url, keys.publishable_key, token=token) for key, token in tokens.items()},
        nobody=connect(running.api_url, keys.publishable_key),
        logs=project.logs(),
    )


@contextmanager
def _fresh_stack(project: ProjectFolder, port: int) -> Iterator[tuple[RunningStack, float]]:
    """A stack with an empty database, stopped at the end of the block whatever happens in it."""
    _make_room(project)
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield background.start(project, port=port), time.monotonic() - began
    finally:
        background.stop(project)


def _make_room(project: ProjectFolder) -> None:
    """Remove what an earlier demo left, but never a database that is not a demo's."""
    mark = project.folder / "made-by-keepsake-demo"
    if project.database_dir.exists() and not mark.exists():
        raise Conflict(f"{project.folder} holds a database that the demo did not make.", hint="Choose another --data.")
    background.stop(project)
    if project.database_dir.exists():
        shutil.rmtree(project.database_dir)
    for log in project.logs():
        log.unlink()
    project.create()
    mark.touch()


def _free(port: int | None) -> int:
    """The port asked for, or the usual one where it is free, or any."""
    if port is not None:
        return port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, USUAL_PORT))
            probe.listen()
        except OSError:
            return 0
    return USUAL_PORT


def _end(report: Report, project: ProjectFolder, running: RunningStack, *, keep: bool) -> None:
    held, failed = len(report.held), len(report.failed)
    report.part("Where to go next", f"{held} of {held + failed} expectations held.")
    for text in report.failed:
        report.line(f"  did not hold: {text}", "bold red")
    if failed:
        report.line()
    create, command = ("make up", ".venv/bin/keepsake") if IS_CHECKOUT else ("keepsake up", "keepsake")
    report.line(f"  {create:<38} the same stack, empty, with your own data in .keepsake/")
    report.line(f"  {f'{command} token --user you@…':<38} sign somebody in there and try the REST calls above")
    report.line(f"  {'README.md':<38} connect a chat backend in ten lines; deploy to Supabase")
    if IS_CHECKOUT:
        report.line("  functions/keepsake/local/demo/conversation.json   change what they say, and run it again")
    report.line()
    if keep:
        report.line(f"  The stack stays up at {running.api_url} until you press Ctrl-C. In another terminal:", "bold")
        report.line(f"  {command} status --data {_short(project.folder)}")


def _wait_for_ctrl_c() -> None:
    with suppress(KeyboardInterrupt):
        signal.pause()


def _short(folder: Path) -> str:
    here = Path.cwd()
    return str(folder.relative_to(here) if folder.is_relative_to(here) else folder)
