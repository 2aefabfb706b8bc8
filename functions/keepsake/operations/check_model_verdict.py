"""Says how good the model is, as its trial found, or how far the trial is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import psycopg

from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.trial_turns import trial_turns
from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load
from keepsake.infra.models.chat import endpoint_of
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.finding import Finding

HOW_TO_CHECK = "Run `keepsake check-model`: it tries the model with fixed turns."
_BY_ITSELF = "It is tried in the background, with about 40 calls; `keepsake check-model` does it at once."
_SUBJECT = "verdict"
_SQL = load("check_model", SQL_FOLDER / "operations")


def check_model_verdict(settings: Settings, owner_url: str | None) -> Iterator[Finding]:
    """Report the verdict on the model of extraction or its trial, and whether it is set aside."""
    name = settings.openai_extraction_model
    if name is None or owner_url is None:
        return
    params = {"model": f"{name} at {endpoint_of(settings.openai_base_url)}", "prompt_version": prompt_version()}
    try:
        with connect(owner_url) as connection:
            verdict = _find_row(connection, "verdict_of_model", params)
            trial = _find_row(connection, "trial_of_model", params)
            profile = _find_row(connection, "profile_of_model", params)
            aside = _find_row(connection, "quarantined_until", params)
    except KeepsakeError:
        return  # another check says so
    if (named := settings.openai_extraction_verdict) is not None:
        yield Finding(_SUBJECT, f"{name} is {named}, as OPENAI_EXTRACTION_VERDICT says")
    elif verdict is not None and verdict[1] == prompt_version():
        yield _describe(name, verdict)
    else:
        yield _describe_missing(name, verdict, trial, is_tried=settings.model_trial)
    if profile is not None:
        refused = f", without {', '.join(profile[0])}" if profile[0] else ""
        yield Finding("requests", f"{name} is asked by {profile[1]}{refused}, as it answered on {profile[2]}")
    if aside is not None:
        result = f"{name} is set aside until {aside[0]:%H:%M} UTC: {aside[1]} replies in a row could not be used"
        yield Finding("model", result, "Run `keepsake check-model`, or choose another model.", failed=True)


def has_verdict(settings: Settings, owner_url: str | None) -> bool:
    """Whether nobody has to do anything: the model has its verdict or gets it by itself, or there is no model."""
    return all(finding.remedy != HOW_TO_CHECK for finding in check_model_verdict(settings, owner_url))


def _find_row(connection: psycopg.Connection, query: str, params: Mapping[str, str]) -> tuple[Any, ...] | None:
    return connection.execute(_SQL[query].sql.encode(), params).fetchone()


def _describe(name: str, row: tuple[Any, ...]) -> Finding:
    verdict, _, checked_on = row
    if verdict == "rules":
        return Finding(_SUBJECT, f"{name} is not to be used ({checked_on}): the rules read", "Choose another model.")
    return Finding(_SUBJECT, f"{name} is {verdict} ({checked_on})")


def _describe_missing(
    name: str, older: tuple[Any, ...] | None, trial: tuple[Any, ...] | None, *, is_tried: bool
) -> Finding:
    """What there is in place of a verdict that counts: an older one, and a trial that goes on."""
    result = f"none on {name}: each word of its replies is checked"
    if older is not None:
        result = f"that of {older[2]} on {name} ({older[0]}) was made with another prompt, and does not count"
    if not is_tried:
        return Finding(_SUBJECT, result, HOW_TO_CHECK)
    return Finding(_SUBJECT, result + (_describe_trial(*trial) if trial else ""), _BY_ITSELF)


def _describe_trial(began_at: datetime | None, turns: int, failure: str | None, next_at: datetime) -> str:
    if failure is not None:
        return f"; its last trial failed ({failure}) after {turns} turns and goes on at {next_at:%H:%M} UTC"
    if began_at is None:
        return "; its trial is queued"
    return f"; it is being tried since {began_at:%H:%M} UTC ({turns} of {len(trial_turns())} turns)"
