"""Checks API keys as Supabase's gateway does, and maps them to the token that PostgREST gets."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from keepsake.errors import Unauthenticated
from keepsake.project.keys import Keys


class ApiKeys:
    """The API keys of a project; each maps to the token of a role."""

    def __init__(self, keys: Keys) -> None:
        self._token_of: Mapping[str, str] = {
            keys.publishable_key: keys.anon_key,
            keys.anon_key: keys.anon_key,
            keys.secret_key: keys.service_role_key,
            keys.service_role_key: keys.service_role_key,
        }

    def bearer(self, api_keys: list[str], authorizations: list[str]) -> str:
        """Return the ``Authorization`` header for PostgREST, or raise ``Unauthenticated``.

        A person's own token wins over the key it travels with. Without one, or where the client repeats its key
        there as the Supabase clients do, the key's role is meant.
        """
        if not api_keys:
            raise Unauthenticated("No API key found in request.", hint="Send the `apikey` header.")
        if len(api_keys) > 1 or len(authorizations) > 1:
            raise Unauthenticated("The request has more than one API key or Authorization header.")
        token = self._find(api_keys[0])
        if token is None:
            raise Unauthenticated("Invalid API key.", hint="`keepsake status` shows the keys of this project.")
        authorization = authorizations[0].strip() if authorizations else ""
        if not authorization or _credential(authorization) in {"", api_keys[0]}:
            return f"Bearer {token}"
        return authorization

    def _find(self, api_key: str) -> str | None:
        found = None
        for key, token in self._token_of.items():  # compare with each, so that the time reveals nothing
            if hmac.compare_digest(key.encode(), api_key.encode()):
                found = token
        return found


def _credential(authorization: str) -> str:
    scheme, _, credential = authorization.partition(" ")
    return credential.strip() if scheme.lower() == "bearer" else authorization
