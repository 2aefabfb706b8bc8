"""What the README and the pages of docs tell a newcomer to type works as it is printed there."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row
from supabase import Client, ClientOptions, create_client

from keepsake.local.servers.npm_packages import node, node_environment
from keepsake.local.stack import background
from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder, RunningStack
from keepsake.project.keys import Keys, person_token

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.filterwarnings("ignore:The '(timeout|verify)' parameter:DeprecationWarning"),  # supabase-py's own
    pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning"),  # it is meant to
]
PAGES = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))))


class Project:
    """A running stack with one person in it, who has chosen to be remembered in one conversation."""

    def __init__(self, running: RunningStack, keys: Keys) -> None:
        self.api_url, self.db_url, self.keys = running.api_url, running.db_url, keys
        email = f"{uuid4().hex}@example.com"
        self.user_id, _ = find_user(running.db_url, email, create=True)
        self.token = person_token(
            self.user_id, email, jwt_secret=keys.jwt_secret, api_url=running.api_url, lifetime=timedelta(hours=1)
        )
        self.conversation_id = self._open_conversation()

    def _open_conversation(self) -> UUID:
        profile = {"user_id": str(self.user_id), "name": "Ada", "is_primary": True}
        profile_id = self._insert("user_profile_list", profile)
        return UUID(self._insert("conversations", {"user_id": str(self.user_id), "profile_id": profile_id}))

    def _insert(self, table: str, row: dict[str, Any]) -> str:
        headers = {"apikey": self.keys.secret_key, "prefer": "return=representation"}
        answer = httpx.post(f"{self.api_url}/rest/v1/{table}", json=row, headers=headers, timeout=60).raise_for_status()
        return str(answer.json()[0]["id"])

    def say(self, text: str) -> UUID:
        """Save a message of the person, and no more."""
        row = {"conversation_id": str(self.conversation_id), "user_id": str(self.user_id), "role": "user"}
        return UUID(self._insert("messages", {**row, "content": text}))

    def add_person(self) -> str:
        """Somebody else, who has no profile yet."""
        return str(find_user(self.db_url, f"{uuid4().hex}@example.com", create=True)[0])

    def query(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        """Look into the database as its owner."""
        with psycopg.connect(self.db_url, row_factory=dict_row) as connection:
            return connection.execute(sql.encode(), parameters).fetchall()

    def remembered(self) -> set[str]:
        """The texts of what is current."""
        sql = "select memory_text from public.user_memory where user_id = %s and status = 'active'"
        return {row["memory_text"] for row in self.query(sql, self.user_id)}

    def settle(self) -> None:
        """Let the due jobs be done, whoever does them: this call, or the stack's own worker."""
        headers = {"apikey": self.keys.secret_key}
        patience = time.monotonic() + 60
        while True:
            httpx.post(
                f"{self.api_url}/functions/v1/run-due-jobs", json={}, headers=headers, timeout=60
            ).raise_for_status()
            if not self.query("select from keepsake.extractions where finished_at is null"):
                return
            assert time.monotonic() < patience, "a turn was not finished"
            time.sleep(0.1)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """The folder of a newcomer; one that the stack's server may pass through."""
    with tempfile.TemporaryDirectory(prefix="keepsake-readme-") as made:
        yield Path(made).resolve()


@pytest.fixture(scope="module")
def stack(folder: Path) -> Iterator[tuple[RunningStack, Keys]]:
    """A stack of this module's own, on a free port, where commands look for it."""
    project = ProjectFolder(folder / ".keepsake")
    running = background.start(project, port=0)
    try:
        yield running, project.keys()
    finally:
        background.stop(project)


@pytest.fixture
def project(stack: tuple[RunningStack, Keys]) -> Project:
    """Somebody new in the running stack."""
    return Project(*stack)


def test_readme__the_python_backend_remembers_and_is_told(project: Project) -> None:
    contexts: list[str] = []

    def ask_your_model(context: str, text: str) -> str:
        contexts.append(context)
        return f"You said: {text}"

    names: dict[str, Any] = {
        "API_URL": project.api_url,
        "FUNCTIONS_URL": f"{project.api_url}/functions/v1",
        "SECRET_KEY": project.keys.secret_key,
        "ask_your_model": ask_your_model,
    }
    exec(_block("python", "backend"), names)  # noqa: S102 (the words of our own README)
    with _closing(names["supabase"]):
        names["reply"](str(project.conversation_id), str(project.user_id), "I live in Lisbon.")
        project.settle()
        names["reply"](str(project.conversation_id), str(project.user_id), "What is it like to live here?")
    assert project.remembered() >= {"Lives in Lisbon"}
    assert "Lives in Lisbon" not in contexts[0]
    assert "Lives in Lisbon" in contexts[1]


def test_readme__somebody_new_is_remembered_from_the_first_words(project: Project) -> None:
    names: dict[str, Any] = {
        "API_URL": project.api_url,
        "FUNCTIONS_URL": f"{project.api_url}/functions/v1",
        "SECRET_KEY": project.keys.secret_key,
        "ask_your_model": lambda context, text: context + text,
        "user_id": project.add_person(),
    }
    exec(_block("python", "backend"), names)  # noqa: S102 (the words of our own README)
    with _closing(names["supabase"]):
        exec(_block("python", "first words"), names)  # noqa: S102
    project.settle()
    sql = "select memory_text from public.user_memory where user_id = %s order by memory_no"
    assert [row["memory_text"] for row in project.query(sql, names["user_id"])] == ["Name is Ada", "Lives in Lisbon"]


