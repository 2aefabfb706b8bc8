"""Published keys are fetched every ten minutes, for an unknown name at most twice a minute, and outlast outages."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from keepsake.errors import RetryLater
from keepsake.infra.auth.jwks import KeySet


def published(*names: str) -> dict[str, Any]:
    """A key set with fresh keys of these names."""
    public = (ec.generate_private_key(ec.SECP256R1()).public_key() for _ in names)
    keys = [{**ECAlgorithm.to_jwk(key, as_dict=True), "kid": name} for name, key in zip(names, public, strict=True)]
    return {"keys": keys}


class Publisher:
    """A project's key endpoint that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.status = 200
        self.body = json.dumps(published("one")).encode()
        self.location: str | None = None
        self.may_answer = threading.Event()
        self.may_answer.set()
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked += 1
                publisher.may_answer.wait(timeout=10)
                self.send_response(publisher.status)
                if publisher.location:
                    self.send_header("location", publisher.location)
                self.send_header("content-length", str(len(publisher.body)))
                self.end_headers()
                self.wfile.write(publisher.body)

            def log_message(self, format: str, *args: Any) -> None:
                del format, args

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks.json"


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A key endpoint that runs while the test does."""
    publisher = Publisher()
    thread = threading.Thread(target=publisher.server.serve_forever, args=(0.01,))
    thread.start()
    yield publisher
    publisher.may_answer.set()
    publisher.server.shutdown()
    publisher.server.server_close()
    thread.join()


class Seconds:
    """The time the key set believes in; a test moves it."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        """The moment, in seconds."""
        return self.at


@pytest.fixture
def time() -> Seconds:
    """A clock of seconds that stands still."""
    return Seconds()


async def finish_background_fetches() -> None:
    """Wait for what a key set fetches beside the requests."""
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})


async def test_a_key__is_fetched_once_and_kept_for_ten_minutes(publisher: Publisher, time: Seconds) -> None:
    keys = KeySet(url=publisher.url, inline=None, clock=time)
    found = await asyncio.gather(*(keys.find("one", "ES256") for _ in range(20)))
    assert all(found)
    assert publisher.asked == 1
    time.at += 590
    await keys.find("one", "ES256")
    assert publisher.asked == 1
    time.at += 20
    await asyncio.gather(*(keys.find("one", "ES256") for _ in range(20)))
    await finish_background_fetches()
    assert publisher.asked == 2


async def test_known_keys__are_found_while_the_publisher_does_not_answer(publisher: Publisher, time: Seconds) -> None:
    keys = KeySet(url=publisher.url, inline=None, clock=time)
    first = await keys.find("one", "ES256")
    publisher.body = json.dumps(published("one")).encode()
    publisher.may_answer.clear()
    time.at += 601
    found = await asyncio.gather(*(keys.find("one", "ES256") for _ in range(5)))
    assert found == [first] * 5
    publisher.may_answer.set()
    await finish_background_fetches()
    assert await keys.find("one", "ES256") not in (first, None)
    assert publisher.asked == 2


async def test_a_new_key__is_found_when_a_token_names_it(publisher: Publisher, time: Seconds) -> None:
    keys = KeySet(url=publisher.url, inline=None, clock=time)
    await keys.find("one", "ES256")
    publisher.body = json.dumps(published("one", "two")).encode()
    time.at += 31
    assert await keys.find("two", "ES256")
    assert await keys.find("one", "ES256")
    assert publisher.asked == 2


async def test_unknown_names__cause_one_fetch_in_half_a_minute(publisher: Publisher, time: Seconds) -> None:
    keys = KeySet(url=publisher.url, inline=None, clock=time)
    for number in range(1000):
        assert await keys.find(f"unknown-{number}", "ES256") is None
    assert publisher.asked == 1
    time.at += 31
    await asyncio.gather(*(keys.find(f"unknown-{number}", "ES256") for number in range(1000)))
    assert publisher.asked == 2


@pytest.mark.parametrize("status, body", [(503, b"away"), (200, b"<html>"), (200, b"[]"), (200, b'{"keys": []}')])
async def test_an_outage__keeps_the_last_good_keys(
    publisher: Publisher, time: Seconds, status: int, body: bytes
) -> None:
    keys = KeySet(url=publisher.url, inline=None, clock=time)
    await keys.find("one", "ES256")
    publisher.status, publisher.body = status, body
    for _ in range(20):
        time.at += 60
        assert await keys.find("one", "ES256")
        await finish_background_fetches()


async def test_no_keys_ever__is_told_to_come_again(time: Seconds) -> None:
    """Nobody can be judged yet, so nobody is refused for good."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    keys = KeySet(url=f"http://127.0.0.1:{port}/jwks.json", inline=None, clock=time)
    for _ in range(2):
        with pytest.raises(RetryLater):
            await keys.find("one", "ES256")


async def test_a_new_key__is_not_refused_while_no_keys_can_be_fetched(publisher: Publisher, time: Seconds) -> None:
    """A token that names it is as good as any, and whoever is refused for good would be signed out."""
    keys = KeySet(url=publisher.url, inline=None, clock=time)
    await keys.find("one", "ES256")
    publisher.body, publisher.status = json.dumps(published("one", "two")).encode(), 503
    time.at += 31
    for _ in range(2):
        with pytest.raises(RetryLater):
            await keys.find("two", "ES256")
    assert await keys.find("one", "ES256")
    publisher.status = 200
    time.at += 31
    assert await keys.find("two", "ES256")
    assert await keys.find("three", "ES256") is None


async def test_a_redirect__is_not_followed(publisher: Publisher, time: Seconds) -> None:
    publisher.status, publisher.location = 302, publisher.url
    with pytest.raises(RetryLater):
        await KeySet(url=publisher.url, inline=None, clock=time).find("one", "ES256")
    assert publisher.asked == 1


async def test_inline__needs_no_network() -> None:
    keys = KeySet(url=None, inline=json.dumps(published("one")))
    assert await keys.find("one", "ES256")
    assert await keys.find("one", "RS256") is None
    assert await keys.find("two", "ES256") is None
    assert await keys.find(None, "ES256") is None
