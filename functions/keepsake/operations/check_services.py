"""Checks what answers over HTTP: REST, the functions, and the keys with which both tell who calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import httpx

from keepsake import __version__
from keepsake.infra.settings import Settings
from keepsake.operations.finding import Finding
from keepsake.project.keys import stranger_token

_SECONDS = 10
_PREPARED_STATEMENT_LOST = {"26000", "42P05"}
"""The codes of Postgres for a prepared statement that is not there, and for one that is there already."""
_NOT_DEPLOYED = "Deploy them (docs/operations.md), or correct FUNCTIONS_URL, which ends in /functions/v1."


def check_services(settings: Settings, functions_url: str | None) -> Iterator[Finding]:
    """Check REST and its keys, the key set, the functions, and webhooks, in this order."""
    rest = _check_rest(settings)
    yield rest
    if settings.secret_keys and not rest.failed:
        yield from _check_person_token(settings)
    yield from _check_key_set(settings)
    yield from _check_functions(settings, functions_url)
    if settings.webhook_keys:
        yield Finding("webhooks", "signatures are checked")
    else:
        yield Finding("webhooks", "no secret", "Set WEBHOOK_SECRETS, or call chat-send with the secret key.")


def _check_rest(settings: Settings) -> Finding:
    url = _rest_url(settings)
    if not settings.secret_keys:
        return Finding("REST", "not looked at", "Set SUPABASE_SECRET_KEY to try it.")
    try:
        response = httpx.get(url, headers={"apikey": settings.secret_keys[0]}, timeout=_SECONDS)
    except httpx.HTTPError as error:
        return Finding("REST", f"{url} does not answer ({type(error).__name__})", "Check SUPABASE_URL.", failed=True)
    if response.status_code != httpx.codes.OK:
        remedy = "Check SUPABASE_SECRET_KEY, and that schema public is exposed."
        if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            remedy = "PostgREST or its database is away; on this machine end `keepsake up` and start it again."
        elif _as_object(response).get("code") in _PREPARED_STATEMENT_LOST:
            remedy = "PostgREST is behind a pooler in transaction mode: set its db-prepared-statements to false."
        return Finding("REST", f"{url} answers {response.status_code}", remedy, failed=True)
    return Finding("REST", f"answers at {settings.supabase_url}")


def _check_person_token(settings: Settings) -> Iterator[Finding]:
    """Let REST judge a token that is signed with the secret of the settings, for somebody who does not exist."""
    if settings.supabase_jwt_secret is None:
        return
    headers = {"apikey": settings.secret_keys[0], "authorization": f"Bearer {_token_of_nobody(settings)}"}
    try:
        status = httpx.get(_rest_url(settings), headers=headers, timeout=_SECONDS).status_code
    except httpx.HTTPError as error:
        yield Finding("sign-in", f"REST does not answer ({type(error).__name__})", "Check SUPABASE_URL.", failed=True)
        return
    if status == httpx.codes.UNAUTHORIZED:
        result = "REST refuses a person's token that SUPABASE_JWT_SECRET signed"
        remedy = "Set SUPABASE_JWT_SECRET to the project's legacy JWT secret; without one set SUPABASE_JWKS_URL alone."
        yield Finding("sign-in", result, remedy, failed=True)
    else:
        yield Finding("sign-in", "REST knows the tokens that SUPABASE_JWT_SECRET signs")


def _check_key_set(settings: Settings) -> Iterator[Finding]:
    url = settings.supabase_jwks_url
    if not url:
        return
    remedy = "Set SUPABASE_JWKS_URL to https://<ref>.supabase.co/auth/v1/.well-known/jwks.json."
    try:
        response = httpx.get(url, timeout=_SECONDS)
        found = response.json() if response.is_success else None
    except (httpx.HTTPError, ValueError) as error:
        yield Finding("key set", f"{url} gives none ({type(error).__name__})", remedy, failed=True)
        return
    keys = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(keys, list):
        yield Finding("key set", f"{url} answers {response.status_code}, and no key set", remedy, failed=True)
    elif not keys and settings.supabase_jwt_secret is None:
        result = "it has no key: the project signs with its legacy secret"
        yield Finding("key set", result, "Set SUPABASE_JWT_SECRET, or rotate to a signing key.", failed=True)
    else:
        yield Finding("key set", f"{len(keys)} at {url}")


def _check_functions(settings: Settings, functions_url: str | None) -> Iterator[Finding]:
    if functions_url is None:
        yield Finding("functions", "not looked at", "Set FUNCTIONS_URL to their address, up to /functions/v1.")
        return
    base = functions_url.rstrip("/")
    try:
        yield _check_readiness(base)
        yield from _check_credentials(base, settings)
    except httpx.HTTPError as error:
        yield Finding("functions", f"{base} does not answer ({type(error).__name__})", _NOT_DEPLOYED, failed=True)


def _check_readiness(base: str) -> Finding:
    response = httpx.get(f"{base}/health?ready=true", timeout=_SECONDS)
    answer = _as_object(response)
    if "version" not in answer:
        result = f"{base}/health answers {response.status_code}, and not as Keepsake does"
        return Finding("functions", result, _NOT_DEPLOYED, failed=True)
    if not response.is_success:
        reason = answer.get("reason") or "they do not reach their database: check DATABASE_URL of the service"
        return Finding("functions", f"not ready: {reason}", "Look at the log of the service.", failed=True)
    if answer["version"] != __version__:
        result = f"{base} runs {answer['version']}, and this is {__version__}"
        return Finding("functions", result, "Deploy the release whose migrations the database has.")
    return Finding("functions", f"ready at {base}")


def _check_credentials(base: str, settings: Settings) -> Iterator[Finding]:
    """Send each key with an empty body, which is refused for its content (400) only where the key is accepted."""
    attempts = []
    if settings.secret_keys:
        attempts.append(("SUPABASE_SECRET_KEY", "inject-memory", {"apikey": settings.secret_keys[0]}))
    if settings.supabase_jwt_secret is not None:
        token = {"authorization": f"Bearer {_token_of_nobody(settings)}"}
        attempts.append(("SUPABASE_JWT_SECRET", "conversation-manager", token))
    for variable, function, headers in attempts:
        response = httpx.post(f"{base}/{function}", json={}, headers=headers, timeout=_SECONDS)
        if response.status_code == httpx.codes.UNAUTHORIZED:
            result = f"{function} refuses what is right by {variable}"
            remedy = f"Give the service the same {variable} and SUPABASE_URL as here."
            yield Finding("functions", result, remedy, failed=True)


def _token_of_nobody(settings: Settings) -> str:
    secret = settings.supabase_jwt_secret
    assert secret is not None  # noqa: S101 (both callers have looked)
    return stranger_token(secret.get_secret_value(), issuer=settings.issuer, audience=settings.supabase_jwt_audience)


def _rest_url(settings: Settings) -> str:
    return f"{settings.supabase_url.rstrip('/')}/rest/v1/user_memory?select=id&limit=1"


def _as_object(response: httpx.Response) -> Mapping[str, str]:
    try:
        found = response.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
