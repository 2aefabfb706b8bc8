"""Loads rules and classifier on import, for processes that read messages: the first call has a deadline."""

from __future__ import annotations

from keepsake.domain.extraction.rules.matching.load_rules import load_rules
from keepsake.domain.extraction.rules.other_languages import languages
from keepsake.domain.extraction.rules.statement_classifier.statement_score import load_weights

RULES = load_rules()
OTHER_LANGUAGES = languages()
WEIGHTS = load_weights()
IS_LOADED = True
