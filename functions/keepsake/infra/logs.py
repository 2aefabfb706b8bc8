"""Structured logging: a JSON object per line, with the request id, and never the text of messages or memories."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import structlog

_SAFE_REQUEST_ID = re.compile(r"^[A-Za-z0-9._:-]{1,128}$")

log: structlog.typing.FilteringBoundLogger = structlog.get_logger("keepsake")
"""The one logger; every event is a fixed sentence, and what varies stands in fields."""


def configure(level: str) -> None:
    """Configure logging: JSON to standard error, from ``level`` up."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _describe_error,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lambda *_: structlog.WriteLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )


def request_id(received: str | None) -> str:
    """Return the caller's request id if it is safe to log, else a new one."""
    return received if received and _SAFE_REQUEST_ID.match(received) else str(uuid4())


@contextmanager
def bind_log_context(**context: str) -> Iterator[None]:
    """Add ``context`` to every log line of the block; context of earlier requests is cleared first."""
    structlog.contextvars.clear_contextvars()
    with structlog.contextvars.bound_contextvars(**context):
        yield


def _describe_error(
    _: structlog.typing.WrappedLogger, __: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Log the type and location of an error but not its message, which may quote a row."""
    error = event.pop("exc_info", None)
    if isinstance(error, BaseException):
        frames = []
        trace = error.__traceback__
        while trace:
            frames.append(f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}")
            trace = trace.tb_next
        event["error"] = type(error).__name__
        event["at"] = frames[-6:]
        event["sqlstate"] = getattr(error, "sqlstate", None)
    return event
