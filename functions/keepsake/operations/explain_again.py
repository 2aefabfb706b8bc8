"""Prints what reading a message again gave: the prompt, the reply, and the way of each statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from keepsake.domain.explanation.mechanism import describe_mechanism, describe_recognition
from keepsake.domain.explanation.reasons import describe_decision, describe_drop, describe_guard
from keepsake.domain.merging.decisions import Decision, Doubt, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.usecases.explanation.read_again import FoundStatement, ReadAgain
from keepsake.usecases.models.recording_model import Exchange


def again_lines(read: ReadAgain, texts: Mapping[int, str]) -> Iterator[str]:
    """The lines that tell what was read; ``texts`` are those of the memories that decisions name, by number."""
    if read.guard is not None:
        yield f"It is not read: {describe_guard(read.guard)}."
        return
    for number, exchange in enumerate(read.exchanges, start=1):
        yield from _exchange_lines(number, exchange)
    if read.failure:
        yield f"The model gave no usable reply: {read.failure}."
    if read.reader:
        yield f"Read by {read.reader}."
    yield f"Found {len(read.statements)} statement{'' if len(read.statements) == 1 else 's'}:"
    for statement in read.statements:
        yield from _statement_lines(statement)
    for decision in read.decisions:
        yield f"  decision   {_decision(decision, texts)}"
    for reason, count in sorted(read.dropped.items()):
        yield f"  not stored {count}: {describe_drop(reason)}"


def _exchange_lines(number: int, exchange: Exchange) -> Iterator[str]:
    yield f"Request {number}:"
    for message in exchange.sent:
        yield f"  [{message['role']}]"
        yield from (f"    {line}" for line in message["content"].splitlines())
    yield f"Reply {number}:"
    yield from (f"    {line}" for line in (exchange.reply or "no reply").splitlines())
    yield ""


def _statement_lines(found: FoundStatement) -> Iterator[str]:
    one = found.candidate
    yield f"- {one.text or '(takes something back)'}"
    yield f"    words    “{one.quote}”"
    yield f"    as       {one.type.value}, {one.subtype.value}, {round(one.confidence * 100)} % sure"
    if one.key:
        yield f"    key      {one.key}{f' = {one.value}' if one.value else ''}"
    if one.why:
        yield f"    found    {describe_mechanism(one.why) or describe_recognition(one.why) or ''} ({one.why})"
    if found.dropped:
        yield f"    screened not stored: {describe_drop(found.dropped)}"


def _decision(decision: Decision, texts: Mapping[int, str]) -> str:
    because = describe_decision(decision.explanation, texts)
    match decision:
        case Insert(candidate=one):
            return f"store “{one.text}”: {because}"
        case Supersede(candidate=one):
            return f"store “{one.text}” in its place: {because}"
        case Retract(candidate=one):
            return f"end it{f' and store “{one.text}”' if one else ''}: {because}"
        case Reinforce():
            return f"store nothing new: {because}"
        case Doubt():
            return f"doubt it: {because}"
        case Drop(candidate=one):
            return f"drop “{one.text}”: {because}"
