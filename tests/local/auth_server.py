"""A scripted Supabase Auth: passwords, codes by e-mail and sessions, by the requests that supabase-js sends."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

Json = dict[str, Any]
PUBLISHABLE_KEY = "sb_publishable_of_the_project"
PASSWORD, CODE = "correct horse battery", "123456"
_LIFETIME = timedelta(hours=1)
_REFUSED = {"code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"}
_EXPIRED = {"code": 403, "error_code": "otp_expired", "msg": "Token has expired or is invalid"}


@dataclass
class AuthServer:
    """One project's Auth: signs with its secret, or without one with a key of its own that it publishes."""

    jwt_secret: str | None = None
    find_user: Callable[[str], UUID] = lambda _email: uuid4()
    """The id of the account with an address; the account is made where there is none."""
    url: str = ""
    mailed: list[str] = field(default_factory=list)
    """The addresses to which a code was sent."""
    refreshed: dict[str, str] = field(default_factory=dict)
    """The address of each refresh token."""
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve on a free port until the end of the block."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{server.server_port}/auth/v1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join(10)

    def answer(self, path: str, query: Json, body: Json, token: str) -> tuple[int, Json]:
        """Return status and body for a request."""
        match path:
            case "token":
                email = self._find_email(query["grant_type"], body)
                answer = (200, self._session(email)) if email else (400, _REFUSED)
            case "otp":
                self.mailed.append(body["email"])
                answer = 200, {}
            case "verify":
                is_right = body["email"] in self.mailed and body["token"] == CODE
                answer = (200, self._session(body["email"])) if is_right else (403, _EXPIRED)
            case "user":
                answer = 200, self._user(jwt.decode(token, options={"verify_signature": False})["email"])
            case "logout":
                answer = 204, {}
            case ".well-known/jwks.json":
                answer = 200, {"keys": [] if self.jwt_secret else [self._public_key()]}
            case _:
                answer = 404, {"code": 404, "msg": "not found"}
        return answer

    def _find_email(self, grant_type: str, body: Json) -> str | None:
        """Return whose password or refresh token this is."""
        if grant_type == "refresh_token":
            return self.refreshed.get(body["refresh_token"])
        return str(body["email"]) if body["password"] == PASSWORD else None

    def _session(self, email: str) -> Json:
        user, now, refresh_token = self._user(email), datetime.now(UTC), uuid4().hex
        self.refreshed[refresh_token] = email
        claims = {"iss": self.url, "sub": user["id"], "aud": "authenticated", "role": "authenticated", "email": email}
        claims |= {"is_anonymous": False, "iat": now, "exp": now + _LIFETIME, "session_id": str(uuid4())}
        if self.jwt_secret:
            token = jwt.encode(claims, self.jwt_secret, algorithm="HS256")
        else:
            token = jwt.encode(claims, self._key, algorithm="ES256", headers={"kid": "k1"})
        session = {"access_token": token, "token_type": "bearer", "refresh_token": refresh_token, "user": user}
        return session | {"expires_in": 3600, "expires_at": int((now + _LIFETIME).timestamp())}

    def _user(self, email: str) -> Json:
        row = {"id": str(self.find_user(email)), "aud": "authenticated", "role": "authenticated", "email": email}
        return row | {"app_metadata": {"provider": "email"}, "user_metadata": {}, "created_at": "2026-01-01T00:00:00Z"}

    def _public_key(self) -> Json:
        public: Json = jwt.algorithms.ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return public | {"kid": "k1", "alg": "ES256", "use": "sig", "key_ops": ["verify"]}


def _handler(auth: AuthServer) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["content-length"] or 0)) or b"{}"))

        def _answer(self, body: Json) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            token = (self.headers["authorization"] or "").removeprefix("Bearer ")
            if self.headers["apikey"] == PUBLISHABLE_KEY or parts.path.endswith("/jwks.json"):
                status, answer = auth.answer(parts.path.removeprefix("/auth/v1/"), query, body, token)
            else:
                status, answer = 401, {"message": "Invalid API key"}
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(b"" if status == 204 else json.dumps(answer).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Answering
