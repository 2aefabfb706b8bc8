"""The demo: a bundled conversation of several days, replayed as a chat backend would, and what came of it."""

from __future__ import annotations

from keepsake.local.demo.main import main

__all__ = ["main"]
