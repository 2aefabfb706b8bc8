"""Compiles the rules on import, for processes that read messages: the first call has a deadline."""

from __future__ import annotations

from keepsake.domain.extraction.rules.load_rules import load_rules

RULES = load_rules()
