"""Compiles the rules on import, for processes that read messages: the first call has a deadline."""

from __future__ import annotations

from keepsake.domain.extraction.rules.load_rules import load_rules
from keepsake.domain.extraction.rules.other_languages import languages

RULES = load_rules()
OTHER_LANGUAGES = languages()
IS_LOADED = True
