"""Adds memory to new applications outside the repository: ``python -m tests.client.new_applications``, some minutes.

Packs the npm package and the wheel; makes a new Next.js application with the AI SDK and a new Vite application by
their own generators, and a new Python environment; adds to each what the documentation shows. Prints how many lines
that took, and fails where an answer has no memory or the panel does not show it; at the end it kills Keepsake during an
answer of the Next.js application, of which no word may be lost. ``--only next`` makes one of them. It needs the
registries of npm and of Python and Chromium, so no test calls it; `test_package.py` installs what it packs offline. The
generated `app/layout.tsx` is replaced: it loads its font from elsewhere.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from playwright.sync_api import expect, sync_playwright

from keepsake.local.servers.npm_packages import ensure_workspaces, node, node_environment, npm
from keepsake.local.servers.processes import LOOPBACK, free_port
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder
from tests.architecture.source import ROOT
from tests.browser.seed import Seed
from tests.client.application_sources import AGENT, GRAPH, LAYOUT, PANEL, SUPABASE, TURN
from tests.model_server.running import ModelServer
from tests.packaging.environments import build_wheel

PACKAGE = ROOT / "frontend_contract" / "client"
EXAMPLE = PACKAGE / "examples" / "nextjs"
MAX_LINES = 9
AI_SDKS = {"5": "1", "6": "2", "7": "3"}
"""The versions of ``ai``, with those of the provider that go with them."""
QUESTION, MEMORY, ANSWER = "What is my favorite food?", "Favorite food is ramen", "You love ramen."
WORDS = " ".join(f"word{number}" for number in range(120))


@dataclass(frozen=True, slots=True)
class Scene:
    """A running stack with a person in a conversation, of whom something is remembered, and a scripted model."""

    url: str
    pid: int
    publishable_key: str
    secret_key: str
    person: Seed
    conversation_id: str
    model: ModelServer

    def check_memory(self, where: str) -> None:
        """The model was told what is remembered."""
        (asked,) = self.model.script.chats
        assert MEMORY in json.dumps(asked["messages"]), f"{where}: the model was not told"
        self.model.script.forget()
        self.model.script.always({"content": ANSWER})


def main() -> None:
    """Make the applications, add memory, and look at the result."""
    checks = {"ai": _check_versions, "python": _check_python, "vite": _check_vite, "next": _check_next}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=checks)
    only = parser.parse_args().only
    ensure_workspaces()
    with TemporaryDirectory(prefix="keepsake-new-") as name, _scene(Path(name)) as scene:
        folder = Path(name)
        tarball = _pack(folder)
        for check in [checks[only]] if only else checks.values():
            check(scene, folder, tarball)


@contextmanager
def _scene(folder: Path) -> Iterator[Scene]:
    project = ProjectFolder(folder / "data")
    running, keys = background.start(project, port=0), project.keys()
    try:
        with ModelServer() as model, Seed(project, "nora@example.com") as person:
            model.script.always({"content": ANSWER})
            person.remember(MEMORY)
            (conversation_id,) = person.insert("conversations", {"mode": "chat"})
            yield Scene(
                running.api_url, running.pid, keys.publishable_key, keys.secret_key, person, conversation_id, model
            )
    finally:
        background.stop(project)


def _pack(folder: Path) -> Path:
    _run([str(ROOT / ".ci" / "pack_client"), str(folder)], ROOT, node_environment())
    (tarball,) = folder.glob("*.tgz")
    return tarball


def _check_python(scene: Scene, folder: Path, _tarball: Path) -> None:
    """The wheel with its extras in a new environment runs the blocks of docs/agents.md."""
    wheel = build_wheel(ROOT / "frontend_contract" / "python", folder / "wheel")
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", f"{wheel}[openai-agents,langgraph]"]
    _run(install, folder)
    _run([python, "-m", "pip", "install", "--quiet", "langchain-openai"], folder)
    settings = {"OPENAI_BASE_URL": scene.model.url, "API_URL": scene.url, "SECRET_KEY": scene.secret_key}
    settings |= {"QUESTION": QUESTION, "CONVERSATION": scene.conversation_id, "PERSON": scene.person.user_id}
    for framework, program in (("openai agents", AGENT), ("langgraph", GRAPH)):
        block = _block_of_agents_page(framework)
        answer = _run([python, "-c", program], folder, settings | {"BLOCK": block, "PYTHONPATH": ""})
        assert ANSWER in answer, answer
        scene.check_memory(framework)
        print(f"Python, {framework}: docs/agents.md answers with memory in a new environment, {_count(block)} lines")


def _block_of_agents_page(name: str) -> str:
    page = (ROOT / "docs" / "agents.md").read_text()
    found = re.search(rf"<!-- python: {name} -->\n```python\n(.*?)```", page, re.DOTALL)
    assert found is not None, name
    return found[1]


def _check_versions(scene: Scene, folder: Path, tarball: Path) -> None:
    """Each supported version of the AI SDK installs beside the package, fits its types, and answers with memory."""
    settings = {"OPENAI_BASE_URL": scene.model.url, "API_URL": scene.url, "SECRET_KEY": scene.secret_key}
    settings |= {"QUESTION": QUESTION, "CONVERSATION": scene.conversation_id, "PERSON": scene.person.user_id}
    for version, provider in AI_SDKS.items():
        application = folder / f"ai-{version}"
        application.mkdir()
        (application / "package.json").write_text('{"type": "module", "private": true}')
        (application / "turn.ts").write_text(TURN)
        packages = [f"ai@{version}", f"@ai-sdk/openai-compatible@{provider}", "zod", "typescript@5.9", "@types/node@22"]
        _npm(["install", str(tarball), *packages], application)
        compiler = [str(node()), str(application / "node_modules" / "typescript" / "bin" / "tsc")]
        strictly = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
        _run([*compiler, *strictly, "--types", "node", "turn.ts"], application)
        answer = _run([str(node()), "turn.ts"], application, node_environment() | settings)
        assert ANSWER in answer, answer
        scene.check_memory(f"ai {version}")
        print(f"AI SDK {version}: the middleware fits its types and answers with memory")


def _check_vite(scene: Scene, folder: Path, tarball: Path) -> None:
    application = folder / "vite"
    _npm(["create", "--yes", "vite@latest", "vite", "--", "--template", "react-ts", "--no-interactive"], folder)
    _npm(["install", str(tarball), "@supabase/supabase-js"], application)
    _write_panel(scene, application / "src", "App.tsx")
    _npm(["run", "build"], application)
    with _serving(application, ["vite", "preview", "--host", LOOPBACK, "--port"]) as url:
        _look_at_panel(url)
    print(f"Vite: the panel shows the memory, {_count(PANEL)} lines")


def _check_next(scene: Scene, folder: Path, tarball: Path) -> None:
    application = folder / "next"
    options = ["--yes", "--ts", "--app", "--no-eslint", "--no-tailwind", "--no-src-dir", "--use-npm", "--disable-git"]
    _npm(["exec", "--yes", "create-next-app@latest", "--", "next", *options, "--skip-install"], folder)
    _npm(["install", str(tarball), "@supabase/supabase-js", "ai", "@ai-sdk/openai-compatible"], application)
    shutil.copytree(EXAMPLE / "app" / "api", application / "app" / "api")
    shutil.copytree(EXAMPLE / "lib", application / "lib")
    _write_panel(scene, application / "app", "page.tsx", head='"use client";\n')
    (application / "app" / "layout.tsx").write_text(LAYOUT)
    settings = {"SUPABASE_URL": scene.url, "SUPABASE_SECRET_KEY": scene.secret_key}
    settings |= {"SUPABASE_PUBLISHABLE_KEY": scene.publishable_key, "OPENAI_BASE_URL": scene.model.url}
    settings |= {"OPENAI_MODEL": "scripted", "NEXT_TELEMETRY_DISABLED": "1"}
    _npm(["run", "build"], application, settings)
    with _serving(application, ["next", "start", "--hostname", LOOPBACK, "--port"], settings) as url:
        assert "".join(_stream_answer(scene, url)) == ANSWER
        scene.check_memory("Next.js")
        _look_at_panel(url)
        _kill_during_answer(scene, url)
    route = (EXAMPLE / "app" / "api" / "chat" / "route.ts").read_text()
    print(f"Next.js: the route answers with memory, {route.count('// +')} lines; the panel, {_count(PANEL)} lines")


def _stream_answer(scene: Scene, url: str) -> Iterator[str]:
    """Ask the route as the person, and yield the pieces of its answer as they arrive."""
    message = {"id": "1", "role": "user", "parts": [{"type": "text", "text": QUESTION}]}
    body = {"messages": [message], "conversationId": scene.conversation_id}
    headers = {"authorization": f"Bearer {scene.person.token}"}
    with httpx.stream("POST", f"{url}/api/chat", json=body, headers=headers, timeout=60) as answer:
        assert answer.status_code == httpx.codes.OK, answer.read()
        for line in answer.iter_lines():
            event = json.loads(line.removeprefix("data: ")) if line.startswith("data: {") else {}
            if event.get("type") == "text-delta":
                yield event["delta"]


def _kill_during_answer(scene: Scene, url: str) -> None:
    """Kill Keepsake when a tenth of an answer has arrived: the rest arrives all the same."""
    scene.model.script.always({"content": WORDS, "hold_after": 12})
    pieces: list[str] = []
    for piece in _stream_answer(scene, url):
        pieces.append(piece)
        if len(pieces) == 12:
            os.kill(scene.pid, signal.SIGKILL)
            scene.model.script.released.set()
    assert "".join(pieces) == WORDS, pieces
    with contextlib.suppress(httpx.TransportError):
        sys.exit(f"Keepsake still answers: {httpx.get(scene.url)}")
    print(f"Next.js: Keepsake was killed during an answer, of which all {len(WORDS.split())} words arrived")


def _write_panel(scene: Scene, folder: Path, name: str, *, head: str = "") -> None:
    client = SUPABASE.format(token=scene.person.token, url=scene.url, key=scene.publishable_key)
    (folder / "supabase.ts").write_text(client)
    (folder / name).write_text(head + PANEL)


def _count(code: str) -> int:
    """The lines of an example that Keepsake adds; fewer than ten are allowed."""
    added = re.compile(r"keepsake|memory|remember|recall|with_context|hooks=run", re.IGNORECASE)
    lines = [line for line in code.splitlines() if added.search(line)]
    assert len(lines) <= MAX_LINES, lines
    return len(lines)


def _look_at_panel(url: str) -> None:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--headless", "--no-sandbox"])
        page = browser.new_page()
        page.goto(url)
        expect(page.get_by_text(MEMORY)).to_be_visible(timeout=30_000)
        browser.close()


@contextmanager
def _serving(application: Path, command: Sequence[str], settings: dict[str, str] | None = None) -> Iterator[str]:
    """Serve the built application on a free port until the end of the block."""
    port = free_port()
    program, *options = command
    script = (application / "node_modules" / ".bin" / program).resolve()
    arguments = [str(node()), str(script), *options, str(port)]
    environment = node_environment() | (settings or {})
    with subprocess.Popen(arguments, cwd=application, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(f"http://{LOOPBACK}:{port}", server)
            yield f"http://{LOOPBACK}:{port}"
        finally:
            server.terminate()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert server.poll() is None, "the application ended"
        try:
            httpx.get(url, timeout=10)
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(url)


def _npm(arguments: Sequence[str], folder: Path, settings: dict[str, str] | None = None) -> None:
    _run([*npm(), *arguments], folder, node_environment() | {"npm_config_loglevel": "error"} | (settings or {}))


def _run(command: Sequence[str], folder: Path, settings: dict[str, str] | None = None) -> str:
    environment = {**os.environ, **(settings or {})}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
