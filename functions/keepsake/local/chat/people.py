"""The demo people who can sign in on the chat page, where the local stack is its own sign-in service."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from keepsake.errors import NotFound
from keepsake.local.chat.services import Services
from keepsake.local.demo.bundled_conversation import Actor, read_script
from keepsake.local.demo.bundled_year import read_year
from keepsake.operations.local_users import find_user, find_users
from keepsake.project.keys import Keys, person_token

TOKEN_LIFETIME = timedelta(hours=12)


class DemoPeople:
    """Signs the people of the demo in; there is no password, because only this machine can ask."""

    def __init__(self, keys: Keys, services: Services, *, owner_url: str, api_url: str) -> None:
        self._keys, self._services = keys, services
        self._owner_url, self._api_url = owner_url, api_url
        now = datetime.now(UTC)
        script, year = read_script(now), read_year(now)
        self._actors = {actor.email: actor for actor in (*script.actors.values(), *year.actors.values())}
        self._with_year = {actor.email for actor in year.actors.values()}

    async def list_people(self) -> list[dict[str, Any]]:
        """Return each person, with ``user_id`` once they have an account; those of the year where it was replayed."""
        accounts = await asyncio.to_thread(find_users, self._owner_url, self._actors)
        return [
            {
                "email": email,
                "name": actor.name,
                "user_id": str(accounts[email]) if email in accounts else None,
                "has_year": email in self._with_year,
            }
            for email, actor in self._actors.items()
            if email in accounts or email not in self._with_year
        ]

    async def sign_in(self, email: str) -> dict[str, Any]:
        """Return a token for a demo person, whose account and primary profile are created the first time."""
        actor = self._find(email)
        user_id, _ = await asyncio.to_thread(find_user, self._owner_url, actor.email, create=True)
        await self._ensure_profile(actor, user_id)
        token = person_token(
            user_id,
            actor.email,
            jwt_secret=self._keys.jwt_secret,
            api_url=self._api_url,
            lifetime=TOKEN_LIFETIME,
        )
        return {"access_token": token, "user_id": str(user_id), "email": actor.email, "name": actor.name}

    async def find_participant(self, email: str) -> dict[str, Any]:
        """Return user and primary profile of a demo person, as a row of ``conversations_participants``."""
        actor = self._find(email)
        user_id, _ = await asyncio.to_thread(find_user, self._owner_url, actor.email, create=True)
        await self._ensure_profile(actor, user_id)
        profiles = await self._primary_profiles(user_id)
        return {"user_id": str(user_id), "profile_id": profiles[0]["id"]}

    def _find(self, email: str) -> Actor:
        actor = self._actors.get(email.strip().lower())
        if actor is None:
            raise NotFound("There is no such demo person.")
        return actor

    async def _ensure_profile(self, actor: Actor, user_id: UUID) -> None:
        if not await self._primary_profiles(user_id):
            profile = {"user_id": str(user_id), "name": actor.name, "pronouns": actor.pronouns}
            await self._services.insert(
                "user_profile_list", profile | {"timezone": actor.timezone, "is_primary": True}, ignore_duplicates=True
            )

    async def _primary_profiles(self, user_id: UUID) -> list[dict[str, Any]]:
        query = {"user_id": f"eq.{user_id}", "is_primary": "is.true", "select": "id"}
        return await self._services.select("user_profile_list", query)
