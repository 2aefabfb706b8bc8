"""Every token that is not exactly what the project's own keys sign for its own people is refused, the same way."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import warnings
from collections.abc import Iterator
from itertools import chain
from typing import Any
from uuid import uuid4

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from keepsake.errors import Unauthenticated
from keepsake.identity import Person, Service
from keepsake.infra.auth.authenticate import Authenticator
from keepsake.infra.settings import Settings
from tests.fixtures.tokens import ISSUER, JWT_SECRET, PROJECT_URL, SECRET_KEY, anon_token, person_token, service_token

EC_KEY = ec.generate_private_key(ec.SECP256R1())
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
WEAK_KEY = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505  # it is refused for that
OTHER_EC_KEY = ec.generate_private_key(ec.SECP256R1())
PUBLIC_PEM = RSA_KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
USER = uuid4()
KEYS = {
    "keys": [
        {**ECAlgorithm.to_jwk(EC_KEY.public_key(), as_dict=True), "kid": "ec", "use": "sig", "alg": "ES256"},
        {**RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True), "kid": "rsa", "use": "sig"},
        {**RSAAlgorithm.to_jwk(WEAK_KEY.public_key(), as_dict=True), "kid": "weak", "use": "sig"},
        {"kty": "oct", "kid": "shared", "k": base64.urlsafe_b64encode(b"k" * 32).decode(), "alg": "HS256"},
        {**RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True), "kid": "for-secrets", "use": "enc"},
    ]
}


@pytest.fixture(scope="module")
def authenticator() -> Authenticator:
    """Knows the legacy secret and the published keys; it needs no database."""
    return Authenticator(
        Settings.load(
            database_url="postgresql://nowhere",
            supabase_url=PROJECT_URL,
            supabase_jwt_secret=JWT_SECRET,
            supabase_jwks=json.dumps(KEYS),
            supabase_secret_key=f"{SECRET_KEY},sb_secret_the_next_one_0123456789",
        )
    )


def claims(**changed: Any) -> dict[str, Any]:
    """A person's claims; None leaves one out."""
    said = {
        "iss": ISSUER,
        "aud": "authenticated",
        "sub": str(USER),
        "role": "authenticated",
        "exp": int(time.time()) + 86_400,  # made when the tests are collected
        **changed,
    }
    return {name: value for name, value in said.items() if value is not None}


def b64(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def handmade(header: Any, body: Any, key: bytes = JWT_SECRET.encode()) -> str:
    """A token put together by hand, signed by HMAC whatever its header says."""
    signing = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(body).encode())}"
    return f"{signing}.{b64(hmac.new(key, signing.encode(), hashlib.sha256).digest())}"


def signed(said: Any, key: Any = JWT_SECRET, algorithm: str = "HS256", **header: Any) -> str:
    """Any claims, well signed; also by a key that is too short."""
    with warnings.catch_warnings(action="ignore"):
        return jwt.PyJWS().encode(json.dumps(said).encode(), key, algorithm=algorithm, headers=header)


def by_ec(said: dict[str, Any], key: Any = EC_KEY, **header: Any) -> str:
    return signed(said, key, "ES256", **{"kid": "ec", **header})


def by_rsa(said: dict[str, Any], key: Any = RSA_KEY, **header: Any) -> str:
    return signed(said, key, "RS256", **{"kid": "rsa", **header})


def forged_claims() -> Iterator[tuple[str, dict[str, Any]]]:
    """Claims that no token may carry, however well it is signed."""
    now = int(time.time())
    yield "expired", claims(exp=now - 60)
    yield "without an end", claims(exp=None)
    yield "end is no number", claims(exp="tomorrow")
    yield "not yet valid", claims(nbf=now + 43_200)
    yield "issued in the future", claims(iat=now + 43_200)
    yield "another issuer", claims(iss="https://evil.example/auth/v1")
    yield "issuer with a slash more", claims(iss=f"{ISSUER}/")
    yield "issuer is a list", claims(iss=[ISSUER])
    yield "no issuer", claims(iss=None)
    yield "another audience", claims(aud="anon")
    yield "another audience in a list", claims(aud=["other"])
    yield "audience is an object", claims(aud={"authenticated": 1})
    yield "no audience", claims(aud=None)
    yield "role of service", claims(role="service_role")
    yield "role of anon", claims(role="anon")
    yield "role of owner", claims(role="postgres")
    yield "role is a list", claims(role=["authenticated"])
    yield "no role", claims(role=None)
    yield "no subject", claims(sub=None)
    yield "subject is no UUID", claims(sub="1")
    yield "subject is SQL", claims(sub=f"{USER}' or true --")
    yield "subject in braces", claims(sub=f"{{{USER}}}")
    yield "subject as URN", claims(sub=f"urn:uuid:{USER}")
    yield "subject without hyphens", claims(sub=USER.hex)
    yield "subject is a number", claims(sub=7)
    yield "subject is a list", claims(sub=[str(USER)])
    yield "a NUL in a claim", claims(user_metadata={"name": "a\x00b"})
    yield "half a character in a claim", claims(user_metadata={"name": "a\ud800b"})
    yield "a number beyond numbers in a claim", claims(user_metadata={"age": float("inf")})


