"""The chat page that the Python package carries is built from its sources, small, and free of secrets."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from pathlib import Path

import pytest

from keepsake.local.chat.static_files import PAGE
from keepsake.local.servers.npm_packages import ensure_workspaces, node, node_environment
from tests.architecture.source import ROOT

PACKAGE = ROOT / "frontend_contract" / "client"
VITE = ROOT / "node_modules" / "vite" / "bin" / "vite.js"
MAX_PANEL_BYTES = 60_000
_SECRET = re.compile(rb"sb_secret_[\w-]{8}|eyJ[\w-]{10,}\.[\w-]{10,}")
_MEASURE = """
import { build } from "vite";
import react from "@vitejs/plugin-react";
const [{ output }] = await build({
  configFile: false, logLevel: "silent", plugins: [react()],
  build: {
    write: false, target: "es2022", lib: { entry: "src/panel/index.ts", formats: ["es"], fileName: "panel" },
    rolldownOptions: { external: [/^react($|\\/)/, /^react-dom($|\\/)/, /^@supabase\\//], output: { minify: true } },
  },
});
const texts = output.map((file) => [file.fileName, String(file.code ?? file.source)]);
console.log(JSON.stringify(Object.fromEntries(texts)));
"""


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    ensure_workspaces()


def _run_node(*arguments: str) -> str:
    done = subprocess.run(
        [str(node()), *arguments], cwd=PACKAGE, env=node_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_page__is_current_with_its_sources(tmp_path: Path) -> None:
    """`npm run build:page` in frontend_contract/client changes nothing."""
    _run_node(str(VITE), "build", "--config", "page/vite.config.ts", "--outDir", str(tmp_path))
    built, packaged = _files(tmp_path), _files(PAGE)
    assert built.keys() == packaged.keys()
    assert [name for name in built if built[name] != packaged[name]] == []


def test_page__holds_no_inline_code_and_names_no_other_origin() -> None:
    html = (PAGE / "index.html").read_text()
    assert "style=" not in html
    assert "<style" not in html
    assert html.count("<script") == html.count('<script type="module" crossorigin src="/assets/')
    assert "https://" not in html


def test_page__holds_no_service_key() -> None:
    """supabase-js knows the prefix of such keys; a key itself, or any token, is longer."""
    for name, content in _files(PAGE).items():
        assert not _SECRET.search(content), name
        assert b"service_role" not in content, name


def test_panel__is_under_sixty_kilobytes() -> None:
    """Gzipped, with the styles, without React and supabase-js, as an application bundles it."""
    output = json.loads(_run_node("--input-type=module", "--eval", _MEASURE))
    sizes = {name: len(gzip.compress(text.encode())) for name, text in output.items()}
    assert sum(sizes.values()) < MAX_PANEL_BYTES, sizes
