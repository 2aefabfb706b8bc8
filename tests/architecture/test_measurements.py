"""The commands of ``bench/``: each is in the table that opens its page, and tells how it is used."""

from __future__ import annotations

import ast
import re
import runpy
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, imported, modules

PAGE = ROOT / "bench" / "README.md"
STARTED_BY_OTHERS = {
    "bench.harness.serving": "the process in which other commands have the functions served",
    "bench.speed.peers_mem0_side": "the half of a command that runs in the environment of mem0",
    "bench.extraction.small_model_server": "runs in an environment of its own, by its path",
}
"""Commands that nobody types as they stand in the table; each with its reason."""
_COMMAND = re.compile(r"python -m (bench(?:\.\w+)+)")
_MAIN = re.compile(r'^if __name__ == "__main__":', re.MULTILINE)


def name_of(path: Path) -> str:
    """What ``python -m`` calls a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")


def reads_arguments(path: Path) -> bool:
    """Whether a command makes a parser, or takes the one of another module: else it would start to work."""
    source = path.read_text(encoding="utf-8")
    shared = {name.rpartition(".")[2] for name in imported(ast.parse(source)) if name.startswith("bench.")}
    return "ArgumentParser(" in source or not shared.isdisjoint({"main", "parse_arguments"})


COMMANDS = [path for path in modules("bench") if _MAIN.search(path.read_text(encoding="utf-8"))]


def test_table__names_every_command_and_no_other() -> None:
    table = {name for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")
             for name in _COMMAND.findall(line)}  # fmt: skip
    assert table == {name_of(path) for path in COMMANDS} - STARTED_BY_OTHERS.keys()


@pytest.mark.parametrize("path", COMMANDS, ids=name_of)
def test_command__tells_how_it_is_used(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reads_arguments(path), "asked for --help, it would do its work"
    monkeypatch.setattr(sys, "argv", [str(path), "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: ")


def test_reads_arguments__of_a_command_without_a_parser_is_false(tmp_path: Path) -> None:
    """The check above can fail, and then nothing is run."""
    command = tmp_path / "command.py"
    command.write_text('import random\n\nif __name__ == "__main__":\n    print(random.random())\n', encoding="utf-8")
    assert not reads_arguments(command)
