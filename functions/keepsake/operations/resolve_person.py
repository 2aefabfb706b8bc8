"""Resolves the person whom a command is about: by id, or by e-mail address in the running local stack."""

from __future__ import annotations

import os
from uuid import UUID

from keepsake.errors import InvalidInput
from keepsake.operations.environment import required_environment, target_stack
from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder


def resolve_person(project: ProjectFolder, database_url: str | None, user: str | None) -> UUID | None:
    """Load the settings for ``keepsake mcp``, and return the person's id; None if each is identified by token."""
    os.environ.update(required_environment(project, database_url))
    return None if user is None else find_person(project, database_url, user)


def find_person(project: ProjectFolder, database_url: str | None, user: str) -> UUID:
    """Return the id of a person who is named by it, or by their address in the local stack."""
    try:
        return UUID(user)
    except ValueError:
        running = target_stack(project, database_url)
    if running is None:
        raise InvalidInput(f"{user!r} is not an id.", hint="An address is known in the local stack only.")
    return find_user(running.db_url, user, create=False)[0]