def well_signed() -> Iterator[tuple[str, str]]:
    """Tokens that say what no token may."""
    for why, said in forged_claims():
        yield f"HS256, {why}", signed(said)
        yield f"ES256, {why}", by_ec(said)
    yield "critical extension", handmade({"alg": "HS256", "crit": ["b64"], "b64": False}, claims())
    yield "critical list is empty", handmade({"alg": "HS256", "crit": []}, claims())
    yield "claims longer than any token", signed(claims(x="y" * 70_000))


def by_no_key() -> Iterator[tuple[str, str]]:
    """Tokens that say themselves how little is to be checked."""
    _, body, signature = person_token(USER).split(".")
    yield "alg none", f"{b64(json.dumps({'alg': 'none'}).encode())}.{body}."
    yield "alg None in capitals", f"{b64(json.dumps({'alg': 'NONE'}).encode())}.{body}."
    yield "alg none with the signature", f"{b64(json.dumps({'alg': 'none'}).encode())}.{body}.{signature}"
    yield "alg missing", handmade({"typ": "JWT"}, claims())
    yield "alg is a list", handmade({"alg": ["HS256"]}, claims())
    yield "alg is null", handmade({"alg": None}, claims())
    yield "header is a list", handmade(["HS256"], claims())
    yield "body is a list", handmade({"alg": "HS256"}, [1])
    yield "deeply nested header", f"{b64(b'[' * 3000)}.{body}.{signature}"


def by_a_wrong_key() -> Iterator[tuple[str, str]]:
    """Tokens signed by somebody else, or by a key that may not sign such tokens."""
    yield "HS256 by another secret", person_token(USER, secret="another secret of thirty-two characters")
    yield "HS256 by the empty secret", handmade({"alg": "HS256"}, claims(), b"")
    yield "HS256 by the public key", handmade({"alg": "HS256", "kid": "rsa"}, claims(), PUBLIC_PEM)
    yield "HS256 by the public key, without its end", handmade({"alg": "HS256"}, claims(), PUBLIC_PEM.strip())
    yield "HS256 by a shared key in the set", handmade({"alg": "HS256", "kid": "shared"}, claims(), b"k" * 32)
    yield "HS512", signed(claims(), JWT_SECRET * 2, "HS512")
    yield "HS256 signed, RS256 said", handmade({"alg": "RS256", "kid": "rsa"}, claims(), PUBLIC_PEM)
    yield "HS256 signed, ES256 said", handmade({"alg": "ES256", "kid": "ec"}, claims())
    yield "ES256 by another key", by_ec(claims(), OTHER_EC_KEY)
    yield "ES256 without a key's name", signed(claims(), EC_KEY, "ES256")
    yield "ES256 under the name of another kind", by_ec(claims(), kid="rsa")
    yield "ES256 under an unknown name", by_ec(claims(), kid="unknown")
    yield "key's name is a path", by_ec(claims(), kid="../../dev/null")
    yield "key's name is an address", by_ec(claims(), kid="https://evil.example/jwks")
    yield "key's name is a list", handmade({"alg": "ES256", "kid": ["ec"]}, claims())
    yield (
        "key brought along",
        by_ec(claims(), OTHER_EC_KEY, kid="mine", jwk=ECAlgorithm.to_jwk(OTHER_EC_KEY.public_key(), as_dict=True)),
    )
    yield "key's address brought along", by_ec(claims(), OTHER_EC_KEY, kid="mine", jku="https://evil.example/jwks")
    yield "certificate's address brought along", by_ec(claims(), OTHER_EC_KEY, x5u="https://evil.example/cert")
    yield "RS256 by a key for secrets", by_rsa(claims(), kid="for-secrets")
    yield "RS256 by too short a key", by_rsa(claims(), WEAK_KEY, kid="weak")
    yield "PS256", signed(claims(), RSA_KEY, "PS256", kid="rsa")


