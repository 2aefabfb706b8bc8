"""Creates the keys of a local project, and signs tokens as Supabase Auth would."""

from __future__ import annotations

import base64
import json
import os
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self
from uuid import UUID, uuid4

import jwt

AUDIENCE = "authenticated"
KEY_LIFETIME = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a Supabase project, and two secrets that Keepsake adds."""

    jwt_secret: str
    anon_key: str
    service_role_key: str
    publishable_key: str
    secret_key: str
    webhook_secret: str
    functions_password: str

    @classmethod
    def create(cls) -> Self:
        """Create random keys."""
        jwt_secret = secrets.token_urlsafe(48)
        created_at = datetime.now(UTC)
        return cls(
            jwt_secret=jwt_secret,
            anon_key=_project_key("anon", jwt_secret, created_at),
            service_role_key=_project_key("service_role", jwt_secret, created_at),
            publishable_key=f"sb_publishable_{secrets.token_urlsafe(24)}",
            secret_key=f"sb_secret_{secrets.token_urlsafe(24)}",
            webhook_secret=f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}",
            functions_password=secrets.token_urlsafe(24),
        )

    def with_jwt_secret(self, jwt_secret: str) -> Self:
        """Return the same keys for a project in which this secret signs tokens."""
        created_at = datetime.now(UTC)
        return replace(
            self,
            jwt_secret=jwt_secret,
            anon_key=_project_key("anon", jwt_secret, created_at),
            service_role_key=_project_key("service_role", jwt_secret, created_at),
        )

    @classmethod
    def load_or_create(cls, file: Path) -> Self:
        """Load the keys from ``file``, readable by its owner only; create it the first time."""
        if not file.exists():
            new = file.with_suffix(".new")
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
                json.dump(asdict(cls.create()), out, indent=2)
            new.replace(file)
        return cls(**json.loads(file.read_text()))


def person_token(user_id: UUID, email: str, *, jwt_secret: str, api_url: str, lifetime: timedelta) -> str:
    """Sign a JWT as Supabase Auth would for a person."""
    issued = datetime.now(UTC)
    claims = {
        "iss": f"{api_url}/auth/v1",
        "sub": str(user_id),
        "aud": AUDIENCE,
        "role": "authenticated",
        "email": email,
        "is_anonymous": False,
        "iat": issued,
        "exp": issued + lifetime,
    }
    return jwt.encode(claims, jwt_secret, algorithm="HS256")


def stranger_token(jwt_secret: str, *, issuer: str, audience: str) -> str:
    """Sign a JWT, good for a minute, for somebody who has no account: whoever accepts it knows the secret."""
    issued = datetime.now(UTC)
    claims = {"iss": issuer, "sub": str(uuid4()), "aud": audience, "role": "authenticated", "iat": issued}
    return jwt.encode(claims | {"exp": issued + timedelta(minutes=1)}, jwt_secret, algorithm="HS256")


def _project_key(role: str, jwt_secret: str, created_at: datetime) -> str:
    claims = {"iss": "supabase", "role": role, "iat": created_at, "exp": created_at + KEY_LIFETIME}
    return jwt.encode(claims, jwt_secret, algorithm="HS256")
