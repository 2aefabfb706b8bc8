"""``openapi.json``: what all the functions take and give.

``python -m keepsake.endpoints.openapi FILE`` writes it; with ``--check`` it says whether the file is current.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from keepsake.contracts.openapi import OpenapiRequest
from keepsake.endpoints import (
    archive_old_memories,
    chat_send,
    conversation_manager,
    erase_memories,
    export_memories,
    extract_user_memory,
    health,
    import_memories,
    inject_memory,
    manage_user_memory,
    metrics,
    record_injection,
    run_due_jobs,
)
from keepsake.endpoints._handler import Call, Declaration, Reply, declaration_of, endpoint
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
    """What every deployed function says of itself."""
    functions = (
        archive_old_memories.archive_old_memories,
        chat_send.chat_send,
        conversation_manager.conversation_manager,
        erase_memories.erase_memories,
        export_memories.export_memories,
        extract_user_memory.extract_user_memory,
        health.health,
        import_memories.import_memories,
        inject_memory.inject_memory,
        manage_user_memory.manage_user_memory,
        metrics.metrics,
        openapi,
        record_injection.record_injection,
        run_due_jobs.run_due_jobs,
    )
    return tuple(declaration_of(function) for function in functions)


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
