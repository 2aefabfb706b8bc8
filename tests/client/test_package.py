"""The npm package @keepsake/client: its types hold, and its own tests pass against a running `keepsake up`."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from keepsake.local.servers.npm_packages import ensure_workspaces, node, node_environment, npm
from keepsake.local.stack import background
from keepsake.operations.connection import connect
from keepsake.project.folder import ProjectFolder
from tests.architecture.source import ROOT
from tests.client.new_scene import block_of_page
from tests.client.sign_in_server import serving_sign_ins

PACKAGE = ROOT / "frontend_contract" / "client"
# A common policy of applications, under which people may see rows of others in the application's own tables.
HOST_POLICIES = """
create policy "People see who takes part" on public.conversations_participants for select to authenticated using (true);
create policy "People see each other" on public.user_profile_list for select to authenticated using (true);
"""
BIN = {
    "tsc": "typescript/bin/tsc",
    "vite": "vite/bin/vite.js",
    "vitest": "vitest/vitest.mjs",
}


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    ensure_workspaces()


@pytest.fixture(scope="module")
def stack() -> Iterator[dict[str, str]]:
    """What the JavaScript tests are told of a stack that runs for them."""
    with TemporaryDirectory(prefix="keepsake-client-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        running = background.start(project, port=0)
        keys = project.keys()
        try:
            with connect(running.db_url) as connection:
                connection.execute(HOST_POLICIES)
            with serving_sign_ins(project) as sign_in_url:
                yield {
                    "KEEPSAKE_URL": running.api_url,
                    "KEEPSAKE_PUBLISHABLE_KEY": keys.publishable_key,
                    "KEEPSAKE_SECRET_KEY": keys.secret_key,
                    "KEEPSAKE_SIGN_IN_URL": sign_in_url,
                    "KEEPSAKE_PYTHON": sys.executable,
                }
        finally:
            background.stop(project)


def _run(program: str, *arguments: str, **environment: str) -> None:
    _check([str(node()), str(ROOT / "node_modules" / BIN[program]), *arguments], environment)


def _check(command: list[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        command, cwd=PACKAGE, env={**node_environment(), **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_typescript__finds_nothing_wrong() -> None:
    _run("tsc")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the package holds once it is published."""
    folder = tmp_path_factory.mktemp("dist")
    _run("vite", "build", "--outDir", str(folder))
    _run("tsc", "--project", "tsconfig.build.json", "--outDir", str(folder))
    return folder


def test_library__has_what_its_manifest_exports(built: Path) -> None:
    files = {str(path.relative_to(built)) for path in built.rglob("*.*")}
    assert {"server.js", "server/index.d.ts", "ai-sdk.js", "react.js", "panel.js", "index.js"} <= files


@pytest.mark.parametrize("entry", ["react.js", "panel.js"])
def test_entry__with_components_is_left_to_the_browser(built: Path, entry: str) -> None:
    """Next.js refuses a context that a module for servers makes."""
    assert (built / entry).read_text().startswith('"use client";')
    assert "use client" not in (built / "server.js").read_text() + (built / "ai-sdk.js").read_text()


def test_styles__of_the_panel_change_nothing_outside_of_it(built: Path) -> None:
    """Each selector begins with a class of ours, and outweighs a host's; the variables a host may set."""
    css = re.sub(r"@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\}", "", (built / "panel.css").read_text())
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", css)
    assert len(rules) > 200
    for selectors, declarations in rules:
        names = selectors
        while names != (names := re.sub(r"\([^()]*\)", "", names)):
            pass
        assert all(name.strip().startswith(".ks-") for name in names.split(",")), selectors
        is_variables = all(part.startswith(("--", "color-scheme")) for part in declarations.split(";") if part)
        assert is_variables or ":not(#ks)" in selectors, selectors


@pytest.mark.parametrize("entry", ["server.js", "ai-sdk.js"])
def test_entry__for_backends_is_small_and_needs_no_runtime_of_its_own(built: Path, entry: str) -> None:
    """Under 10 kB gzipped with all that it imports, and nothing that only Node.js has."""
    code = "".join(path.read_text() for path in _imported(built / entry))
    assert len(gzip.compress(code.encode())) < 10_000
    assert not re.search(r"""from ?["'](?!\./)|\brequire\(|\bBuffer\b|node:""", code)


def _imported(entry: Path) -> set[Path]:
    """A built module, with those beside it that it imports."""
    found, left = set(), [entry]
    while left:
        found.add(path := left.pop())
        left += {path.parent / name for name in re.findall(r"""["']\./([\w./-]+\.js)["']""", path.read_text())} - found
    return found


def test_vitest__passes(stack: dict[str, str]) -> None:
    _run("vitest", "run", **stack, NO_COLOR="1")


