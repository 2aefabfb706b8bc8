"""What is made from the code and the migrations and yet kept in the repository, so that its changes are reviewed."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from keepsake.endpoints.openapi import document
from keepsake.infra.settings import Settings
from keepsake.local.servers.node import node, node_environment, supabase_cli
from tests.architecture.source import ROOT

ENVIRONMENT = ROOT / ".env.example"
OPENAPI = ROOT / "frontend_contract" / "openapi.json"
DATABASE_TYPES = ROOT / "frontend_contract" / "database.types.ts"

_SECTION_OR_FIELD = re.compile(r"    (?:# (?P<section>.+)|(?P<field>[a-z]\w+): .+)")


def example_environment() -> str:
    """Every setting in the order and under the headings of its class, with what it is for and its default."""
    lines = [
        "# Every setting of Keepsake, read from the environment of the process (`docker run --env-file .env`, or your",
        "# host's own way). What is commented out shows the default. `make contract` writes this file from the code.",
    ]
    for line in inspect.getsource(Settings).splitlines():
        found = _SECTION_OR_FIELD.fullmatch(line)
        if found and found["section"]:
            lines += ["", f"## {found['section']}", ""]
        elif found and found["field"] in Settings.model_fields:
            lines += _assignment(found["field"], Settings.model_fields[found["field"]])
    return "\n".join(lines) + "\n"


def openapi() -> str:
    """What every function takes and gives, from the wire models."""
    return document()


def database_types(owner_url: str) -> str:
    """The tables and functions that PostgREST offers, as TypeScript, by the Supabase CLI and put into shape."""
    made = _run([*supabase_cli(), "gen", "types", "--remote", owner_url, "--schema", "public"])
    prettier = str(ROOT / "node_modules" / "prettier" / "bin" / "prettier.cjs")
    return _run([str(node()), prettier, "--parser", "typescript", "--print-width", "120"], made)


def _assignment(name: str, field: FieldInfo) -> list[str]:
    if field.is_required():
        return [f"# {field.description}", f"{name.upper()}="]
    default = "" if field.default is None else field.default
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    shown = str(default).lower() if isinstance(default, bool) else default
    return [f"# {field.description}", f"# {name.upper()}={shown}"]


def _run(command: list[str], given: str | None = None) -> str:
    environment = node_environment()
    done = subprocess.run(
        command, cwd=ROOT, env=environment, input=given, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[1]).name} failed:\n{done.stderr}")
    return done.stdout
