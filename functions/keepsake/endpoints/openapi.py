"""``openapi.json``: describes the requests and responses of all functions.

``python -m keepsake.endpoints.openapi FILE`` writes it; ``--check`` tells whether the file is current.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from keepsake import endpoints
from keepsake.contracts.openapi import OpenapiRequest
from keepsake.endpoints._declaration import DECLARATIONS, Call, Declaration, Reply
from keepsake.endpoints._handler import endpoint
from keepsake.endpoints._openapi import openapi_document


@endpoint(
    name="openapi.json",
    method="GET",
    callers=(),
    request=OpenapiRequest,
    responses={200: None},
)
async def openapi(call: Call[OpenapiRequest]) -> Reply:
    """This document."""
    del call
    return Reply(document().encode())


def declarations() -> tuple[Declaration, ...]:
    """The declarations of all functions: of each endpoint in this package, whose names begin with no underscore."""
    for module in iter_modules(endpoints.__path__, f"{endpoints.__name__}."):
        import_module(module.name)
    return tuple(DECLARATIONS.values())


@cache
def document() -> str:
    """The OpenAPI document as JSON text."""
    return openapi_document(declarations())


def main(arguments: list[str]) -> int:
    """Write the document to a file, or check that the file holds it."""
    check = "--check" in arguments
    (file,) = (Path(argument) for argument in arguments if argument != "--check")
    if not check:
        file.write_text(document(), encoding="utf-8")
        return 0
    current = file.exists() and file.read_text(encoding="utf-8") == document()
    if not current:
        sys.stderr.write(f"{file} is not current: run python -m keepsake.endpoints.openapi {file}\n")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
