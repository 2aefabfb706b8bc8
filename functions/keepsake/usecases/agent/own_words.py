"""What the person's own saved message says, where a call names it: only that gives an agent the person's authority."""

from __future__ import annotations

from collections.abc import Collection

from keepsake.domain.commands import Kind
from keepsake.domain.commands.recognize import recognize
from keepsake.domain.consent.guard import guard_extraction
from keepsake.domain.memory import Candidate
from keepsake.domain.text import truncate_at_sentence
from keepsake.infra.resources import Resources
from keepsake.store.injections import Asked
from keepsake.usecases.agent.result import Managed
from keepsake.usecases.agent.session import Acting, Agent, acting
from keepsake.usecases.commands.remember import stated
from keepsake.usecases.commands.run_command import Saying, obey

FORGETTING = frozenset({Kind.FORGET_LAST, Kind.FORGET_SUBJECT, Kind.FORGET_ALL, Kind.DO_NOT_REMEMBER})
REMEMBERING = frozenset({Kind.REMEMBER})


async def own_command(resources: Resources, agent: Agent, kinds: Collection[Kind]) -> Managed | None:
    """Carry out the command that the named message is, if it is one of these; once, whoever comes first."""
    if agent.message_id is None:
        return None
    async with acting(resources, agent, changes=False) as at:
        asked = at.asked
    command = recognize(asked.facts.text) if asked is not None else None
    if asked is None or command is None or command.kind not in kinds:
        return None
    result = await obey(resources, saying_of(asked), resources.clock.now())
    return None if result is None else Managed(result.status, None, result.memories, result.operation_id)


async def own_statements(at: Acting) -> list[Candidate]:
    """What the rules read in the named message; nothing where no memory may be made of it."""
    asked = at.asked
    if at.where is None or asked is None or asked.message_id is None or guard_extraction(asked.facts) is not None:
        return []
    return await stated(at.where, truncate_at_sentence(asked.facts.text)[0])


def saying_of(asked: Asked) -> Saying:
    """A message as its command is carried out."""
    return Saying(
        asked.facts,
        asked.conversation_id,
        asked.message_id,
        asked.persona_id,
        asked.allowed_types,
        shared=asked.shared,
        timezone=asked.timezone,
    )
