"""Every function that takes a body has an example of it, and the example fits the wire models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from keepsake.contracts import wire
from keepsake.endpoints import openapi
from keepsake.endpoints._errors import STATUSES

CONTRACT = Path(__file__).parents[2] / "frontend_contract"
POSTED = {one.name.replace("-", "_"): one for one in openapi.declarations() if one.method == "POST"}


def test_every_function__has_its_example() -> None:
    assert {path.stem for path in (CONTRACT / "examples").glob("*.json")} == set(POSTED)


@pytest.mark.parametrize("stem", POSTED)
def test_example__fits_its_models(stem: str) -> None:
    example = json.loads((CONTRACT / "examples" / f"{stem}.json").read_text(encoding="utf-8"))
    wire.parse(POSTED[stem].request, json.dumps(example["request"]).encode())
    answer = POSTED[stem].responses[example["status"]]
    assert answer is not None
    written = answer.model_validate_json(json.dumps(example["response"])).model_dump(mode="json")
    assert written == example["response"]


def test_readme__names_every_code_with_its_status() -> None:
    table = (CONTRACT / "README.md").read_text(encoding="utf-8").partition("## Codes")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    named = {code: int(row.split("|")[2]) for row in rows for code in row.split("|")[1].replace("`", "").split(",")}
    assert {code.strip(): status for code, status in named.items()} == STATUSES
