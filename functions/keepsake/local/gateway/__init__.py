"""The HTTP gateway of the local stack: REST, functions and the chat page at one origin."""

from __future__ import annotations

REST_PATH = "/rest/v1"
FUNCTIONS_PATH = "/functions/v1"
