"""Recognises a chat command among everything people say; where it is in doubt, it is none."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from keepsake.domain.commands import english
from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.text import shorten_runs, straighten

MAX_LENGTH = 1_500
"""Characters of a message that may be a command; what is longer was pasted, or tells a story."""

_MOST_SENTENCES = 6
_FOREIGN_MATTER = re.compile(
    r"`|~~~|^[^\S\n]*+(?:>|\||[-*] )|<\w++>|^[^\S\n]*+[A-Z]\w++: .*\n\s{0,12}[A-Z]\w++: ", re.MULTILINE
)
_TYPOS = {
    re.compile(rf"\b(?:{typos})\b", re.IGNORECASE): right
    for typos, right in (
        ("forgt|froget|foget|forgte|frget|forger", "forget"), ("taht|tht", "that"), ("dont|do n't|don t", "don't"),
        ("rember|remeber|remmber|remembr|rembember|remeberr|remebmer", "remember"),
        ("abt|abuot", "about"), ("wat|wht|whta", "what"),
        ("evrything|everthing|everyting", "everything"), ("u", "you"), ("ur", "your"), ("delte|deleet", "delete"),
    )
}  # fmt: skip
_END = re.compile(
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bMrs)(?<!\bProf)"
    r"(?:(?<![.!?…])[.!?…]++[\"')]*+(?=\s|$)|(?<!\s)\s*\n)"
)
_LEAD = re.compile(
    r"(?:(?:hey|hi|hello|hiya|yo|ok|okay|alright|right|so|well|oh|ah|no|nope|wait|hold on|hmm+|um+|uh|actually|"
    r"also|and|but|"
    r"oops|whoops|ugh+|argh+|damn|omg|yikes|crap|sorry|please|pls|plz|kindly|just|quick question|just curious|"
    r"curious|btw|by the way|anyways?|thanks|"
    r"thank you|good (?:morning|evening|afternoon|night)|(?:hey |hi )?there|on second thoughts?|i(?:'ve)? changed "
    r"my mind|"
    r"one more thing|now|then|between us|my friend|dude|man|assistant|keepsake)\b[\s,.!:;-]*)+",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:(?:can|could) (?:you|we) (?=please|pls|plz|forget|delete|erase|remove|remember|keep|make|take|tell|show|"
    r"list|undo|"
    r"bring|put|restore|save|store|add|clear|wipe|not|just)(?<!we )|would you (?:please|mind) |(?:you can|you "
    r"could|you should|"
    r"you may) |i(?:'d| would)? (?:like|want|need|love|prefer) you to |i(?:'d| would) rather you |go ahead and |"
    r"feel free to )",
    re.IGNORECASE,
)
_TRAILED = ".!?…,;"
_APART = " ,.!:;-"
_TRAIL = re.compile(
    r"(?<=[ ,.!:;-])(?:please|pls|plz|thanks|thank you|thx|ok|okay|now|again|if you (?:can|could|don't mind)|"
    r"will you|alright|ty|lol|(?:that|it) was a mistake|right away|asap)\Z",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[\U0001F300-\U0001FAFF\u2600-\u27BF]")
_BLANK = re.compile(r"[^\S\n]+")
_POLITE = re.compile(
    r"\b(?:please|pls|plz|kindly|can you|could you|want you|like you|need you|you can|do not)\b", re.IGNORECASE
)
_OF_THAT = re.compile(
    r"(?:(?:that|this|it)(?:'s| is| was|'s not| isn't| is not| wasn't)\b.{0,50}|i (?:shouldn't|should not) have "
    r".{0,40}|"
    r"(?:please )?don't (?:keep|save|remember) that|(?:you(?:'re| are) wrong|wrong|not true|no longer true)\b.{0,30}|"
    r"(?:i (?:didn't|did not) (?:mean|want) .{0,40}))$",
    re.IGNORECASE,
)
_ONLY_HERE = re.compile(
    r"[\s,(-]{0,12}\b(?:but |and |it'?s |this is |that'?s ){0,4}(?:(?:just|only|strictly) (?:between "
    r"(?:us|you and me|the two of us)|for you)|"
    r"between (?:you and me|us)(?! and not)|only you (?:should|may|can|get to|must) know(?: (?:that|this|it))?|"
    r"(?:for )?your ears only|for you alone|(?:don't|do not) tell (?:the )?(?:others?|any(?:one|body))(?: "
    r"else)?)\b[\s,):.!;-]*",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:,|\s[-–—]|\s?\()\s?(?P<tail>[^,()]{5,60}?)\)?$")
_TAIL_REACH = 70


def recognize(text: str) -> Command | None:
    """The command a message is, or None; English so far."""
    if len(text) > MAX_LENGTH or not english.KEYWORDS.search(text):
        return None
    said = _BLANK.sub(" ", straighten(shorten_runs(text))).strip()
    if _FOREIGN_MATTER.search(said):
        return None
    for typo, right in _TYPOS.items():
        said = typo.sub(right, said)
    only_here = _ONLY_HERE.search(said) is not None
    plain = _ONLY_HERE.sub(lambda match: _gap(match, said), said).strip(" ,:;") if only_here else said
    found = _in_message(plain)
    if found is not None and found.kind is Kind.REMEMBER:
        return replace(found, only_here=only_here)
    return found if found is None or not only_here else _in_message(said)


def _gap(match: re.Match[str], said: str) -> str:
    """What is left where "just between us" stood: the end of a sentence stays one."""
    if match.end() >= len(said) or match.start() == 0:
        return ""
    return ": " if ":" in match[0] and said[: match.start()].rstrip().casefold().endswith("this") else " "


def _in_message(said: str) -> Command | None:
    """The command a message is: all of it, or its first or last sentence."""
    lead = _LEAD.match(said)
    if english.said_first(said) or (lead and english.said_first(said[lead.end() :])):
        return Command(Kind.DO_NOT_REMEMBER, this_turn=True)
    sentences = [sentence for sentence in _sentences(said) if _core(sentence)]
    if not 0 < len(sentences) <= _MOST_SENTENCES:
        return None
    *before, last = sentences
    found = _in_sentence(last)
    if found is None:
        return _at_its_end(last, before) or (_opening(sentences) if before else None)
    if not before or found.subject or found.statement:
        return found
    return _after(found, before)


def _after(found: Command, before: list[str]) -> Command | None:
    """A command that ends a longer message: "forget that" is said of the message, unless the rest is said of "that"."""
    if found.kind in (Kind.FORGET_ALL, Kind.UNDO_LAST):
        return found if all(_OF_THAT.match(_core(sentence)) for sentence in before) else None
    if found.kind is Kind.RECALL_ALL or all(_OF_THAT.match(_core(sentence)) for sentence in before):
        return found
    if found.kind is Kind.REMEMBER:
        said = any(english.states(_core(sentence)) for sentence in before)
        return replace(found, statement=" ".join(before), this_turn=True) if said else None
    return Command(Kind.DO_NOT_REMEMBER, this_turn=True)


def _opening(sentences: list[str]) -> Command | None:
    """A command that opens a longer message, where it cannot be meant otherwise."""
    found = _in_sentence(sentences[0], rest="".join(f" {sentence}" for sentence in sentences[1:]))
    if found is None:
        return None
    if found.kind is Kind.DO_NOT_REMEMBER:
        return replace(found, this_turn=True, weak=False)
    explicit = found.kind is Kind.FORGET_SUBJECT and re.search(r"\b(?:about|on|of|from)\b", sentences[0])
    return found if found.statement or explicit else None


def _at_its_end(sentence: str, before: list[str]) -> Command | None:
    """A sentence that closes with "…, please don't save this": it is said of the message."""
    sentence = sentence.rstrip(" \n.!")
    match = _TAIL.search(sentence, max(0, len(sentence) - _TAIL_REACH))
    if match is None:
        return None
    head, tail = sentence[: match.start()], match["tail"]
    found = _in_sentence(tail)
    if found is None or found.kind not in (Kind.DO_NOT_REMEMBER, Kind.FORGET_LAST) or found.weak:
        return None
    if not before and _OF_THAT.match(_core(head)):
        return found
    urged = found.kind is Kind.DO_NOT_REMEMBER or _POLITE.search(tail) or _LEAD.match(tail)
    return Command(Kind.DO_NOT_REMEMBER, this_turn=True) if urged else None


def _in_sentence(sentence: str, rest: str = "") -> Command | None:
    """The command one sentence is; an order with a question mark is a question."""
    if found := english.whole(sentence):
        return found
    core, asked = _core(sentence), _is_request(sentence)
    found = english.command(core, polite=_POLITE.search(sentence) is not None, rest=rest) if core else None
    if (
        found
        and found.kind is Kind.DO_NOT_REMEMBER
        and found.weak
        and core.casefold() != sentence.casefold().strip(" .!")
    ):
        return None  # "sorry, don't remember that" is an answer
    questions = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
    if found and found.kind not in questions and "?" in sentence and not asked:
        return None
    return found


def _sentences(said: str) -> list[str]:
    """The sentences of a message, each with the sign that ends it."""
    ends = [0, *(match.end() for match in _END.finditer(said)), len(said)]
    return [part for start, end in pairwise(ends) if (part := said[start:end].strip())]


def _is_request(sentence: str) -> bool:
    lead = _LEAD.match(sentence)
    return _REQUEST.match(sentence, lead.end() if lead else 0) is not None


def _core(sentence: str) -> str:
    """A sentence without greetings, requests and politeness around it."""
    core, before = sentence.strip(), ""
    while core != before:
        before = core
        for opening in (_LEAD, _REQUEST):
            if (match := opening.match(core)) and match.end() > 0:
                core = core[match.end() :]
        core = _without_trail(core)
    return " ".join(core.split())


def _without_trail(core: str) -> str:
    """A sentence without the signs and politeness at its end; each step looks at the end alone, however long it is."""
    before = ""
    while core != before:
        before = core
        end = len(core)
        while end and (core[end - 1].isspace() or core[end - 1] in _TRAILED or _SIGN.match(core[end - 1])):
            end -= 1
        core = core[:end]
        if match := _TRAIL.search(core):
            core = core[: match.start()].rstrip(_APART)
    return core
