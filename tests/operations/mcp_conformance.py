"""Tests ``keepsake mcp --http`` by the official suite of the protocol: ``python -m tests.operations.mcp_conformance``.

Installs ``@modelcontextprotocol/conformance`` from npm's registry, a hundred packages, so no test calls it. The other
scenarios of the suite want the tools, prompts and resources of an example server, which this one does not have.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from keepsake.local.servers.npm_packages import node, node_environment, npm
from keepsake.local.servers.processes import LOOPBACK, free_port
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder
from tests.browser.seed import Seed

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
"""The first version that knows the protocol of 2026-07-28."""
SCENARIOS = {
    "2025-06-18": ("server-initialize", "ping", "tools-list"),
    "2025-11-25": ("server-initialize", "ping", "tools-list", "dns-rebinding-protection"),
    "2026-07-28": ("server-stateless", "tools-list", "http-header-validation", "dns-rebinding-protection"),
}
WANT_A_TEST_TOOL = {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"}
"""Checks that call a tool of the example server."""
PROXY = """
const [own, port, token] = process.argv.slice(1);
require("node:http").createServer((request, response) => {
  const { url: path, method, headers } = request;
  const authorized = { ...headers, authorization: `Bearer ${token}` };
  const target = { host: "127.0.0.1", port, path, method, headers: authorized };
  const server = require("node:http").request(target, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  server.on("error", () => response.destroy());
  request.pipe(server);
}).listen(own, "127.0.0.1");
"""


def main() -> None:
    """Run the scenarios of each version, and say how many checks passed; ends with an error where one failed."""
    failed: list[str] = []
    with TemporaryDirectory(prefix="keepsake-mcp-") as path, _served(Path(path)) as url:
        folder = Path(path)
        (folder / "package.json").write_text('{"private": true}')
        install = [*npm(), "install", "--no-audit", "--no-fund", "--loglevel=error", SUITE]
        subprocess.run(install, cwd=folder, env=node_environment(), check=True)
        for version, scenarios in SCENARIOS.items():
            checks = [check for scenario in scenarios for check in _run(folder, url, scenario, version)]
            wrong = [name for name, status in checks if status in {"FAILURE", "WARNING"}]
            failed += [f"{version}: {name}" for name in wrong if name not in WANT_A_TEST_TOOL]
            print(f"MCP {version}: {sum(status == 'SUCCESS' for _, status in checks)} checks passed", flush=True)
    sys.exit("\n".join(failed) or 0)


def _run(folder: Path, url: str, scenario: str, version: str) -> list[tuple[str, str]]:
    """The checks of a scenario, each with its status."""
    program = folder / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    results = folder / f"{version}-{scenario}"
    options = ["--url", url, "--scenario", scenario, "--spec-version", version, "--output-dir", str(results)]
    done = subprocess.run(
        [str(node()), str(program), "server", *options], capture_output=True, text=True, timeout=120, check=False
    )
    files = list(results.rglob("checks.json"))
    if not files:
        sys.exit(f"{version}, {scenario}: nothing was checked\n{done.stdout}{done.stderr}")
    return [(check["id"], check["status"]) for file in files for check in json.loads(file.read_text())]


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The server of a stack, behind a proxy that adds a person's token, for which the suite has no option."""
    project, port = ProjectFolder(folder / "data"), free_port()
    background.start(project, port=0, timeout=300)
    command = [sys.executable, "-m", "keepsake.cli", "mcp", "--http", str(port), "--data", str(project.folder)]
    try:
        with (
            Seed(project, "nora@example.com") as person,
            subprocess.Popen(command, stdout=subprocess.DEVNULL) as server,
        ):
            try:
                with _adding_token(port, person.token) as url:
                    yield f"{url}/mcp"
            finally:
                server.terminate()
    finally:
        background.stop(project)


@contextmanager
def _adding_token(port: int, token: str) -> Iterator[str]:
    """A proxy in Node.js, which passes everything else on as it came: spaces in headers, and streams."""
    _wait_for(port)
    own = free_port()
    with subprocess.Popen([str(node()), "--eval", PROXY, str(own), str(port), token]) as proxy:
        try:
            _wait_for(own)
            yield f"http://{LOOPBACK}:{own}"
        finally:
            proxy.terminate()


def _wait_for(port: int) -> None:
    patience = time.monotonic() + 120
    while time.monotonic() < patience:
        try:
            socket.create_connection((LOOPBACK, port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(port)


if __name__ == "__main__":
    main()
