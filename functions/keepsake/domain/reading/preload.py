"""Loads words, rules and classifiers on import, for processes that read messages: the first call has a deadline."""

from __future__ import annotations

from keepsake.domain.english.classifiers import load_class_weights, load_weights
from keepsake.domain.english.lemmas import load_lemma_tables
from keepsake.domain.reading.statements.other_languages import languages
from keepsake.domain.reading.statements.rules import load_rules

load_lemma_tables()
RULES = load_rules()
OTHER_LANGUAGES = languages()
WEIGHTS = (load_weights("statement"), *map(load_class_weights, ("beginning", "command", "subject")))
IS_LOADED = True
