"""Loads the functions of ``functions/main.py`` through functions-framework, each as an ASGI application."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from keepsake.errors import MisconfiguredError
from keepsake.infra.package_files import FUNCTIONS_SOURCE

DOCUMENTS = {"openapi": "openapi.json"}
"""Functions that are fetched as a file, by the file's name."""

_ALL = "all_functions"
"""The target that holds the others; whoever loads them all does not need it."""


def load_functions(source: Path = FUNCTIONS_SOURCE) -> dict[str, ASGIApp]:
    """Load all functions, by the names under which they are deployed (``inject-memory``).

    The framework would run the file again for each target. It is run once here, so that they share their resources
    and start fast; each is then made by the framework as if it were alone.
    """
    registry: Any = import_module("functions_framework._function_registry")
    framework: Any = import_module("functions_framework.aio")
    if not source.exists():
        raise MisconfiguredError(f"There are no functions: {source} is missing.")
    module, spec = registry.load_function_module(str(source))
    spec.loader.exec_module(module)
    targets = [name for name in registry.REGISTRY_MAP if hasattr(module, name) and name != _ALL]
    return {
        DOCUMENTS.get(target, target.replace("_", "-")): framework.create_asgi_app_from_module(
            target, str(source), "http", module, spec
        )
        for target in targets
    }