@pytest.fixture(scope="module")
def application(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project elsewhere that has installed the package from a tarball, without any registry."""
    folder, package = tmp_path_factory.mktemp("application"), tmp_path_factory.mktemp("package")
    for name in ("package.json", "README.md", "LICENSE"):
        shutil.copy(PACKAGE / name, package)
    shutil.copytree(built, package / "dist")
    (folder / "package.json").write_text('{"type": "module"}')
    dependencies = [ROOT / "node_modules" / name for name in ("openapi-fetch", "openapi-typescript-helpers")]
    for path in (package, *dependencies):
        _npm("pack", "--ignore-scripts", "--pack-destination", str(folder), str(path))
    tarballs = map(str, folder.glob("*.tgz"))
    _npm("install", "--offline", "--no-audit", "--legacy-peer-deps", "--prefix", str(folder), *tarballs)
    for name in ("ai", "@ai-sdk", "react", "react-dom", "@supabase"):
        (folder / "node_modules" / name).symlink_to(ROOT / "node_modules" / name)
    return folder


def _npm(*arguments: str) -> None:
    _check([*npm(), *arguments], {})


def test_application__imports_every_entry_from_the_tarball(application: Path) -> None:
    """Those with components too, which a framework renders ahead: the panel is empty there, and reads no clock."""
    (application / "import.js").write_text(
        'import { createElement as h } from "react";\n'
        'import { renderToString } from "react-dom/server";\n'
        'import { createClient } from "@supabase/supabase-js";\n'
        'const entries = ["", "/server", "/ai-sdk", "/react", "/panel"];\n'
        "for (const entry of entries) await import(`@keepsake/client${entry}`);\n"
        'const { KeepsakeProvider } = await import("@keepsake/client/react");\n'
        'const { MemoryPanel, MemoryUiProvider } = await import("@keepsake/client/panel");\n'
        'const client = createClient("http://127.0.0.1:1", "key", { accessToken: async () => null });\n'
        'Date.now = () => { throw new Error("a clock was read"); };\n'
        "const panel = h(MemoryUiProvider, null, h(MemoryPanel));\n"
        'const html = renderToString(h(KeepsakeProvider, { client, live: "polling" }, panel));\n'
        'if (html.includes("ks-panel")) throw new Error(html);\n'
        "process.exit(0);\n"
    )
    assert (application / "node_modules" / "@keepsake" / "client" / "dist" / "panel.css").exists()
    _check([str(node()), str(application / "import.js")], {})


def test_tarball__holds_its_readme_and_its_license(application: Path) -> None:
    package = application / "node_modules" / "@keepsake" / "client"
    assert (package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert "## The panel" in (package / "README.md").read_text()


def test_readmes__show_the_same_page_of_next() -> None:
    """Which `new_applications` builds with each version of the AI SDK."""
    pages = ("frontend_contract/README.md", "frontend_contract/client/README.md")
    of_the_contract, of_the_package = (block_of_page(page, "tsx", "next page") for page in pages)
    assert of_the_contract == of_the_package


def test_application__runs_the_package_on_node_alone(application: Path) -> None:
    (application / "run.js").write_text(
        'import { createKeepsake } from "@keepsake/client/server";\n'
        'import { keepsakeMemory } from "@keepsake/client/ai-sdk";\n'
        'const keepsake = createKeepsake({ url: "http://127.0.0.1:1", secretKey: "sb_secret_x" });\n'
        'keepsakeMemory({ keepsake, conversationId: "c", messageId: "m" });\n'
        "const error = await keepsake.health().catch((reason) => reason);\n"
        'if (error.code !== "unreachable") throw error;\n'
    )
    _check([str(node()), str(application / "run.js")], {})


def test_application__has_the_types_of_the_package_by_the_rules_of_node(application: Path) -> None:
    """A wrong field is found, so the types are there and not `any`."""
    (application / "typed.ts").write_text(
        'import { createKeepsake, type Keepsake } from "@keepsake/client/server";\n'
        'import { keepsakeMemory } from "@keepsake/client/ai-sdk";\n'
        'const keepsake: Keepsake = createKeepsake({ url: "", secretKey: "" });\n'
        'export const { context }: { context: string } = await keepsake.injectMemory({ conversation_id: "" });\n'
        "// @ts-expect-error there is no such field\n"
        'await keepsake.injectMemory({ conversation: "" });\n'
        'export const memory = keepsakeMemory({ keepsake, conversationId: "" });\n'
        "// @ts-expect-error nor such an option\n"
        'keepsakeMemory({ keepsake, chat: "" });\n'
    )
    by_node = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
    _run("tsc", *by_node, str(application / "typed.ts"))
