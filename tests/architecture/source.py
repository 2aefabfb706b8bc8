"""The repository's own files, for the tests that hold them to the house rules."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = ROOT / "functions"
PACKAGE = FUNCTIONS / "keepsake"

MAX_MODULE_LINES = 300
MAX_FUNCTION_LINES = 50
MAX_PARAMETERS = 8
MAX_PUBLIC_NAMES = 5


def modules(*folders: str) -> list[Path]:
    """Every Python file under these folders of the repository."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def committed_files() -> list[Path]:
    """Every file the repository holds, whether committed yet or not, but for what is ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


def imported(tree: ast.AST) -> Iterator[str]:
    """The full names a module imports, `from a import b` as `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def used(tree: ast.AST) -> Iterator[str]:
    """The dotted names a module uses, such as `os.environ`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def functions_of(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a module, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function, from `def` to its last."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a function has, without the object a method belongs to."""
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return len([one for one in every if one.arg not in {"self", "cls"}])


def public_names(tree: ast.Module) -> list[str]:
    """The classes and functions that a module offers to others."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")]


def deployed(main: str) -> list[str]:
    """The names of the functions that `main.py` deploys: what it takes from the endpoints, but what holds them all."""
    imports = (node for node in ast.parse(main).body if isinstance(node, ast.ImportFrom))
    return [
        alias.name
        for node in imports
        if (node.module or "").startswith("keepsake.endpoints.")
        for alias in node.names
        if alias.name != "all_functions"
    ]
