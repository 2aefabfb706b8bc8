"""A delivery counts only if one of the secrets signed exactly this body, under this id, within five minutes."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks.webhooks import Webhook

from keepsake.errors import Unauthenticated
from keepsake.infra.auth.webhooks import WebhookVerifier
from tests.fixtures.tokens import WEBHOOK_SECRET

OLD_SECRET = "whsec_" + base64.b64encode(b"the secret that is being rotated out").decode()
OTHER_SECRET = "whsec_" + base64.b64encode(b"the secret of somebody else entirely").decode()
BODY = b'{"conversation_id": "c", "message_id": "m"}'
VERIFIER = WebhookVerifier((WEBHOOK_SECRET, OLD_SECRET))


def headers(*, age: int = 0, secret: str = WEBHOOK_SECRET, body: bytes = BODY, id: str = "msg_1") -> dict[str, str]:
    """The headers of a delivery signed ``age`` seconds ago."""
    at = datetime.now(UTC) - timedelta(seconds=age)
    return {
        "webhook-id": id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(id, at, body.decode()),
    }


def mutations() -> Iterator[tuple[str, dict[str, str], bytes]]:
    """Deliveries that differ from a good one in one thing."""
    good = headers()
    signature, stamp = good["webhook-signature"], good["webhook-timestamp"]
    raw = signature.removeprefix("v1,")
    yield "body changed", good, BODY.replace(b"m", b"n")
    yield "body longer", good, BODY + b" "
    yield "body empty", good, b""
    yield "body no UTF-8", good, b"\xff\xfe"
    yield "id changed", {**good, "webhook-id": "msg_2"}, BODY
    yield "another secret", headers(secret=OTHER_SECRET), BODY
    yield "too old", headers(age=301), BODY
    yield "too new", headers(age=-330), BODY
    for name in good:
        yield f"without {name}", {key: value for key, value in good.items() if key != name}, BODY
        yield f"empty {name}", {**good, name: ""}, BODY
    for odd in (f"{stamp}.5", f" {stamp}", f"+{stamp}", "1e9", "nan", "inf", "-1", "9" * 30, "٣٤٥", "x", f"{stamp}x"):
        yield f"timestamp {odd}", {**good, "webhook-timestamp": odd}, BODY
    for odd in (
        raw,
        f"v1{raw}",
        f"v1,{raw},",
        f"v1,,{raw}",
        f"v1,{raw}x",
        f"v1,!{raw}",
        f"v1,{raw[:-1]}",
        f"v1,{raw[:20]} {raw[20:]}",
        f"v2,{raw}",
        f"v1a,{raw}",
        f"V1,{raw}",
        f"v1,{raw.swapcase()}",
        f"v1,{_same_bits_other_letter(raw)}",
        "v1,",
        "v1,=",
        ",",
        " ",
        "v1,é",
        "v1," + "A" * 100_000,
        f" {signature}",
        f"{signature}  v1,{raw}",
        base64.b64encode(b"x" * 32).decode(),
        "v1," + base64.b64encode(b"x" * 32).decode(),
    ):
        yield f"signature {odd[:30]}", {**good, "webhook-signature": odd}, BODY
    for odd in ("msg 1", "msg\x001", "x" * 129, "é"):
        yield f"id {odd[:10]!r}", headers(id=odd), BODY


def _same_bits_other_letter(raw: str) -> str:
    """The same signature with the unused bits of its last letter set: base64 is not written in one way only."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return raw[:-2] + alphabet[alphabet.index(raw[-2]) + 1] + "="


@pytest.mark.parametrize("age", [0, 290, -290])
@pytest.mark.parametrize("secret", [WEBHOOK_SECRET, OLD_SECRET])
def test_signed_and_fresh__names_its_delivery(age: int, secret: str) -> None:
    """Both secrets count while one is being rotated out."""
    assert VERIFIER.verify(BODY, headers(age=age, secret=secret, id="msg_7")) == "msg_7"


def test_several_signatures__one_good_one_is_enough() -> None:
    good = headers()
    other = "v1," + base64.b64encode(b"x" * 32).decode()
    for many in (f"{other} {good['webhook-signature']}", f"v1a,{'A' * 86}== {good['webhook-signature']}"):
        assert VERIFIER.verify(BODY, {**good, "webhook-signature": many}) == "msg_1"


# By number, and signed anew in the test: a delivery signed when the run began is soon refused for its age alone.
@pytest.mark.parametrize("number", range(len(list(mutations()))))
def test_changed__is_refused(number: int) -> None:
    _why, given, body = list(mutations())[number]
    with pytest.raises(Unauthenticated):
        VERIFIER.verify(body, given)


@given(id=st.text(max_size=40), stamp=st.text(max_size=20), signature=st.text(max_size=80), body=st.binary(max_size=99))
def test_whatever_is_sent__is_refused_and_never_breaks(id: str, stamp: str, signature: str, body: bytes) -> None:
    sent = {"webhook-id": id, "webhook-timestamp": stamp, "webhook-signature": signature}
    with pytest.raises(Unauthenticated):
        VERIFIER.verify(body, sent)


def test_without_a_secret__nothing_is_accepted() -> None:
    with pytest.raises(Unauthenticated):
        WebhookVerifier(()).verify(BODY, headers())
