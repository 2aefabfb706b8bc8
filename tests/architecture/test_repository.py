"""What the repository must never hold: addresses of package registries, of somebody's machine, or large files."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT, committed_files

# Written in pieces, so that this file does not find itself.
FORBIDDEN = re.compile(
    "|".join(
        [
            r"https?://(?:[\w.-]+\.)?" + r"(?:pypi|npmjs|pythonhosted|yarnpkg|npmmirror)\.(?:org|com)",
            r"--(?:extra-)?index" + r"-url",
            r"--find" + r"-links",
            r"--trusted" + r"-host",
            r"file:///" + r"(?:home|opt|root|tmp|work)/",
            r"(?<![\w.])/(?:work|root|opt)" + r"/(?:main|shared|wheels|pypi|\.pyenv)",
        ]
    )
)
LARGEST = 1024 * 1024
OPTIONS_OF_THE_LOCK = {"Makefile"}  # names the options that keep addresses out


def lines_with_addresses(text: str) -> Iterator[str]:
    """The lines of a text that hold an address which does not belong into a repository."""
    for number, line in enumerate(text.splitlines(), 1):
        if FORBIDDEN.search(line):
            yield f"{number}: {line.strip()[:120]}"


def test_repository__names_no_registry_and_no_machine() -> None:
    """Lock files install from wherever the reader's pip and npm are set to, not from where they were made."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in committed_files()
        if path.name not in OPTIONS_OF_THE_LOCK
        for line in lines_with_addresses(path.read_text(errors="replace"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        '"resolved": "https://registry.' + 'npmjs.org/ws/-/ws-8.0.0.tgz"',
        "--index" + "-url https://example.com/simple",
        "https://files." + "pythonhosted.org/packages/x.whl",
        "keepsake @ file:///" + "work/main",
    ],
)
def test_repository__a_planted_address_is_found(line: str) -> None:
    """The check above can fail."""
    assert list(lines_with_addresses(line))


def test_repository__holds_no_large_file() -> None:
    """Nothing over a mebibyte: what is that big is made, not kept."""
    large = [path.relative_to(ROOT) for path in committed_files() if path.stat().st_size > LARGEST]
    assert not large
