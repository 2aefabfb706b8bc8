"""An operation names the changes of its block and no others, and ends with the block however that ends."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from keepsake.infra.database import Connection, Profile
from keepsake.store.operations import operation
from tests.fixtures.scene import Scene

NAMED = (
    "select current_setting('keepsake.operation_id', true) as id, current_setting('keepsake.reason', true) as reason"
)


async def named(conn: Connection) -> Any:
    """The operation that a change would belong to now, and its reason."""
    row = await (await conn.execute(NAMED)).fetchone()
    assert row is not None
    return UUID(row["id"]) if row["id"] else None, row["reason"] or None


@pytest.mark.parametrize("profile", [Profile.PIPELINED, Profile.LOCKING, Profile.LOCKING_PREPARED])
async def test_an_operation__ends_with_its_block(scene: Scene, profile: Profile) -> None:
    async with scene.resources.database.as_service(profile) as conn:
        async with operation(conn, actor="user", reason="forget") as op:
            assert await named(conn) == (op.id, "forget")
        assert await named(conn) == (None, None)
        async with operation(conn, actor="user", reason="place", id=op.id) as again:
            assert (again.id, await named(conn)) == (op.id, (op.id, "place"))


async def fail(conn: Connection) -> None:
    """An operation whose block fails."""
    async with operation(conn, actor="user", reason="forget"):
        raise ZeroDivisionError


@pytest.mark.parametrize("profile", [Profile.PIPELINED, Profile.LOCKING])
async def test_an_operation__ends_where_its_block_fails(scene: Scene, profile: Profile) -> None:
    async with scene.resources.database.as_service(profile) as conn:
        with pytest.raises(ZeroDivisionError):
            await fail(conn)
        assert await named(conn) == (None, None)
