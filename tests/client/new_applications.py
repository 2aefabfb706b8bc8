"""Adds memory to new applications outside the repository: ``python -m tests.client.new_applications``, some minutes.

Packs the npm package and the wheel; installs them with each version of the AI SDK, alone and in a new application of
Next.js, in a new Python environment, in a new Vite application with hostile styles, and in the example of Next.js; puts
in what the documentation shows, word for word. Prints how long each took, and fails where an answer has no memory or
the panel does not show it; at the end it kills Keepsake during an answer of the Next.js application, of which no word
may be lost. ``--only next`` makes one of them. It needs the registries of npm and of Python and Chromium, so no test
calls it; `test_package.py` installs what it packs offline. What the browser shows is in `out/`.
"""

from __future__ import annotations

import argparse
import re
import time
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from keepsake.local.servers.npm_packages import ensure_workspaces, node, node_environment
from tests.architecture.source import ROOT
from tests.client.application_sources import AGENT, CLIENT, GRAPH, TURN
from tests.client.new_pages import check_next, check_next_versions, check_vite
from tests.client.new_scene import AI_SDKS, ANSWER, MEMORY, QUESTION, Scene, block_of_page, pack, run, run_npm, scene
from tests.packaging.environments import build_wheel

MAX_LINES = 9


def main() -> None:
    """Make the applications, add memory, and look at the result."""
    checks = {"ai": _check_versions, "python": _check_python, "vite": check_vite}
    checks |= {"next-versions": check_next_versions, "next": check_next}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=checks)
    only = parser.parse_args().only
    ensure_workspaces()
    with TemporaryDirectory(prefix="keepsake-new-") as path, scene(Path(path)) as made:
        folder = Path(path)
        tarball = pack(folder)
        for name, check in checks.items():
            if only in {None, name}:
                began = time.monotonic()
                check(made, folder, tarball)
                print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)


def _check_python(scene: Scene, folder: Path, _tarball: Path) -> None:
    """The wheel alone in a new environment gives a context; with its extras it runs the blocks of docs/agents.md."""
    wheel = build_wheel(ROOT / "frontend_contract" / "python", folder / "wheel")
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    python, empty = str(environment / "bin" / "python"), _megabytes(environment)
    run([python, "-m", "pip", "install", "--quiet", str(wheel)], folder)
    settings = {"OPENAI_BASE_URL": scene.model.url, "API_URL": scene.url, "SECRET_KEY": scene.secret_key}
    settings |= {"QUESTION": QUESTION, "CONVERSATION": scene.conversation_id, "PERSON": scene.person.user_id}
    settings |= {"PYTHONPATH": ""}
    assert MEMORY in run([python, "-c", CLIENT], folder, settings)
    sizes = f"{wheel.stat().st_size / 1000:.0f} kB, {_megabytes(environment) - empty:.1f} MB with what it needs"
    print(f"Python, keepsake-client alone ({sizes}): the context has the memory")
    install = [python, "-m", "pip", "install", "--quiet", f"{wheel}[openai-agents,langgraph]", "langchain-openai"]
    run(install, folder)
    for framework, program in (("openai agents", AGENT), ("langgraph", GRAPH)):
        block = block_of_page("docs/agents.md", "python", framework)
        answer = run([python, "-c", program], folder, settings | {"BLOCK": block})
        assert ANSWER in answer, answer
        scene.check_memory(framework)
        print(f"Python, {framework}: docs/agents.md answers with memory in a new environment, {_count(block)} lines")


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1_000_000


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
        run_npm(["install", str(tarball), *packages], application)
        compiler = [str(node()), str(application / "node_modules" / "typescript" / "bin" / "tsc")]
        strictly = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
        run([*compiler, *strictly, "--types", "node", "turn.ts"], application)
        answer = run([str(node()), "turn.ts"], application, node_environment() | settings)
        assert ANSWER in answer, answer
        scene.check_memory(f"ai {version}")
        print(f"AI SDK {version}: the middleware fits its types and answers with memory")


def _count(code: str) -> int:
    """The lines of an example that Keepsake adds; fewer than ten are allowed."""
    added = re.compile(r"keepsake|memory|remember|recall|with_context|hooks=run", re.IGNORECASE)
    lines = [line for line in code.splitlines() if added.search(line)]
    assert len(lines) <= MAX_LINES, lines
    return len(lines)


if __name__ == "__main__":
    main()
