"""``llm-summarizer``: writes the summary of a conversation; ``chat-send`` has it written every few turns."""

from __future__ import annotations

from keepsake.contracts.llm_summarizer import LlmSummarizerRequest, LlmSummarizerResponse
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller
from keepsake.usecases.llm_summarizer import llm_summarizer as summarize


@endpoint(callers=(Caller.SERVICE,), request=LlmSummarizerRequest, responses={200: LlmSummarizerResponse})
async def llm_summarizer(call: Call[LlmSummarizerRequest]) -> LlmSummarizerResponse:
    """Write the summary of a conversation now, if there is anything new to say."""
    run = await summarize(call.resources, conversation_id=call.body.conversation_id)
    return LlmSummarizerResponse(
        status=run.status,
        summary=run.stored.summary,
        rolling_summary=run.stored.rolling_summary,
        generator=run.stored.generator,
        version=run.stored.version,
        messages_covered=run.stored.messages_covered or 0,
        through_message_id=run.stored.through_message_id,
    )
