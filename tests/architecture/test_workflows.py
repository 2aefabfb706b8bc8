"""The workflows of releases build and check, publish nothing, may only read, and name no registry."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.architecture.source import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(workflow: Any) -> Iterator[Any]:
    """All steps of a workflow."""
    for job in workflow["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow__reads_only_and_publishes_nothing(path: Path) -> None:
    text, workflow = path.read_text(), yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 60 for job in workflow["jobs"].values())
    assert not re.search(r"https?://|registry|pypi|npmjs|secrets\.|npm publish|twine|docker push", text)
    uses = re.findall(r"uses: (.*)", text)
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", name) for name in uses), uses
    checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_workflows__take_one_revision_of_each_action() -> None:
    """A tag can be moved, a full hash cannot; two workflows do not disagree."""
    named = {line for path in WORKFLOWS for line in re.findall(r"uses: (.*)", path.read_text())}
    assert len(named) == len({line.partition("@")[0] for line in named})


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow__runs_what_there_is(path: Path) -> None:
    """Every script is one that a shell can read, and names targets and folders that exist."""
    for script in (step["run"] for step in steps(yaml.safe_load(path.read_text())) if "run" in step):
        checked = re.sub(r"\$\{\{.*?\}\}", "1", script)
        assert subprocess.run(["bash", "-n"], input=checked, text=True, check=False).returncode == 0
        for target in re.findall(r"\bmake ([\w-]+)", script):
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), target
        for folder in re.findall(r"\bfrontend_contract/[\w/]+", script):
            assert (ROOT / folder).exists(), folder
