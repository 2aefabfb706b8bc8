"""Says how good the model is, as ``keepsake check-model`` found, or how to find out."""

from __future__ import annotations

from collections.abc import Iterator

from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load
from keepsake.infra.models.chat import endpoint_of
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.finding import Finding

HOW_TO_CHECK = "Run `keepsake check-model`: it tries the model with fixed turns."
_SUBJECT = "verdict"
_SQL = load("check_model", SQL_FOLDER / "operations")


def check_model_verdict(settings: Settings, owner_url: str | None) -> Iterator[Finding]:
    """Report the verdict on the model of extraction, and whether it is set aside."""
    name = settings.openai_extraction_model
    if name is None or owner_url is None:
        return
    params = {"model": f"{name} at {endpoint_of(settings.openai_base_url)}"}
    try:
        with connect(owner_url) as connection:
            verdict = connection.execute(_SQL["verdict_of_model"].sql.encode(), params).fetchone()
            profile = connection.execute(_SQL["profile_of_model"].sql.encode(), params).fetchone()
            aside = connection.execute(_SQL["quarantined_until"].sql.encode(), params).fetchone()
    except KeepsakeError:
        return  # another check says so
    if (named := settings.openai_extraction_verdict) is not None:
        yield Finding(_SUBJECT, f"{name} is {named}, as OPENAI_EXTRACTION_VERDICT says")
    else:
        yield _describe(name, verdict)
    if profile is not None:
        refused = f", without {', '.join(profile[0])}" if profile[0] else ""
        yield Finding("requests", f"{name} is asked by {profile[1]}{refused}, as it answered on {profile[2]}")
    if aside is not None:
        result = f"{name} is set aside until {aside[0]:%H:%M} UTC: {aside[1]} replies in a row could not be used"
        yield Finding("model", result, "Run `keepsake check-model`, or choose another model.", failed=True)


def has_verdict(settings: Settings, owner_url: str | None) -> bool:
    """Whether there is nothing to check: the model has a verdict that counts, or there is no model."""
    return all(finding.remedy != HOW_TO_CHECK for finding in check_model_verdict(settings, owner_url))


def _describe(name: str, row: tuple[object, ...] | None) -> Finding:
    if row is None:
        return Finding(_SUBJECT, f"none on {name}: each word of its replies is checked", HOW_TO_CHECK)
    verdict, version, checked_on = row
    if version != prompt_version():
        result = f"that of {checked_on} on {name} ({verdict}) was made with another prompt, and does not count"
        return Finding(_SUBJECT, result, HOW_TO_CHECK)
    if verdict == "rules":
        return Finding(_SUBJECT, f"{name} is not to be used ({checked_on}): the rules read", "Choose another model.")
    return Finding(_SUBJECT, f"{name} is {verdict} ({checked_on})")
