"""What is generated is current: `make contract` would change nothing."""

from __future__ import annotations

import re
from typing import Any

from pydantic import TypeAdapter

from keepsake.infra.settings import Settings
from tests.contract.generated import DATABASE_TYPES, ENVIRONMENT, database_types, example_environment
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


def test_database_types__are_current(db: Clone) -> None:
    """The frontend's types are those of the migrated database."""
    assert DATABASE_TYPES.read_text() == database_types(db.owner_url), "run `make contract`"
