"""Builds the wheel, and installs it into environments outside the repository, without any registry."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.architecture.source import ROOT


@dataclass(frozen=True)
class Environment:
    """A virtual environment with Keepsake in it, used from an empty folder that is also the home directory."""

    root: Path
    folder: Path

    def path(self, program: str) -> str:
        """One of the environment's own programs."""
        return str(self.root / "bin" / program)

    def variables(self, **settings: str) -> dict[str, str]:
        """What a process is told: nothing of the test run, and no path of the repository."""
        path = os.pathsep.join([str(self.root / "bin"), os.defpath])
        return {"HOME": str(self.folder), "PATH": path, "LANG": "C.UTF-8", **settings}

    def run(self, program: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment to its end."""
        return subprocess.run(
            [self.path(program), *arguments],
            cwd=self.folder,
            env=self.variables(**settings),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


def build_wheel(source: Path, target: Path) -> Path:
    """The wheel of a checkout or of a source archive."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(target)]
    _run([sys.executable, "-m", "pip", "wheel", *options, str(source)])
    (wheel,) = target.glob("*.whl")
    return wheel


def build_archive(target: Path) -> Path:
    """The source archive of the checkout."""
    _run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(target)])
    (archive,) = target.glob("*.tar.gz")
    return archive


def install_core(wheel: Path, folder: Path) -> Environment:
    """The wheel with the packages of ``requirements.lock`` and no others, each a link to the copy of this test run."""
    environment, packages = _install(wheel, folder)
    for entry in _top_level(_locked(ROOT / "requirements.lock")):
        (packages / entry.name).symlink_to(entry)
    return environment


def install_client(wheel: Path, folder: Path) -> Environment:
    """The wheel of the client with httpx and what that needs, each a link to the copy of this test run."""
    environment, packages = _install(wheel, folder)
    for entry in _top_level(_needed_by("httpx")):
        (packages / entry.name).symlink_to(entry)
    return environment


def install_local(wheel: Path, folder: Path) -> Environment:
    """The wheel with every package of this test run."""
    environment, packages = _install(wheel, folder)
    # The folder is put on the path as it is; `.pth` files in it, such as that of an editable install, are not read.
    (packages / "dependencies.pth").write_text(f"{_packages_of(Path(sys.prefix))}\n")
    return environment


def _install(wheel: Path, folder: Path) -> tuple[Environment, Path]:
    root, home = folder / "environment", folder / "empty"
    venv.create(root, symlinks=True)
    home.mkdir()
    python = str(root / "bin" / "python")
    _run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", str(wheel)])
    return Environment(root, home), _packages_of(root)


def _packages_of(root: Path) -> Path:
    return root / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"


def _locked(lock: Path) -> Iterator[str]:
    """The names in a lock file that are meant for this platform."""
    for line in re.findall(r"^[\w.-]+==[^\\\n]+", lock.read_text(), re.MULTILINE):
        requirement = Requirement(line.strip())
        if requirement.marker is None or requirement.marker.evaluate():
            yield requirement.name


def _needed_by(name: str) -> set[str]:
    """A distribution with all that it needs without an extra."""
    found, left = set(), [name]
    while left:
        found.add(one := left.pop())
        needed = map(Requirement, distribution(one).requires or [])
        left += [each.name for each in needed if each.name not in found and (not each.marker or each.marker.evaluate())]
    return found


def _top_level(names: Iterable[str]) -> set[Path]:
    """What these distributions have put directly into ``site-packages``."""
    found: set[Path] = set()
    for name in names:
        for file in distribution(name).files or []:
            if file.parts[0] not in {"..", "__pycache__"}:
                found.add(Path(str(distribution(name).locate_file(file.parts[0]))))
    return found


def _run(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
