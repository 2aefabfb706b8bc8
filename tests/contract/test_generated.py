"""What is generated is current: `make contract` would change nothing."""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import TypeAdapter

from keepsake.infra.settings import Settings
from tests.architecture.source import FUNCTIONS, ROOT, deployed
from tests.contract.generated import ENVIRONMENT, OPENAPI, generate
from tests.fixtures.db import Clone


def test_every_file__is_current(db: Clone) -> None:
    """What is kept in the repository is what the code and the migrated database say of themselves."""
    outdated = [
        str(path.relative_to(ROOT)) for path, text in generate(db.owner_url).items() if path.read_text() != text
    ]
    assert not outdated, "run `make contract`"


def test_example_environment__names_every_setting_with_its_default() -> None:
    """Nothing can be set that the file does not show, and every value it shows is what one gets without it."""
    shown = dict(re.findall(r"^(?:# )?([A-Z][A-Z_]+)=(.*)$", ENVIRONMENT.read_text(), re.MULTILINE))
    assert list(shown) == [name.upper() for name in Settings.model_fields]
    defaults = Settings.model_construct()
    for name, field in Settings.model_fields.items():
        if not field.is_required() and field.default is not None:
            kind: Any = field.annotation
            read = (
                TypeAdapter(kind).validate_json
                if isinstance(field.default, dict)
                else TypeAdapter(kind).validate_python
            )
            assert read(shown[name.upper()]) == getattr(defaults, name)


def test_openapi__describes_every_deployed_function() -> None:
    """Nothing is deployed that the contract does not name, and nothing is promised that is not deployed."""
    described = {
        path.split("/")[3].replace("-", "_").removesuffix(".json") for path in json.loads(OPENAPI.read_text())["paths"]
    }
    assert described == set(deployed((FUNCTIONS / "main.py").read_text()))
