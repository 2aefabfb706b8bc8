"""``keepsake doctor`` says which clock differs, and leaves those alone that agree."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from keepsake.infra.settings import Settings
from keepsake.operations.check_clocks import check_clocks
from tests.fixtures.db import Clone
from tests.fixtures.tokens import JWT_SECRET


@contextmanager
def gateway(ahead: timedelta) -> Iterator[str]:
    """A project whose gateway has a clock of its own."""

    class DatedHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response_only(401)
            self.send_header("date", format_datetime(datetime.now(UTC) + ahead, usegmt=True))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), DatedHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.parametrize("ahead, said", [(180, "ahead"), (-180, "behind")])
def test_a_clock__that_differs_is_named(db: Clone, ahead: int, said: str) -> None:
    """By the seconds that are certain, however long the answer took."""
    with gateway(timedelta(seconds=ahead)) as url:
        (found,) = check_clocks(_settings(db, url))
    named = re.search(rf"that of the gateway is (\d+) s {said}", found.result)
    assert named is not None, found.result
    assert 60 < int(named[1]) <= 180
    assert "the database" not in found.result
    assert "NTP" in found.remedy


def test_clocks__that_agree_are_said_to(db: Clone) -> None:
    with gateway(timedelta()) as url:
        (found,) = check_clocks(_settings(db, url))
    assert found.line() == "✓ clocks: those of the gateway and the database agree with this machine's"


def test_a_gateway__that_is_away_leaves_the_database(db: Clone) -> None:
    (found,) = check_clocks(_settings(db, "http://127.0.0.1:1"))
    assert found.line() == "✓ clocks: those of the database agree with this machine's"


def _settings(db: Clone, url: str) -> Settings:
    return Settings.load(database_url=db.api_url, supabase_url=url, supabase_jwt_secret=JWT_SECRET)