def mangled() -> Iterator[tuple[str, str]]:
    """A good token that is no longer what it was."""
    good = person_token(USER)
    header, body, signature = good.split(".")
    yield "body changed", f"{header}.{b64(json.dumps(claims(sub=str(uuid4()))).encode())}.{signature}"
    yield "signature cut", good[:-4]
    yield "signature gone", f"{header}.{body}."
    yield "two parts", f"{header}.{body}"
    yield "four parts", f"{good}.x"
    yield "something after it", f"{good}x==="
    yield "no base64", "å.ß.∂"
    yield "not a token", "garbage"
    yield "dots", "..."
    yield "longer than any token", good + "A" * 70_000


def no_service() -> Iterator[tuple[str, str]]:
    """Keys that are not the service's."""
    end = int(time.time()) + 60
    yield "anon key", anon_token()
    yield (
        "service key with a person in it",
        jwt.encode(
            {"iss": "supabase", "role": "service_role", "sub": str(USER), "exp": int(time.time()) + 60}, JWT_SECRET
        ),
    )
    yield (
        "service key for people",
        jwt.encode(
            {"iss": "supabase", "role": "service_role", "aud": "authenticated", "exp": int(time.time()) + 60},
            JWT_SECRET,
        ),
    )
    yield (
        "service key of another issuer",
        jwt.encode({"iss": "evil", "role": "service_role", "exp": int(time.time()) + 60}, JWT_SECRET),
    )
    yield "service key without an end", signed({"iss": "supabase", "role": "service_role"})
    yield "service key signed as a person", by_ec({"iss": ISSUER, "role": "service_role", "exp": end})
    yield "unknown secret key", "sb_secret_unknown_0123456789abcdef"
    yield "secret key cut", SECRET_KEY[:-1]
    yield "secret key with more", f"{SECRET_KEY}0"
    yield "secret key's prefix", "sb_secret_"
    yield "two secret keys", f"{SECRET_KEY},sb_secret_the_next_one_0123456789"
    yield "publishable key", "sb_publishable_0123456789abcdef"


FORGED = dict(chain(well_signed(), by_no_key(), by_a_wrong_key(), mangled(), no_service()))


@pytest.mark.parametrize("why", FORGED)
async def test_forged__is_refused_wherever_it_stands(authenticator: Authenticator, why: str) -> None:
    for headers in ({"authorization": f"Bearer {FORGED[why]}"}, {"apikey": FORGED[why]}):
        with pytest.raises(Unauthenticated) as refusal:
            await authenticator.identify(headers)
        assert refusal.value.message == "The credentials are missing or not valid."


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": "Bearer  "},
        {"apikey": ""},
        {"authorization": f"Basic {base64.b64encode(b'postgres:postgres').decode()}"},
        {"authorization": f"Basic {SECRET_KEY}", "apikey": SECRET_KEY},
        {"authorization": f"Bearer {anon_token()}", "apikey": SECRET_KEY},
        {"authorization": person_token(USER)},
    ],
)
async def test_no_credentials_of_ours__are_refused(authenticator: Authenticator, headers: dict[str, str]) -> None:
    with pytest.raises(Unauthenticated):
        await authenticator.identify(headers)


@pytest.mark.parametrize(
    "token",
    [
        person_token(USER),
        by_ec(claims()),
        by_rsa(claims()),
        by_ec(claims(aud=["authenticated", "other"])),
        by_ec(claims(sub=str(USER).upper())),
    ],
)
async def test_a_persons_token__is_that_person(authenticator: Authenticator, token: str) -> None:
    """Signed by the legacy secret or by a published key: the check above does not refuse everything."""
    person = await authenticator.identify({"authorization": f"Bearer {token}"})
    assert isinstance(person, Person)
    assert person.user_id == USER
    assert person.claims["role"] == "authenticated"


@pytest.mark.parametrize("said", [{"iat": 20}, {"nbf": 20}, {"exp": -20}])
async def test_clocks__may_differ_as_much_as_postgrest_lets_them(
    authenticator: Authenticator, said: dict[str, int]
) -> None:
    moments = {name: int(time.time()) + seconds for name, seconds in said.items()}
    person = await authenticator.identify({"authorization": f"Bearer {by_ec(claims(**moments))}"})
    assert isinstance(person, Person)


@pytest.mark.parametrize(
    "credential", [SECRET_KEY, "sb_secret_the_next_one_0123456789", service_token()], ids=["key", "next key", "legacy"]
)
async def test_a_service_key__is_a_service(authenticator: Authenticator, credential: str) -> None:
    assert await authenticator.identify({"apikey": credential}) == Service()
    assert await authenticator.identify({"apikey": "x", "authorization": f"bearer {credential}"}) == Service()
