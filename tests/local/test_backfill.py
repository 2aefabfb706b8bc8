"""`keepsake backfill` on the running stack, whose settings and people it knows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder


def test_backfill__reads_the_old_messages_of_who_is_named_by_their_address() -> None:
    """In the running stack, whose settings the command takes."""
    with TemporaryDirectory(prefix="keepsake-backfill-") as folder:
        project = ProjectFolder(Path(folder) / "data")

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            command = [sys.executable, "-m", "keepsake.cli", *arguments, "--data", str(project.folder)]
            return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

        try:
            _check(project, run)
        finally:
            background.stop(project)


def _check(project: ProjectFolder, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    running, email = background.start(project, port=0), "old-chats@example.com"
    user_id = run("token", "--user", email).stderr.rsplit(" ", 1)[1].strip(".\n")
    headers = {"apikey": project.keys().secret_key, "Prefer": "return=representation"}

    with httpx.Client(base_url=f"{running.api_url}/rest/v1", headers=headers, timeout=60) as rest:

        def insert(table: str, **row: object) -> str:
            return str(rest.post(f"/{table}", json=row).raise_for_status().json()[0]["id"])

        profile = insert("user_profile_list", user_id=user_id, name="Ada", is_primary=True)
        chat = insert("conversations", user_id=user_id, profile_id=profile)
        chosen, where = {"remember_since": "2020-01-01"}, {"conversation_id": f"eq.{chat}"}
        rest.patch("/conversations_participants", params=where, json=chosen).raise_for_status()
        row = {"conversation_id": chat, "user_id": user_id, "role": "user", "created_at": "2020-02-01"}
        insert("messages", content="I live in Lisbon.", **row)
    done = run("backfill", "--user", email)
    assert done.stdout.splitlines()[-1] == "1 of 1 message read, 1 new memory", done.stdout + done.stderr
