"""What is generated is current: `make contract` would change nothing."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import TypeAdapter

from keepsake.infra.settings import Settings
from tests.architecture.source import FUNCTIONS, deployed
from tests.contract.generated import DATABASE_TYPES, ENVIRONMENT, OPENAPI, database_types, example_environment, openapi
from tests.fixtures.db import Clone


def test_example_environment__is_current() -> None:
    """`.env.example` lists every setting with its purpose and its default."""
    assert ENVIRONMENT.read_text() == example_environment(), "run `make contract`"


def test_example_environment__names_every_setting_with_its_default() -> None:
    """Nothing can be set that the file does not show, and every value it shows is what one gets without it."""
    shown = dict(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=(.*)$", ENVIRONMENT.read_text(), re.MULTILINE))
    assert list(shown) == [name.upper() for name in Settings.model_fields]
    defaults = Settings.model_construct()
    for name, field in Settings.model_fields.items():
        if not field.is_required() and field.default is not None:
            kind: Any = field.annotation
            assert TypeAdapter(kind).validate_python(shown[name.upper()]) == getattr(defaults, name)


def test_openapi__is_current() -> None:
    """The document in the repository is what the functions say of themselves."""
    assert OPENAPI.read_text() == openapi(), "run `make contract`"


def test_openapi__describes_every_deployed_function() -> None:
    """Nothing is deployed that the contract does not name, and nothing is promised that is not deployed."""
    described = {path.split("/")[3].replace("-", "_").removesuffix(".json") for path in json.loads(openapi())["paths"]}
    assert described == set(deployed((FUNCTIONS / "main.py").read_text()))


def test_database_types__are_current(db: Clone) -> None:
    """The frontend's types are those of the migrated database."""
    assert DATABASE_TYPES.read_text() == database_types(db.owner_url), "run `make contract`"
