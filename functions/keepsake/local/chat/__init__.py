"""The chat page at the root of the local stack: a small host application that uses the real chain."""

from __future__ import annotations

from keepsake.local.chat.routes import ChatPage

__all__ = ["ChatPage"]
