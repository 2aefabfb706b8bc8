"""A right reply says the same in any wrapping."""

from __future__ import annotations

import json
import random

import pytest

from keepsake.domain.extraction.reply_schema import parse_members
from tests.domain.replies.wrappings import members, wrapped


@pytest.mark.parametrize("seed", range(20))
def test_wrapped__says_the_same_as_the_plain_reply(seed: int) -> None:
    random_ = random.Random(seed)  # noqa: S311 (nothing is kept secret by it)
    for _ in range(50):
        found, reply = wrapped(members(random_), random_)
        plain = parse_members(json.dumps({"memories": found}))
        read = parse_members(reply)
        assert (read.memories, read.dropped) == (plain.memories, {}), reply
