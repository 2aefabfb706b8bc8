"""The contract with a capable model: what it says is believed, unless the message shows that it cannot be so.

Wording is free in every language. Refused is what quotes somebody else, names a date, a number or a name that nobody
gave, is about something else than its quote, or says of its subject what the clause says of another or denies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.evidence.details import DetailError, detail_error
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.names import proper_names
from keepsake.domain.evidence.polarity import has_other_polarity
from keepsake.domain.evidence.relatives import has_other_relation
from keepsake.domain.evidence.shared_words import shares_word
from keepsake.domain.evidence.speakers import speaker_error
from keepsake.domain.evidence.text_forms import folded_words
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.memory import Memory
from keepsake.domain.reading.statements import is_stated

ContractError = DetailError | Literal["ungrounded", "not_stated", "other_subject", "negation"]

_QUESTION_END = re.compile(r"[?？؟;;]\W{0,20}$")
_TO_MY_MIND = re.compile(r",? i (?:think|guess|believe)[.!…]{0,3}$", re.IGNORECASE)
"""Stands after what somebody says, and takes little of it back."""
_MAX_ANSWER_WORDS = 12
"""Words of a message that may be an answer to a question or lean on what was said before."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a model, with what it says about itself."""

    text: str
    quote: str
    """The words of the message, as they stand there."""
    about: str = ""
    """Somebody else whom it is about; empty for the author."""
    named: Sequence[str] = ()
    """The names that the model says are names."""
    people: Sequence[str] = ()
    """Those of them that are people."""
    language: str = ""
    memories: Sequence[Memory] = ()
    """The known memories that it refers to."""
    is_correction: bool = False
    """Whether it says that they were wrong."""


def contract_error(statement: Statement, sources: GroundingSources) -> ContractError | None:
    """Why a statement cannot be believed, or None."""
    if not _is_about_quote(statement, sources):
        return "ungrounded"
    if sources.is_english and not is_stated(_TO_MY_MIND.sub("", statement.quote), sources.unquoted_message):
        return "not_stated"
    text = _without_own_day(statement.text, sources.said_on)
    if (fault := detail_error(text, _grounds(statement, sources), statement.named)) is not None:
        return fault
    message, language = sources.unquoted_message, statement.language
    people = {word for name in statement.people for word in folded_words(name) if kinship_of(word) is None}
    names = proper_names((*sources.previous, *(memory.text for memory in sources.known))) | people
    if not (statement.about and _names_author(statement.text, sources)) and speaker_error(
        statement.text, message, statement.quote, about=statement.about, names=names, language=language
    ):
        return "other_subject"
    if has_other_relation(statement.text, message, people, language):
        return "other_subject"
    denies_known = statement.is_correction and any(  # "Brighton, not Bristol"
        shares_word(statement.quote, Said(memory.text), language) for memory in statement.memories
    )
    is_reversed = not denies_known and has_other_polarity(statement.text, message, statement.quote, language)
    return "negation" if is_reversed else None


def _without_own_day(text: str, said_on: date | None) -> str:
    """The statement without the day of its message, which follows from it: "2026-11-29", "as of November 2026"."""
    if said_on is None:
        return text
    return text.replace(said_on.isoformat(), "today").replace(f"as of {said_on:%B %Y}", "as of today")


def _names_author(text: str, sources: GroundingSources) -> bool:
    """Whether a statement names the author beside the person whom it is about."""
    first_names = {name.split()[0] for name in sources.author_names if name.split()}
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in first_names)


def _grounds(statement: Statement, sources: GroundingSources) -> Grounds:
    """The message, the person's messages before, the question that is answered, and what it refers to."""
    said = [Said(text, sources.said_on) for text in (sources.unquoted_message, *sources.previous)]
    if (question := _question(sources)) is not None:
        said.append(Said(question, sources.said_on))
    referred = [memory for memory in sources.known if memory in statement.memories]
    referred += [
        memory for memory in sources.known if shares_word(statement.text, Said(memory.text), statement.language)
    ]
    said += [Said(text) for text in dict.fromkeys(memory.text for memory in referred)]
    names = [text for memory in sources.known for text in (memory.text, memory.entity_label or "") if text]
    return Grounds(said, named=[*names, *sources.author_names], language=statement.language)


def _is_about_quote(statement: Statement, sources: GroundingSources) -> bool:
    """Whether a statement shares a word with its quote, or with what its quote answers or points to."""
    language = statement.language
    if shares_word(statement.text, Said(statement.quote, sources.said_on), language):
        return True
    if len(folded_words(sources.unquoted_message)) > _MAX_ANSWER_WORDS:
        return _is_explained(statement, (sources.unquoted_message,)) and bool(statement.about)
    question = _question(sources)
    context = (*sources.previous, *(memory.text for memory in statement.memories), *([question] if question else ()))
    return _is_explained(statement, context)


def _is_explained(statement: Statement, context: Sequence[str]) -> bool:
    return any(shares_word(statement.text, Said(text), statement.language) for text in context)


def _question(sources: GroundingSources) -> str | None:
    """What the assistant asked at the end of its message; None where it asked nothing."""
    text = sources.assistant or ""
    return text if _QUESTION_END.search(text) else None
