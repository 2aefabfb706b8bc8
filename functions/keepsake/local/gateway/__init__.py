"""The HTTP gateway of the local stack: REST, functions, sign-in and the chat page at one origin."""

from __future__ import annotations

AUTH_PATH = "/auth/v1"
REST_PATH = "/rest/v1"
FUNCTIONS_PATH = "/functions/v1"
