"""The applications of ``new_applications`` with a page: Vite and Next.js, as a person sees them in a browser."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Page, expect, sync_playwright

from keepsake.local.servers.npm_packages import node, node_environment
from keepsake.local.servers.processes import LOOPBACK, free_port
from tests.architecture.source import ROOT
from tests.client.application_sources import HOSTILE_STYLES
from tests.client.new_scene import AI_SDKS, ANSWER, MEMORY, QUESTION, Scene, block_of_page, run_npm
from tests.support.serving import serving

EXAMPLE = ROOT / "frontend_contract" / "client" / "examples" / "nextjs"
README = "frontend_contract/README.md"
CHANGED = """styles => {
  const names = ["color", "backgroundColor", "margin", "borderTopWidth", "borderTopStyle", "fontFamily", "fontSize"];
  names.push("lineHeight", "letterSpacing", "textAlign", "textTransform", "float");
  const theirs = document.querySelector("#root").appendChild(document.createElement("h2"));
  const elements = [...document.querySelectorAll(".ks-root, .ks-root *"), theirs];
  const looks = () => elements.map(element => names.map(name => getComputedStyle(element)[name]).join(", "));
  const element = document.head.appendChild(document.createElement("style"));
  element.textContent = "* { transition: none !important }";
  const before = looks();
  element.textContent += styles;
  const changed = looks().flatMap((look, at) => look === before[at] ? [] : [`${elements[at].outerHTML}: ${look}`]);
  [theirs, element].forEach(added => added.remove());
  return { seen: elements.length, changed };
}"""
"""Which elements of the panel an application's rules for elements change, and a heading outside of it, the last one."""
WORDS = " ".join(f"word{number}" for number in range(120))


def check_vite(scene: Scene, folder: Path, tarball: Path) -> None:
    """A new application of Vite with the README's block, and with styles that want to reach the panel."""
    application = folder / "vite"
    run_npm(["create", "--yes", "vite@latest", "vite", "--", "--template", "react-ts", "--no-interactive"], folder)
    run_npm(["install", str(tarball), "@supabase/supabase-js"], application)
    (application / "src" / "App.tsx").write_text(block_of_page(README, "tsx", "vite app"))
    names = {"VITE_SUPABASE_URL": scene.url, "VITE_SUPABASE_PUBLISHABLE_KEY": scene.publishable_key}
    run_npm(["run", "build"], application, names)
    with _serving(application, ["vite", "preview", "--host", LOOPBACK, "--port"]) as url:
        _look(scene, url, "vite", _add_hostile_styles)
    print("Vite: the panel of the README's block shows the memory, and hostile styles change no element of it")


def check_next_versions(scene: Scene, folder: Path, tarball: Path) -> None:
    """What `create-next-app` makes, with each version of the AI SDK and the README's page and route, word for word."""
    made = ["--yes", "--empty", "--ts", "--app", "--no-tailwind", "--no-eslint", "--no-src-dir", "--use-npm"]
    for version, provider in AI_SDKS.items():
        application = folder / f"next-{version}"
        create = ["create", "--yes", "next-app@latest", application.name, "--", *made, "--skip-install"]
        run_npm([*create, "--import-alias", "@/*", "--disable-git"], folder)
        packages = ["@supabase/supabase-js", f"ai@{version}", f"@ai-sdk/openai-compatible@{provider}"]
        run_npm(["install", str(tarball), *packages], application)
        for path, language, name in (("memory/page.tsx", "tsx", "page"), ("api/chat/route.ts", "ts", "route")):
            target = application / "app" / path
            target.parent.mkdir(parents=True)
            target.write_text(block_of_page(README, language, f"next {name}"))
        (application / "lib").mkdir()
        shutil.copy(EXAMPLE / "lib" / "author.ts", application / "lib")
        with _served_next(scene, application) as url:
            assert "".join(_stream_answer(scene, url)) == ANSWER
            scene.check_memory(f"Next.js with ai {version}")
            _look(scene, f"{url}/memory", f"next-ai-{version}", _find_memory)
        installed = json.loads((application / "node_modules" / "ai" / "package.json").read_text())["version"]
        print(f"Next.js, ai {installed}: the README's route answers with memory, its page shows the memory", flush=True)


