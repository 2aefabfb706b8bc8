"""The checksums of ``frozen.txt``: a released migration is never edited, because a database may have applied it.

Nothing is released yet, so the list is empty, and the baseline is written anew with each change of the schema files.
With the first release it is listed: from then on it stays as it is, and so does every migration after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

FROZEN = Path(__file__).with_name("frozen.txt")


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    return sha256(path.read_bytes()).hexdigest()


def read(frozen: Path = FROZEN) -> dict[str, str]:
    """The frozen checksum of each file name."""
    lines = frozen.read_text().splitlines() if frozen.exists() else []
    return {name: digest for digest, name in (line.split() for line in lines)}


def problems(directory: Path, frozen: Path = FROZEN) -> Iterator[str]:
    """What is edited, missing or not listed, each with what to do; nothing before the first release."""
    listed = read(frozen)
    if not listed:
        return
    files = {path.name: path for path in directory.glob("*.sql")}
    for name, digest in listed.items():
        if name not in files:
            yield f"{name} is missing: a released migration stays, under its name"
        elif checksum(files[name]) != digest:
            yield f"{name} was edited after its release: undo the edit, and write a new migration"
    for name in sorted(files.keys() - listed.keys()):
        yield f"{name} is not listed: run `python -m tests.migrations.freeze` and commit frozen.txt with it"


def freeze(directory: Path, frozen: Path = FROZEN) -> list[str]:
    """Append the files that are not listed, in order; never change a line that is there."""
    new = sorted({path.name for path in directory.glob("*.sql")} - read(frozen).keys())
    with frozen.open("a") as file:
        file.writelines(f"{checksum(directory / name)}  {name}\n" for name in new)
    return new
