"""Checks the files of a release before anybody publishes them: ``python .ci/check_release.py FOLDER``."""

from __future__ import annotations

import json
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATTERNS = (
    "keepsake-*.whl",
    "keepsake_client-*.whl",
    "keepsake-*.tar.gz",
    "keepsake_client-*.tar.gz",
    "keepsake-client-*.tgz",
)
FORBIDDEN = re.compile(r"(^|/)(\.env|\.keepsake|node_modules|tests|bench|keys\.json)(/|$)")


def names_of(path: Path) -> list[str]:
    """The files in an archive."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    with tarfile.open(path) as archive:
        return archive.getnames()


def versions() -> dict[str, str]:
    """The version of each package by what names it."""
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    client = tomllib.loads((ROOT / "frontend_contract/python/pyproject.toml").read_text())["project"]["version"]
    package = json.loads((ROOT / "frontend_contract/client/package.json").read_text())["version"]
    contract = json.loads((ROOT / "frontend_contract/openapi.json").read_text())["info"]["version"]
    return {"server": server, "Python client": client, "npm client": package, "contract": contract}


def problems(folder: Path) -> list[str]:
    """What is wrong with a release; nothing where it may be published."""
    found = []
    for pattern in PATTERNS:
        files = list(folder.glob(pattern))
        if len(files) != 1:
            found.append(f"{pattern}: {len(files)} files")
            continue
        names = names_of(files[0])
        if not any(Path(name).name == "LICENSE" for name in names):
            found.append(f"{files[0].name}: no license")
        found += [f"{files[0].name}: {name}" for name in names if FORBIDDEN.search(name)]
    named = versions()
    if named["npm client"] != named["contract"]:
        found.append(f"the npm client is {named['npm client']}, and the contract {named['contract']}")
    if named["Python client"] != named["server"]:
        found.append(f"the Python client is {named['Python client']}, and the server {named['server']}")
    if f"## [{named['server']}]" not in (ROOT / "CHANGELOG.md").read_text():
        print(f"CHANGELOG.md has no section {named['server']} yet: a rehearsal, not a release.")
    return found


if __name__ == "__main__":
    faults = problems(Path(sys.argv[1]))
    print("\n".join(faults) or "\n".join(f"{name} {version}" for name, version in versions().items()))
    sys.exit(bool(faults))
