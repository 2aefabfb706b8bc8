"""What Keepsake deploys, one function a line.

`python -m functions_framework --source functions/main.py --target inject_memory` serves one of them, and the target
`all_functions` all of them at `/functions/v1/<name>`.
"""

# ruff: noqa: F401 (what is imported is deployed)

from keepsake.endpoints.all_functions import all_functions
from keepsake.endpoints.archive_old_memories import archive_old_memories
from keepsake.endpoints.chat_send import chat_send
from keepsake.endpoints.compare_yearly_patterns import compare_yearly_patterns
from keepsake.endpoints.conversation_manager import conversation_manager
from keepsake.endpoints.erase_memories import erase_memories
from keepsake.endpoints.export_memories import export_memories
from keepsake.endpoints.extract_user_memory import extract_user_memory
from keepsake.endpoints.generate_daily_summaries import generate_daily_summaries
from keepsake.endpoints.generate_monthly_summaries import generate_monthly_summaries
from keepsake.endpoints.generate_weekly_summaries import generate_weekly_summaries
from keepsake.endpoints.health import health
from keepsake.endpoints.import_memories import import_memories
from keepsake.endpoints.inject_memory import inject_memory
from keepsake.endpoints.llm_summarizer import llm_summarizer
from keepsake.endpoints.manage_user_memory import manage_user_memory
from keepsake.endpoints.metrics import metrics
from keepsake.endpoints.openapi import openapi
from keepsake.endpoints.record_injection import record_injection
from keepsake.endpoints.run_due_jobs import run_due_jobs
from keepsake.endpoints.undo_operation import undo_operation
from keepsake.infra.resources import exit_if_misconfigured
from keepsake.jobs import tasks

exit_if_misconfigured()
