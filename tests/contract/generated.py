"""What is made from the code and the migrations and yet kept in the repository, so that its changes are reviewed."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from keepsake.contracts.version import CONTRACT_VERSION
from keepsake.domain.explanation.sentences import load_sentences
from keepsake.endpoints._errors import STATUSES
from keepsake.endpoints.openapi import document
from keepsake.errors import KeepsakeError, RetryLater
from keepsake.infra.settings import Settings
from keepsake.local.servers.npm_packages import ensure_workspaces, node, node_environment, supabase_cli
from tests.architecture.source import ROOT
from tests.contract.browser_access import browser_access
from tests.contract.compatibility import surface
from tests.contract.rpc_results import with_rpc_results

CONTRACT = ROOT / "frontend_contract"
ENVIRONMENT = ROOT / ".env.example"
OPENAPI = CONTRACT / "openapi.json"
COMPATIBILITY = CONTRACT / "compatibility.json"
"""What clients of the present version rely on; `make contract` refuses to narrow it without a new major version."""

_TYPES = CONTRACT / "client" / "src" / "contract"

_EXAMPLE_TYPES = """
/** Generated: the examples of the contract, which have to fit its types. */
import type { paths } from "../../src/contract/functions.types";

type Body<Content> = Content extends { content: infer Bodies } ? Bodies[keyof Bodies] : never;
type Request<Path extends keyof paths> = paths[Path] extends { post: { requestBody?: infer Sent } }
  ? Body<NonNullable<Sent>> : never;
type Answer<Path extends keyof paths, Status> = paths[Path] extends { post: { responses: infer Answers } }
  ? Body<Answers[Status & keyof Answers]> : never;
"""
_SECTION_OR_FIELD = re.compile(r"    (?:# (?P<section>.+)|(?P<field>[a-z]\w+): .+)")


def generate(owner_url: str) -> dict[Path, str]:
    """Every generated file with its text, from the code and a migrated database."""
    described, types, access = document(), database_types(owner_url), browser_access(owner_url)
    errors = error_codes()
    return {
        ENVIRONMENT: example_environment(),
        OPENAPI: described,
        CONTRACT / "errors.json": _as_json(errors),
        CONTRACT / "browser_access.json": _as_json(access),
        COMPATIBILITY: _as_json(surface(json.loads(described), errors, access)),
        _TYPES / "database.types.ts": types,
        _TYPES / "functions.types.ts": function_types(),
        _TYPES / "version.ts": version_module(errors),
        _TYPES / "explanations.ts": explanations_module(),
        CONTRACT / "client" / "tests" / "contract" / "examples.ts": typed_examples(),
    }


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


def error_codes() -> list[dict[str, Any]]:
    """Every error code with its status, what it means, and whether the same request may succeed later.

    A class that is derived elsewhere says more of one of these codes, and is not a code of its own.
    """

    def classes(error: type[KeepsakeError]) -> list[type[KeepsakeError]]:
        children = [child for child in error.__subclasses__() if child.__module__ == KeepsakeError.__module__]
        return [error, *(each for child in children for each in classes(child))]

    return sorted(
        (
            {
                "code": error.code,
                "status": STATUSES[error.code],
                "meaning": (error.__doc__ or "").strip(),
                "retryable": issubclass(error, RetryLater),
            }
            for error in classes(KeepsakeError)
        ),
        key=lambda error: (error["status"], error["code"]),
    )


def database_types(owner_url: str) -> str:
    """The tables and functions that PostgREST offers, as TypeScript, by the Supabase CLI and put into shape."""
    made = _run([*supabase_cli(), "gen", "types", "--remote", owner_url, "--schema", "public"])
    return _prettier(with_rpc_results(_prettier(made)))


def function_types() -> str:
    """The functions' requests and answers as TypeScript, by openapi-typescript from the current document."""
    ensure_workspaces()
    program = ROOT / "node_modules" / "openapi-typescript" / "bin" / "cli.js"
    # What has a default may be left out of a request.
    return _prettier(_run([str(node()), str(program), "--default-non-nullable=false"], document()))


def version_module(errors: list[dict[str, Any]]) -> str:
    """The contract's version and its error codes, for the code of the client."""
    codes = " | ".join(f'"{error["code"]}"' for error in errors)
    return _prettier(
        "/** Generated: the version of the contract, and the codes that a refusal of Keepsake may have. */\n"
        f'export const CONTRACT_VERSION = "{CONTRACT_VERSION}";\n\nexport type ErrorCode = {codes};\n'
    )


def explanations_module() -> str:
    """The sentences by which ``keepsake explain`` and the panel say why a memory is there, by language."""
    sentences = json.dumps({language: load_sentences(language) for language in ("en", "de")}, ensure_ascii=False)
    return _prettier(
        "/** Generated: the sentences that say why a memory is there, which `keepsake explain` has too. */\n"
        f"export const explanations = {sentences};\n\nexport type Explanation = (typeof explanations)['en'];\n"
    )


def _assignment(name: str, field: FieldInfo) -> list[str]:
    if field.is_required():
        return [f"# {field.description}", f"{name.upper()}="]
    default = "" if field.default is None else field.default
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    shown = str(default).lower() if isinstance(default, bool) else default
    return [f"# {field.description}", f"# {name.upper()}={shown}"]


def typed_examples() -> str:
    """Each example as TypeScript, so that its compiler holds it against the types."""
    lines = [_EXAMPLE_TYPES]
    for file in sorted((CONTRACT / "examples").glob("*.json")):
        example, path = json.loads(file.read_text()), f"/functions/v1/{file.stem.replace('_', '-')}"
        request, answer = json.dumps(example["request"]), json.dumps(example["response"])
        lines.append(f"export const {file.stem} = {{")
        lines.append(f'request: {request} satisfies Request<"{path}">,')
        lines.append(f'response: {answer} satisfies Answer<"{path}", {example["status"]}> }};')
    return _prettier("\n".join(lines))


def _as_json(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True) + "\n"


def _prettier(source: str) -> str:
    program = str(ROOT / "node_modules" / "prettier" / "bin" / "prettier.cjs")
    return _run([str(node()), program, "--parser", "typescript", "--print-width", "120"], source)


def _run(command: list[str], given: str | None = None) -> str:
    environment = node_environment()
    done = subprocess.run(
        command, cwd=ROOT, env=environment, input=given, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[1]).name} failed:\n{done.stderr}")
    return done.stdout
