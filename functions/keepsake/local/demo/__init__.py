"""The demo: replays a bundled conversation of several days as a chat backend would, and shows the result."""

from __future__ import annotations

from keepsake.local.demo.run_demo import run_demo

__all__ = ["run_demo"]
