"""Every reason of the guard has words, and a reason without words stands as it is stored."""

from __future__ import annotations

from keepsake.domain.consent.guard import GuardReason
from keepsake.domain.explanation.reasons import describe_drop, describe_guard


def test_guard__has_words_for_every_reason() -> None:
    said = {describe_guard(reason.value) for reason in GuardReason}
    assert len(said) == len(GuardReason)
    assert not said & {reason.value for reason in GuardReason}


def test_drop__has_words_or_stands_as_it_is() -> None:
    assert describe_drop("secret") == "it contains a secret, or could"
    assert describe_drop("some_new_reason") == "some new reason"