def check_next(scene: Scene, folder: Path, tarball: Path) -> None:
    """The example that people copy, with the page of the README beside its own."""
    application = folder / "next"
    shutil.copytree(EXAMPLE, application)
    shutil.copy(tarball, application)
    (application / "app" / "memory").mkdir()
    (application / "app" / "memory" / "page.tsx").write_text(block_of_page(README, "tsx", "next page"))
    run_npm(["install"], application)
    with _served_next(scene, application) as url:
        assert "".join(_stream_answer(scene, url)) == ANSWER
        scene.check_memory("Next.js")
        _look(scene, f"{url}/memory", "next-memory", _find_memory)
        _look(scene, url, "next-chat", _chat)
        scene.check_memory("Next.js, from the page")
        _kill_during_answer(scene, url)
    route = (EXAMPLE / "app" / "api" / "chat" / "route.ts").read_text()
    print(f"Next.js: the route answers with memory, {route.count('// +')} lines; the README's page shows the memory")


@contextmanager
def _served_next(scene: Scene, application: Path) -> Iterator[str]:
    """Build an application of Next.js with the settings of the scene, and serve it until the end of the block."""
    settings = {"SUPABASE_URL": scene.url, "SUPABASE_PUBLISHABLE_KEY": scene.publishable_key}
    settings |= {f"NEXT_PUBLIC_{name}": value for name, value in settings.items()}
    settings |= {"SUPABASE_SECRET_KEY": scene.secret_key, "OPENAI_BASE_URL": scene.model.url}
    settings |= {"OPENAI_MODEL": "scripted", "NEXT_TELEMETRY_DISABLED": "1"}
    run_npm(["run", "build"], application, settings)
    with _serving(application, ["next", "start", "--hostname", LOOPBACK, "--port"], settings) as url:
        yield url


def _look(scene: Scene, url: str, name: str, act: Callable[[Page], None]) -> None:
    """Open a page as the person, who has signed in before, and keep what it looks like."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    session: dict[str, Any] = {"access_token": scene.person.token, "refresh_token": "none", "token_type": "bearer"}
    session |= {"expires_in": 3600, "expires_at": int(time.time()) + 3600, "user": {"id": scene.person.user_id}}
    key = f"sb-{(urlsplit(scene.url).hostname or '').split('.')[0]}-auth-token"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--headless", "--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(f"localStorage.setItem({json.dumps(key)}, {json.dumps(json.dumps(session))})")
        page.goto(url)
        act(page)
        page.screenshot(path=ROOT / "out" / f"new-{name}.png")
        browser.close()


def _find_memory(page: Page) -> None:
    expect(page.get_by_text(MEMORY)).to_be_visible(timeout=60_000)


def _add_hostile_styles(page: Page) -> None:
    """On no tab they change an element of the panel, as they do outside of it."""
    _find_memory(page)
    for tab in reversed(page.get_by_role("tab").all()):  # so that the memories are seen last
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(page.get_by_text("Loading…")).to_have_count(0)
        found = page.evaluate(CHANGED, HOSTILE_STYLES)
        assert found["seen"] > 20, found
        (changed,) = found["changed"]
        assert changed.startswith("<h2></h2>"), changed
    page.add_style_tag(content=HOSTILE_STYLES)


def _chat(page: Page) -> None:
    """Turn memory on, ask, and find the answer with the chip of its memory."""
    switch = page.get_by_role("switch", name="Remember", exact=False).first
    if switch.get_attribute("aria-checked") != "true":  # as for who has not agreed to memory in every chat
        switch.click()
    expect(switch).to_be_checked(timeout=60_000)
    page.get_by_label("Message").fill(QUESTION)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text(ANSWER)).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name=f"Open “{MEMORY}”", exact=False)).to_be_visible(timeout=60_000)
    expect(switch).to_be_checked()


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


@contextmanager
def _serving(application: Path, command: Sequence[str], settings: dict[str, str] | None = None) -> Iterator[str]:
    """Serve the built application on a free port until the end of the block."""
    port = free_port()
    program, *options = command
    script = (application / "node_modules" / ".bin" / program).resolve()
    arguments = [str(node()), str(script), *options, str(port)]
    environment = node_environment() | (settings or {})
    with serving(arguments, port=port, folder=application, environment=environment) as url:
        yield url
