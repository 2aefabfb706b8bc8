"""``conversation-manager``: sets a person's profile and memory choice for a conversation."""

from __future__ import annotations

from keepsake.contracts.conversation_manager import (
    ConversationManagerRequest,
    ConversationManagerResponse,
    SetMemoryEnabled,
)
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.identity import Caller, Person
from keepsake.infra.resources import Resources
from keepsake.store.participant_choices import Choice
from keepsake.usecases.conversation_manager import choose_profile, link_primary_profile, set_memory_enabled


@endpoint(
    callers=(Caller.PERSON,),
    request=ConversationManagerRequest,
    responses={200: ConversationManagerResponse},
)
async def conversation_manager(call: Call[ConversationManagerRequest]) -> ConversationManagerResponse:
    """Choose the profile a conversation's memories belong to, or turn memory on and off there."""
    return ConversationManagerResponse.model_validate(await _choose(call.resources, call.require_person(), call.body))


async def _choose(resources: Resources, person: Person, request: ConversationManagerRequest) -> Choice:
    choice, conversation_id = request.root, request.root.conversation_id
    if isinstance(choice, SetMemoryEnabled):
        return await set_memory_enabled(
            resources, person, conversation_id=conversation_id, memory_enabled=choice.memory_enabled
        )
    if "profile_id" not in choice.model_fields_set:
        return await link_primary_profile(resources, person, conversation_id=conversation_id)
    return await choose_profile(resources, person, conversation_id=conversation_id, profile_id=choice.profile_id)
