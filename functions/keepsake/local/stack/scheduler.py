"""The scheduler of the local stack: calls the periodic functions over HTTP."""

from __future__ import annotations

import asyncio

import httpx

from keepsake.domain.summaries.periods import Level
from keepsake.infra.logs import log

MINUTE = 60.0
SCHEDULE = {
    "run-due-jobs": MINUTE,
    **{level.function_name: 15 * MINUTE for level in Level},
    "archive-old-memories": 24 * 60 * MINUTE,
}
"""The functions and the seconds between their calls; each is also called at the start, for what was missed."""


async def run_schedule(api_url: str, secret_key: str) -> None:
    """Call each function when it is due, until cancelled."""
    async with httpx.AsyncClient(
        base_url=f"{api_url}/functions/v1/", headers={"apikey": secret_key}, timeout=MINUTE, trust_env=False
    ) as client:
        await asyncio.gather(*(_repeat(client, function, seconds) for function, seconds in SCHEDULE.items()))


async def _repeat(client: httpx.AsyncClient, function: str, seconds: float) -> None:
    while True:
        try:
            answer = await client.post(function, json={})
            if not answer.is_success:
                log.warning("a cron function refused", function=function, status=answer.status_code)
        except httpx.HTTPError as error:
            log.warning("a cron function did not answer", function=function, exc_info=error)
        await asyncio.sleep(seconds)
