"""What Keepsake deploys: one function a line. Start one with `python -m functions_framework --target <name>`."""

from keepsake.endpoints.chat_send import chat_send
from keepsake.endpoints.extract_user_memory import extract_user_memory
from keepsake.endpoints.health import health
from keepsake.endpoints.inject_memory import inject_memory
from keepsake.infra.resources import refuse_to_start_misconfigured
from keepsake.jobs import tasks

__all__ = [
    "chat_send",
    "extract_user_memory",
    "health",
    "inject_memory",
    "tasks",
]

refuse_to_start_misconfigured()
