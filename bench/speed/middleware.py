"""What the middleware for the Vercel AI SDK costs, and how much later the first word comes with memory than without.

``python -m bench.speed.middleware``: starts a stack, remembers a few things of a person, and answers the same question
in turns without memory, with the functions called by hand, and with the middleware. The model answers at once.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bench.harness.timing import machine, p50, p95, show
from keepsake.local.servers.npm_packages import ensure_workspaces, node, node_environment
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "frontend_contract" / "client"
STATEMENTS = ("My favorite food is ramen.", "I'm allergic to peanuts.", "I live in Lisbon.", "I love rye bread.")
NAMES = {"without": "no memory", "byHand": "functions called by hand", "middleware": "middleware"}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    print(machine())
    ensure_workspaces()
    with TemporaryDirectory(prefix="keepsake-middleware-") as folder:
        built = Path(folder) / "dist"
        vite = ROOT / "node_modules" / "vite" / "bin" / "vite.js"
        _run([str(vite), "build", "--logLevel", "error", "--outDir", str(built)])
        project = ProjectFolder(Path(folder) / "data")
        background.start(project, port=0)
        try:
            environment = {"PACKAGE": str(built), "ROUNDS": str(rounds), **_prepare(project)}
            measured = json.loads(_run([str(Path(__file__).with_name("middleware.mjs"))], **environment))
        finally:
            background.stop(project)
    _show(measured, rounds)


def _show(measured: dict[str, list[dict[str, float]]], rounds: int) -> None:
    by_hand = [times["first"] for times in measured["byHand"]]
    rows = []
    for arm, name in NAMES.items():
        first, whole = ([times[part] for times in measured[arm]] for part in ("first", "whole"))
        rows.append((name, p50(first), p95(first), p50(first) / p50(by_hand), p50(whole), p95(whole)))
    headings = ("", "first word p50, ms", "p95", "of by hand", "whole answer p50", "p95")
    show(f"An answer of twenty words, {rounds} of each in turns", headings, rows)


def _prepare(project: ProjectFolder) -> dict[str, str]:
    """A person with a few memories, in a conversation; what the script is told of them."""
    url, secret_key = project.running_or_raise().api_url, project.keys().secret_key
    with httpx.Client(base_url=url, headers={"apikey": secret_key}, timeout=60) as client:

        def insert(table: str, **row: Any) -> str:
            headers = {"prefer": "return=representation"}
            inserted: str = (
                client.post(f"/rest/v1/{table}", json=row, headers=headers).raise_for_status().json()[0]["id"]
            )
            return inserted

        person: str = client.post("/chat/sign-in", json={"email": "nora@example.com"}).json()["user_id"]
        query = {"user_id": f"eq.{person}", "is_primary": "is.true"}
        profile = client.get("/rest/v1/user_profile_list", params=query).json()[0]["id"]
        conversation = insert("conversations", user_id=person, profile_id=profile)
        for text in STATEMENTS:
            message = insert("messages", conversation_id=conversation, user_id=person, role="user", content=text)
            body = {"conversation_id": conversation, "message_id": message}
            client.post("/functions/v1/extract-user-memory", json=body).raise_for_status()
    return {"KEEPSAKE_URL": url, "KEEPSAKE_SECRET_KEY": secret_key, "PERSON": person, "CONVERSATION": conversation}


def _run(command: list[str], **environment: str) -> str:
    done = subprocess.run(
        [str(node()), *command],
        cwd=PACKAGE,
        env={**node_environment(), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
