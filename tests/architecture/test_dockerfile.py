"""The image holds the core in locked versions, built in a stage of its own, and does not run as root."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
IMAGE = re.compile(r"ARG PYTHON_IMAGE=python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}")


def instructions(text: str) -> list[str]:
    """The instructions of a Dockerfile, one a line, without comments."""
    code = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return [line for line in re.sub(r"\s*\\\n\s*", " ", code).splitlines() if line.strip()]


def faults(text: str) -> Iterator[str]:
    """What in a Dockerfile is not as it has to be."""
    found = instructions(text)
    final = found[max(i for i, line in enumerate(found) if line.startswith("FROM ")) :]
    if not any(IMAGE.fullmatch(line) for line in found):
        yield "the base image is not pinned"
    if any(line.startswith("FROM ") and not line.startswith("FROM ${PYTHON_IMAGE}") for line in found):
        yield "an image beside the pinned one"
    for command in (part for line in found for part in line.split("&&") if re.search(r"\bpip (install|wheel)\b", part)):
        if re.search(r"(--editable|-e)\b", command):
            yield f"editable: {command}"
        if "--no-deps" not in command or not re.search("--require-hashes|--no-index|--no-build-isolation", command):
            yield f"not locked: {command}"
    if re.search(r"apt-get|apk |curl |npm|node(js)?-|postgres|requirements-(dev|local)", text):
        yield "more than the core"
    users = [line.split()[1] for line in final if line.startswith("USER ")]
    if not users or users[-1] in {"root", "0"}:
        yield "runs as root"


def test_dockerfile__has_no_fault() -> None:
    assert list(faults(DOCKERFILE)) == []


@pytest.mark.parametrize(
    "right,wrong,fault",
    [
        ("@sha256:", "@sha512:", "the base image is not pinned"),
        ("FROM ${PYTHON_IMAGE}\n", "FROM python:3\n", "an image beside the pinned one"),
        ("--no-deps --no-index dist", "--no-deps --no-index --editable dist", "editable"),
        ("--require-hashes ", "", "not locked"),
        ("USER keepsake\n", "", "runs as root"),
        ("USER keepsake", "USER root", "runs as root"),
        ("WORKDIR /app", "RUN apt-get install postgresql", "more than the core"),
    ],
)
def test_dockerfile__a_planted_fault_is_found(right: str, wrong: str, fault: str) -> None:
    """The check above can fail."""
    assert right in DOCKERFILE
    assert any(found.startswith(fault) for found in faults(DOCKERFILE.replace(right, wrong)))


def test_dockerfile__copies_only_what_the_context_holds() -> None:
    """What `.dockerignore` leaves out cannot be copied."""
    ignore = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in ignore if line.startswith("!")}
    copies = (
        line.split()[1:-1] for line in instructions(DOCKERFILE) if line.startswith("COPY ") and "--from" not in line
    )
    copied = {name.split("/")[0] for names in copies for name in names}
    assert copied == kept
    assert not [name for name in kept if not (ROOT / name).exists()]
