"""Says at the start which model has no verdict, and offers to check it where somebody can answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from keepsake.errors import KeepsakeError
from keepsake.infra.settings import Settings
from keepsake.operations.check_model import Report, check_model_of
from keepsake.operations.check_model_verdict import HOW_TO_CHECK, check_model_verdict
from keepsake.operations.model_report import Prices

Say = Callable[[str], None]
Confirm = Callable[[str], bool]

_QUESTION = "Check it now? It is asked about 40 times"


def offer_check(settings: Settings, owner_url: str, say: Say, *, confirm: Confirm | None) -> None:
    """Say what is to be known of the model; check it where it has no verdict and ``confirm`` says yes.

    Without a verdict the stack runs as well, and so it does where the check fails.
    """
    for finding in check_model_verdict(settings, owner_url):
        if finding.remedy:
            say(f"{finding.subject.capitalize()}: {finding.result}. {finding.remedy}")
        if finding.remedy == HOW_TO_CHECK and confirm is not None and confirm(_QUESTION):
            try:
                asyncio.run(check_model_of(settings, Report(say, Prices())))
            except KeepsakeError as error:
                say(f"{error} {error.hint or ''}".rstrip())
