"""Makes statements about to-dos of a capable model's reply: held to the person's words as its memories are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

from keepsake.domain.evidence.details import detail_error
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.shared_words import shares_word
from keepsake.domain.extraction.believed_member import find_quote
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.member_fields import InvalidMember, one_line
from keepsake.domain.extraction.prompt_room import count_todos
from keepsake.domain.extraction.reply_schema import ReplyTodo
from keepsake.domain.reading.todos import Effect, TodoStatement
from keepsake.domain.screening.instructions import addresses_model
from keepsake.domain.text import truncate_words
from keepsake.domain.todos.todo import OpenTodo

_EFFECTS: Mapping[str, Effect] = {"open": "open", "done": "done", "dropped": "dropped"}
_MAX_BEGINNING = 200
"""Characters of the message that stand for a quote that a model left out."""
_MAX_COMPARED = 500
"""Characters of a message with which to-dos are compared."""


def todos_to_show(todos: Sequence[OpenTodo], message: str) -> list[OpenTodo]:
    """Those that a model is shown with a message, as far as there is room: first what shares a word with it."""
    said = Said(message[:_MAX_COMPARED])
    first = sorted(todos, key=lambda todo: not shares_word(todo.text, said))
    return first[: count_todos([todo.text for todo in first])]


def believed_todos(
    members: Sequence[ReplyTodo], sources: GroundingSources, shown: Sequence[OpenTodo], language: str
) -> tuple[list[TodoStatement], Counter[str]]:
    """What a reply says about to-dos, and how much of it was dropped for which reason."""
    found: list[TodoStatement] = []
    dropped: Counter[str] = Counter()
    for member in members:
        try:
            found.append(_statement(member, sources, shown, language))
        except InvalidMember as fault:
            dropped[f"todo_{fault.reason}"] += 1
    return found, dropped


def _statement(member: ReplyTodo, sources: GroundingSources, shown: Sequence[OpenTodo], language: str) -> TodoStatement:
    message = sources.unquoted_message
    beginning = truncate_words(" ".join(message.split()), _MAX_BEGINNING)
    quote = find_quote(member.quote, sources) if member.quote.strip() else beginning
    number = member.number or 0
    known = shown[number - 1] if 0 < number <= len(shown) else None
    effect = _EFFECTS.get(member.action, "open")
    if effect != "open" and known is None:
        raise InvalidMember("unknown_number")
    text = one_line(member.text) or (known.text if known and effect != "open" else "")
    if not text or addresses_model(text):
        raise InvalidMember("instruction" if text else "empty")
    said = [Said(one, sources.said_on) for one in (message, *sources.previous)] + ([Said(known.text)] if known else [])
    if effect == "open" and not any(shares_word(text, one, language) for one in said):
        raise InvalidMember("ungrounded")
    grounds = Grounds(said, named=[memory.text for memory in sources.known], language=language)
    if (fault := detail_error(text, grounds)) is not None:
        raise InvalidMember(fault)
    return TodoStatement(
        effect, text, quote, todo_id=known.id if known else None, due=_day(member.due), is_believed=True
    )


def _day(written: str) -> date | None:
    """The day in ISO 8601; None where there is none."""
    try:
        return date.fromisoformat(written.strip())
    except ValueError:
        return None
