"""`keepsake up` as an operator meets it: it starts, says what it is, stops when told, and comes back after a kill."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import jwt
import psutil
import pytest

import keepsake
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder, RunningStack
from tests.model_server.running import ModelServer

Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def project() -> Iterator[ProjectFolder]:
    """A project folder that all of these tests share, outside pytest's own, and nothing left of it at the end."""
    with TemporaryDirectory(prefix="keepsake-stack-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        yield project
        _down(project)


def _up(project: ProjectFolder) -> RunningStack:
    """The stack, started where it does not run; it goes on for the next test."""
    return project.running() or background.start(project, port=0)


def _down(project: ProjectFolder) -> None:
    background.stop(project)
    assert project.running() is None
    assert not _processes(project)


def _keepsake(*arguments: str, project: ProjectFolder | None = None, **environment: str) -> Done:
    command = [sys.executable, "-m", "keepsake.cli", *arguments, *(["--data", str(project.folder)] if project else [])]
    clean = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "MIGRATION_DATABASE_URL"}}
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=clean | environment,
        timeout=60,
        check=False,
    )


def _processes(project: ProjectFolder) -> list[str]:
    """Every process that this project started and that still lives."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        said = " ".join(process.info["cmdline"] or []) + str((process.info["environ"] or {}).get("PGRST_DB_URI"))
        if str(project.folder) in said:
            found.append(said)
    return found


def _server(project: ProjectFolder, name: str) -> psutil.Process:
    """The process of that name which the running stack started, not one of its own children."""
    running = project.running()
    assert running
    children = psutil.Process(running.pid).children()
    return next(child for child in children if name == child.name())


def _rows(running: RunningStack, project: ProjectFolder) -> int:
    return httpx.get(
        f"{running.api_url}/rest/v1/user_memory", headers={"apikey": project.keys().secret_key}, timeout=60
    ).status_code


def _until_gone(project: ProjectFolder) -> None:
    until = time.monotonic() + 60
    while _processes(project) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _processes(project)


def test_up__serves_everything_and_doctor_finds_nothing(project: ProjectFolder) -> None:
    running = _up(project)
    assert httpx.get(f"{running.api_url}/health", timeout=60).json()["status"] == "ok"
    assert httpx.get(f"{running.api_url}/functions/v1/openapi.json", timeout=60).status_code == 200
    doctor = _keepsake("doctor", project=project)
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "✗" not in doctor.stdout


def test_up__starts_again_on_the_same_data(project: ProjectFolder) -> None:
    _up(project)
    _down(project)
    _up(project)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_up__stops_cleanly_when_told(project: ProjectFolder, how: signal.Signals) -> None:
    _down(project)
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "keepsake.cli", "up", "--port", "0", "--data", str(project.folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout
        said = []
        for line in process.stdout:
            said.append(line)
            if "Stop with Ctrl-C" in line:
                process.send_signal(how)
                break
        rest = process.stdout.read()
    output = "".join(said)
    assert "Applying" not in output
    assert re.search(r"^Open http://127\.0\.0\.1:\d+ in a browser", output, re.MULTILINE), output + rest
    assert (process.returncode, rest.strip()) == (0, "Stopped.")
    assert not _processes(project)
    assert project.running() is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_up__killed_outright_leaves_nothing_and_starts_again(project: ProjectFolder) -> None:
    running = _up(project)
    token = _keepsake("token", "--user", "ada@example.com", project=project).stdout
    os.kill(running.pid, signal.SIGKILL)
    background.reapers.pop(running.pid).join(10)
    assert project.running() is None
    _until_gone(project)
    _up(project)
    again = _keepsake("token", "--user", "ada@example.com", project=project).stdout
    assert _claims(again)["sub"] == _claims(token)["sub"]


def test_up__starts_postgrest_again_when_it_dies_and_says_so(project: ProjectFolder) -> None:
    running = _up(project)
    died = _server(project, "postgrest")
    died.kill()
    until = time.monotonic() + 60
    while _rows(running, project) != 200 and time.monotonic() < until:
        time.sleep(0.1)
    assert _rows(running, project) == 200
    assert _server(project, "postgrest").pid != died.pid
    said = project.log("up").read_text()
    assert said.splitlines()[-1] == "PostgREST has ended (killed by SIGKILL) and is started again."


def test_up__ends_with_a_line_when_its_postgres_dies(project: ProjectFolder) -> None:
    running = _up(project)
    stack = psutil.Process(running.pid)
    _server(project, "postgres").kill()
    background.reapers[running.pid].join(20)
    assert not stack.is_running()
    said = [line for line in project.log("up").read_text().splitlines() if line.startswith("keepsake: ")]
    assert said == ["keepsake: Postgres has ended (killed by SIGKILL), so everything stops; what was saved is kept."]
    assert not _processes(project)
    again = _up(project)
    assert _rows(again, project) == 200


def test_up__a_second_time_says_where_it_already_runs(project: ProjectFolder) -> None:
    running = _up(project)
    second = _keepsake("up", project=project)
    assert second.returncode == 1
    assert second.stderr.startswith(f"keepsake: Keepsake is already running at {running.api_url}")


def test_up__names_the_option_when_the_port_is_taken(project: ProjectFolder) -> None:
    _down(project)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = _keepsake("up", "--port", port := str(taken.getsockname()[1]), project=project)
    assert refused.returncode == 1
    assert f"Port {port} is taken" in refused.stderr
    assert "--port" in refused.stderr
    assert not _processes(project)


def test_doctor__asks_the_model_of_the_running_stack(project: ProjectFolder, model: ModelServer) -> None:
    """Its own environment names another, which is not the one that is running."""
    _down(project)
    told = {"OPENAI_BASE_URL": model.url, "OPENAI_EXTRACTION_MODEL": "theirs", "OPENAI_API_KEY": "sk-not-for-disk"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in told.items():
            patch.setenv(name, value)
        _up(project)
        patch.undo()
        said = _keepsake("doctor", project=project, OPENAI_BASE_URL="http://127.0.0.1:9/v1")
        kept = "".join(file.read_text() for file in project.folder.glob("*.json"))
    _down(project)
    assert "Verdict: none on theirs: each word of its replies is checked. It is" in project.log("up").read_text()
    assert f"✓ model: theirs, which completes at {model.url}" in said.stdout
    assert "sk-not-for-disk" not in kept


def test_doctor__of_a_stack_without_a_model_sees_none(project: ProjectFolder) -> None:
    _up(project)
    said = _keepsake("doctor", project=project, OPENAI_BASE_URL="http://127.0.0.1:9/v1", OPENAI_EXTRACTION_MODEL="mine")
    assert "✓ model: none" in said.stdout


def test_functions__tell_a_service_that_a_person_is_wanted(project: ProjectFolder) -> None:
    running = _up(project)
    url, headers = f"{running.api_url}/functions/v1/conversation-manager", {"apikey": project.keys().secret_key}
    answer = httpx.post(url, json={}, headers=headers, timeout=60)
    assert answer.status_code == 401
    assert answer.json()["message"] == "This function is not for a service."
    assert "a person's token" in answer.json()["hint"]


def test_version__is_that_of_the_package() -> None:
    done = _keepsake("--version")
    assert (done.returncode, done.stdout) == (0, f"keepsake {keepsake.__version__}\n")


def test_status__as_shell_assignments_has_the_names_of_the_supabase_cli(project: ProjectFolder) -> None:
    running = _up(project)
    said = dict(pair.split("=", 1) for pair in shlex.split(_keepsake("status", "--env", project=project).stdout))
    assert said["API_URL"] == running.api_url
    for key in ("SECRET_KEY", "SERVICE_ROLE_KEY"):
        answer = httpx.get(f"{said['REST_URL']}/user_memory", headers={"apikey": said[key]}, timeout=60)
        assert answer.json() == []
    assert jwt.decode(said["ANON_KEY"], said["JWT_SECRET"], algorithms=["HS256"])["role"] == "anon"
    assert {"FUNCTIONS_URL", "DB_URL", "PUBLISHABLE_KEY", "WEBHOOK_SECRET"} < set(said)


def test_token__signs_in_the_same_person_each_time(project: ProjectFolder) -> None:
    running = _up(project)
    first = _keepsake("token", "--user", "Grace@example.com", "--expires", "90s", project=project)
    second = _keepsake("token", "--user", "grace@example.com", project=project)
    headers = {"apikey": project.keys().publishable_key, "authorization": f"Bearer {second.stdout.strip()}"}
    assert httpx.get(f"{running.api_url}/rest/v1/user_memory", headers=headers, timeout=60).json() == []
    claims = _claims(first.stdout)
    assert claims["sub"] == _claims(second.stdout)["sub"]
    assert claims["exp"] - claims["iat"] == 90
    assert first.stderr == f"Added Grace@example.com, whose id is {claims['sub']}.\n"
    assert second.stderr == f"grace@example.com, whose id is {claims['sub']}.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("status", "--env"),
        ("token", "--user", "ada@example.com"),
        ("migrate",),
        ("doctor",),
        ("worker",),
    ],
)
def test_commands__say_in_a_line_that_nothing_runs(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = _keepsake(*arguments, project=ProjectFolder(tmp_path / "nothing"))
    assert done.returncode == 1
    assert "running" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_token__is_only_for_an_address_or_an_id(project: ProjectFolder) -> None:
    _up(project)
    done = _keepsake("token", "--user", "nobody", project=project)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("keepsake: ")


@pytest.mark.parametrize("command", ["up", "down", "status", "token", "migrate", "worker", "doctor", "demo"])
def test_help__teaches_by_example(command: str) -> None:
    page = _keepsake(command, "--help").stdout
    assert f"keepsake {command}" in page
    assert "•" in page


def test_worker__runs_beside_the_stack_and_stops_when_told(project: ProjectFolder) -> None:
    _up(project)
    command = [sys.executable, "-u", "-m", "keepsake.cli", "worker", "--data", str(project.folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == "Working. Stop with Ctrl-C.\n"
        time.sleep(1)
        worker.terminate()
        said, failed = worker.communicate(timeout=60)
    assert (worker.returncode, said) == (0, "Stopped.\n"), failed


def _claims(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token.strip(), options={"verify_signature": False})
    return claims
