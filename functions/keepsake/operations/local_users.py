"""Finds, adds and signs in users of a local project in ``auth.users``, as Supabase Auth would."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from uuid import UUID, uuid4

from keepsake.errors import Conflict, InvalidInput, NotFound
from keepsake.operations.connection import connect
from keepsake.project.folder import ProjectFolder
from keepsake.project.keys import person_token

_SELECT_USER = "select id from auth.users where email = %s and not is_sso_user"
_SELECT_USERS = "select email, id from auth.users where email = any(%s) and not is_sso_user"
_INSERT_USER = """
insert into auth.users
  (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
values
  (%s, 'authenticated', 'authenticated', %s, now(), '{"provider": "email", "providers": ["email"]}', '{}', now(), now())
on conflict do nothing
"""
_SIGN_UP_HINT = "Let them sign up first; in a stack of `keepsake up`,"


def find_user(db_url: str, email: str, *, create: bool) -> tuple[UUID, bool]:
    """Return the id of the user with this address, and whether it was added now."""
    address = email.strip().lower()
    if address.count("@") != 1 or address.startswith("@") or address.endswith("@"):
        raise InvalidInput(f"{email!r} is not an e-mail address.")
    with connect(db_url) as connection:
        added = create and connection.execute(_INSERT_USER, (uuid4(), address)).rowcount == 1
        row = connection.execute(_SELECT_USER, (address,)).fetchone()
    if row is None:
        raise NotFound(
            f"There is no user {address}.", hint=f"{_SIGN_UP_HINT} `keepsake token --user {address}` does it."
        )
    return row[0], added


def sign_in(project: ProjectFolder, email: str, *, lifetime: timedelta, say: Callable[[str], None]) -> str:
    """Return a token for a user of the running stack, who is added to an embedded database; raise Conflict
    where Supabase Auth issues the tokens.
    """
    running, keys = project.running_or_raise(), project.keys()
    if running.auth_url:
        raise Conflict(f"People sign in with {running.auth_url} here.", hint="Its tokens are the only valid ones.")
    user_id, added = find_user(running.db_url, email, create=running.embedded)
    say(f"{'Added ' if added else ''}{email}, whose id is {user_id}.")
    return person_token(user_id, email.lower(), jwt_secret=keys.jwt_secret, api_url=running.api_url, lifetime=lifetime)


def find_users(db_url: str, emails: Iterable[str]) -> dict[str, UUID]:
    """Return the ids of those who have an account, by their address in lower case."""
    with connect(db_url) as connection:
        return dict(connection.execute(_SELECT_USERS, ([*emails],)).fetchall())
