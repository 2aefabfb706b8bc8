"""A stack, a person of whom something is remembered, and what runs npm: for ``new_applications``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from keepsake.local.servers.npm_packages import node_environment, npm
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder
from tests.architecture.source import ROOT
from tests.browser.seed import Seed
from tests.model_server.running import ModelServer

AI_SDKS = {"5": "1", "6": "2", "7": "3"}
"""The versions of ``ai``, with those of the provider that go with them."""
QUESTION, MEMORY, ANSWER = "What is my favorite food?", "Favorite food is ramen", "You love ramen."


@dataclass(frozen=True, slots=True)
class Scene:
    """A running stack with a person in a conversation, of whom something is remembered, and a scripted model."""

    url: str
    pid: int
    publishable_key: str
    secret_key: str
    person: Seed
    conversation_id: str
    model: ModelServer

    def check_memory(self, where: str) -> None:
        """The model was told what is remembered."""
        (asked,) = self.model.script.chats
        assert MEMORY in json.dumps(asked["messages"]), f"{where}: the model was not told"
        self.model.script.forget()
        self.model.script.always({"content": ANSWER})


@contextmanager
def scene(folder: Path) -> Iterator[Scene]:
    """Run a stack with a scene in it until the end of the block."""
    project = ProjectFolder(folder / "data")
    running, keys = background.start(project, port=0, timeout=300), project.keys()
    try:
        with ModelServer() as model, Seed(project, "nora@example.com") as person:
            model.script.always({"content": ANSWER})
            person.remember(MEMORY)
            (conversation_id,) = person.insert("conversations", {"mode": "chat"})
            yield Scene(
                running.api_url, running.pid, keys.publishable_key, keys.secret_key, person, conversation_id, model
            )
    finally:
        background.stop(project)


def pack(folder: Path) -> Path:
    """Pack the npm package into a folder."""
    run([str(ROOT / ".ci" / "pack_client"), str(folder)], ROOT, node_environment())
    (tarball,) = folder.glob("*.tgz")
    return tarball


def block_of_page(page: str, language: str, name: str) -> str:
    """A block of code that a page shows under a name."""
    text = (ROOT / page).read_text()
    found = re.search(rf"<!-- {language}: {name} -->\n```{language}\n(.*?)```", text, re.DOTALL)
    assert found is not None, name
    return found[1]


def run_npm(arguments: Sequence[str], folder: Path, settings: dict[str, str] | None = None) -> None:
    """Run npm in a folder; ends the program where it fails."""
    run([*npm(), *arguments], folder, node_environment() | {"npm_config_loglevel": "error"} | (settings or {}))


def run(command: Sequence[str], folder: Path, settings: dict[str, str] | None = None) -> str:
    """Run a program to its end, and return what it printed; ends this program where it fails."""
    environment = {**os.environ, **(settings or {})}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
