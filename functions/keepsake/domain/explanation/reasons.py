"""Says in plain words why a message was not read, why a statement was not stored, and why a memory was changed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from keepsake.domain.consent.guard import GuardReason
from keepsake.domain.memory import MemoryRef

_GUARD = {
    GuardReason.NO_PROFILE: "you have chosen no profile for this conversation",
    GuardReason.NOT_PRIMARY: "the profile of this conversation is not your primary one",
    GuardReason.NOT_OWNER: "the profile of this conversation belongs to somebody else",
    GuardReason.PAUSED: "you have paused or turned off memory",
    GuardReason.DISABLED: "you have turned off memory",
    GuardReason.CONVERSATION_OFF: "you have turned off memory in this conversation",
    GuardReason.SWISS_OFF: "the conversation is off the record",
    GuardReason.BEFORE_CONSENT: "it was said before you agreed to memory, or before an erasure",
    GuardReason.NOT_A_USER_MESSAGE: "it is not a message of a person",
    GuardReason.COMMAND: "it is a command about the memory, which is carried out and not remembered",
    GuardReason.NO_WORDS: "it has no words",
    GuardReason.DEADLINE: "it could not be read within the time limit",
}
_DROPPED = {
    "secret": "it contains a secret, or could",
    "instruction": "it addresses the assistant as an instruction would",
    "financial_amount": "it says how much money somebody has, earns or owes",
    "bad_characters": "it contains characters that no memory may contain",
    "bad_length": "it is empty or too long",
    "type_not_allowed": "you have turned off this kind of memory",
    "too_many": "the message says more than one message may add",
    "repeated": "the same message says it twice",
    "corrected": "the same message corrects it later on",
    "confirmed": "you confirmed something else, and this was said in passing",
    "said_by_person": "you yourself said something else",
    "older": "a newer message says something else",
    "unknown_subject": "nothing that is known says whom it is about",
    "nothing_to_retract": "nothing that is known is taken back by it",
    "no_change": "no word of the message tells a change",
    "other_subject": "it is about somebody else than the memory that it would change",
    "language": "neither the rules nor a model read this language",
    "quoted": "it stands in a quotation, or is said by a part that you play",
    "supposed": "it is only supposed",
    "hedged": "you are not sure of it",
    "asked": "it is a question",
    "erased": "what came of it was erased",
    "refused": "the model refused to answer",
    "content_filter": "the filter of the model's endpoint refused to answer",
    "crashed": "it failed too often",
}


_DECISIONS = {
    "nothing stored says this yet": "nothing that was remembered said it yet",
    "{ref} has the same key and another value": "you later said something else about what {ref} is about",
    "{ref} has the same key and the same value": "{ref} says the same already",
    "{ref} has the same key, and its time is over": "{ref} is about the same thing, and its time is over",
    "{ref} may no longer hold after what the person said": "what you said makes {ref} doubtful",
    "{ref} says the same and less": "you said again what {ref} says, with more detail",
    "the person takes {ref} back": "you said that {ref} is not so, or is so no longer",
    "the person says that {ref} was a joke": "you said that {ref} was a joke",
    "{ref} is the person's own, and this was said in passing": "{ref} is your own word, and this was said in passing",
    "remember": "you asked to remember it",
    "forget": "you asked to forget it",
    "clear": "you asked to forget everything",
    "restore": "you brought it back",
    "confirm": "you confirmed that it is right",
    "end": "you said that it is no longer so",
    "undo": "you took back what had been done to it",
    "no longer holds": "an assistant program said that it no longer holds",
    "import": "it stands in the file that you imported",
    "expired": "the time for which it held was over",
    "kept as long as the person wants": "it is older than you want memories to be kept",
    "old and unused": "it is old, and was not needed for long",
    "folded with others like it": "it became part of one memory that says what several said",
    "over the cap": "there were more memories than are kept in use, and others matter more",
}
"""What stored reasons mean, where only somebody who knows the code understands them."""
_REF = re.compile(r"\bM-(?P<number>\d+)\b")


def numbers_in(reason: str | None) -> set[int]:
    """The numbers of the memories that a stored reason names."""
    return {int(found["number"]) for found in _REF.finditer(reason or "")}


def name_memory(number: int, texts: Mapping[int, str]) -> str:
    """A memory as a sentence names it: its text, where it is known, beside its number."""
    ref = str(MemoryRef(number))
    return f"“{texts[number]}” ({ref})" if number in texts else ref


def describe_decision(reason: str, texts: Mapping[int, str]) -> str:
    """Why something was done to a memory, from the reason that is stored with the change."""
    named = _REF.search(reason)
    words = _DECISIONS.get(_REF.sub("{ref}", reason, count=1) if named else reason.partition(" of ")[0])
    if words is None:
        return _REF.sub(lambda found: name_memory(int(found["number"]), texts), reason)
    return words.format(ref=name_memory(int(named["number"]), texts) if named else "")


def describe_guard(reason: str) -> str:
    """Why a message was not read."""
    return _GUARD[GuardReason(reason)] if reason in set(GuardReason) else describe_drop(reason)


def describe_drop(reason: str) -> str:
    """Why a statement was not stored; a reason without words of its own stands as it is stored."""
    return _DROPPED.get(reason, reason.replace("_", " "))
