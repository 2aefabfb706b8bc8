"""One database, one PostgREST and one gateway for a file of tests: each test makes people of its own in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fixtures.db import Clone, clone
from tests.fixtures.rest import Rest, serve
from tests.fixtures.servers import Cluster
from tests.rest.gateway import served


@pytest.fixture(scope="module")
def db(cluster: Cluster, template: str) -> Iterator[Clone]:
    """A migrated database that belongs to this file."""
    with clone(cluster, template) as copy:
        yield copy


@pytest.fixture(scope="module")
def rest(db: Clone, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rest]:
    """PostgREST over this file's database, spoken to directly."""
    with serve(db, tmp_path_factory.mktemp("rest")) as server:
        yield server


@pytest.fixture(scope="module")
def project_url(rest: Rest) -> Iterator[str]:
    """The address one gives a Supabase client: the local gateway, with PostgREST behind it."""
    with served(rest.url) as url:
        yield url