def test_readme__the_person_reads_pins_forgets_and_undoes(project: Project) -> None:
    names: dict[str, Any] = {
        "API_URL": project.api_url,
        "PUBLISHABLE_KEY": project.keys.publishable_key,
        "token": project.token,
        "create_client": create_client,
        "ClientOptions": ClientOptions,
    }
    before = project.remembered()
    exec(_block("python", "person"), names)  # noqa: S102 (the words of our own README)
    with _closing(names["me"]):
        pass
    assert [memory["memory_text"] for memory in names["memories"]] == ["Name is Ada"]
    assert names["done"]["affected"] == 1
    assert project.remembered() == before
    assert [operation["reasons"] for operation in names["operations"]][1:2] == [["forget"]]
    pinned = project.query("select pinned from public.user_memory where user_id = %s", project.user_id)
    assert pinned == [{"pinned": True}]


def test_readme__an_agent_is_given_the_tool_and_what_came_of_each_call(project: Project) -> None:
    names: dict[str, Any] = {"API_URL": project.api_url, "SECRET_KEY": project.keys.secret_key}
    exec(_block("python", "agent"), names)  # noqa: S102 (the words of our own README)
    (tool,) = names["tools"]
    nothing = dict.fromkeys(tool["function"]["parameters"]["required"])
    said = str(project.say("I prefer morning workouts."))
    answers = [
        names["call_tool"](json.dumps(nothing | arguments), str(project.conversation_id), said)
        for arguments in (
            {"operation": "add_fact", "content": "User prefers morning workouts"},
            {"operation": "get_memory"},
        )
    ]
    assert "Remembered: Prefers morning workouts" in answers[0]
    assert "Prefers morning workouts" in answers[1]


def test_readme__the_javascript_backend_remembers(project: Project) -> None:
    said = project.say("I have a cat named Miso.")
    told, _ = _run_javascript_backend(project, said, f"{project.api_url}/functions/v1")
    assert told["memory"]["reason"] is None
    project.settle()
    assert project.remembered() >= {"Has a cat named Miso"}


def test_readme__the_javascript_backend_answers_while_keepsake_hangs(project: Project) -> None:
    """A server that takes the connection and never answers delays nobody for long."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/functions/v1"
        told, log = _run_javascript_backend(project, project.say("I have a dog."), url)
    assert told == {"memory": None, "answer": "…"}
    assert "inject-memory" in log


def _run_javascript_backend(project: Project, message_id: object, functions_url: str) -> tuple[Any, str]:
    """What the backend of the page was given and answers, and what it writes of failures."""
    names = {"conversation_id": str(project.conversation_id), "message_id": str(message_id), "text": "…"}
    script = "\n".join(
        [
            _block("javascript", "backend").split("\n", 1)[0],
            f"const {{ conversation_id, message_id, text }} = {json.dumps(names)}",
            "const askYourModel = async (context, text) => context + text",
            _block("javascript", "backend").split("\n", 1)[1],
            "process.stdout.write(JSON.stringify({ memory, answer }))",
        ]
    )
    environment = {
        **node_environment(),
        "API_URL": project.api_url,
        "FUNCTIONS_URL": functions_url,
        "SECRET_KEY": project.keys.secret_key,
    }
    command = [str(node()), "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@contextmanager
def _closing(client: Client) -> Iterator[None]:
    """Close at the end what a supabase-py client leaves open until its process ends."""
    yield
    client.postgrest.session.close()
    client.functions._client.close()


def _block(language: str, name: str) -> str:
    """The code block that stands under its marker."""
    found = re.search(rf"<!-- {language}: {name} -->\n```\w+\n(.*?)```", PAGES, re.DOTALL)
    assert found, f"No page has a {language} block named {name}."
    return found[1]


@pytest.mark.parametrize("times", [1, 2])
def test_readme__a_first_memory_is_made_by_the_lines_as_they_are_printed(
    stack: tuple[RunningStack, Keys], folder: Path, times: int
) -> None:
    """In a folder with a running stack: each of the two files prints what was remembered, and the context."""
    assert stack[0].api_url
    for name, target in ((".venv", Path(sys.prefix)), ("frontend_contract", ROOT / "frontend_contract")):
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(target)
    lines = _block("shell", "first memory").replace("you@example.com", f"somebody-{times}@example.com")
    environment = node_environment()
    environment["PATH"] = f"{node().parent}:{environment['PATH']}"
    for _ in range(times):
        done = subprocess.run(
            ["bash", "-e", "-c", lines],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.count("<memory>") == 2
        assert re.findall(r"Remembered: M-\d+ (.+)", done.stdout) == ["Lives in Lisbon", "Loves ramen"] * 2
        assert done.stdout.count('"Lives in Lisbon"') == 2


@pytest.mark.parametrize("command", [[sys.executable], [str(node())]])
def test_first_memory__without_its_variables_says_which_is_missing(command: list[str]) -> None:
    suffix = ".py" if command[0] == sys.executable else ".mjs"
    path = ROOT / f"frontend_contract/client/examples/first_memory/first_memory{suffix}"
    done = subprocess.run([*command, str(path)], env={}, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "API_URL" in done.stderr
    assert "Traceback" not in done.stderr
