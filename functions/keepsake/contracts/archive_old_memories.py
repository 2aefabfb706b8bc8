"""Request and response models of ``archive-old-memories``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from keepsake.contracts.wire import Request, Response


class ArchiveOldMemoriesRequest(Request):
    """How long to work before answering; what is left is done by the next run."""

    max_seconds: Annotated[float, Field(ge=0, le=600, allow_inf_nan=False)] = 60.0


class ArchiveOldMemoriesResponse(Response):
    """How many memories each rule ended; ``done`` is false where time ran out first."""

    expired: int
    forgotten: int
    archived: int
    folded: int
    over_cap: int
    deleted: int
    done: bool
