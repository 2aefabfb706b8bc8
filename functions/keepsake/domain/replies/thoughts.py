"""Takes away what a model thought aloud before its answer: tags of several makers, and the channels of Harmony."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|seed:think"
_TAG = re.compile(
    rf"<(?P<closes>/)?(?:{_NAMES})>"
    r"|\[(?P<closes_bracket>/)?THINK\]"
    r"|◁(?P<closes_symbol>/)?think▷"
    r"|<\|(?:begin|start|(?P<closes_token>end))_of_(?:thought|thinking)\|>",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"<\|channel\|>(?P<header>[^<]{0,200})(?:<\|constrain\|>[^<]{0,40})?<\|message\|>")
_END_OF_CHANNEL = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_WRAPPING = " \t\r\n\ufeff`~"
_STRIPPED_CHANNEL = re.compile(r"\Aanalysis(?=[A-Z\s])|assistantcommentary|assistantfinal")
"""What is left of the channels where a server takes the special tokens away."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply without thoughts."""

    text: str
    unfinished_thought: str = ""
    """What follows an opening tag that nothing closes: thoughts, and perhaps the answer at their end."""
    marks: frozenset[str] = frozenset()
    """What was found: ``thoughts``, ``channels``."""


def has_marks(text: str) -> bool:
    """Whether a text could hold thoughts."""
    return any(mark.search(text) for mark in (_TAG, _CHANNEL, _STRIPPED_CHANNEL))


def remove_thoughts(text: str, answers: Sequence[tuple[int, int]]) -> Spoken:
    """The reply without thoughts; tags within ``answers``, the places of JSON values, are words of these values."""
    channels = list(_CHANNEL.finditer(text))
    if channels:
        return _read_channels(text, channels)
    stripped = list(_STRIPPED_CHANNEL.finditer(text))
    if stripped and stripped[0].start() == 0 and stripped[-1][0] != "analysis":
        return Spoken(text[stripped[-1].end() :], marks=frozenset({"channels"}))
    return _cut_tags(text, answers)


def _read_channels(text: str, channels: Sequence[re.Match[str]]) -> Spoken:
    """What is said in the channel ``final``; without it, in ``commentary``, which holds tool calls."""
    said: dict[str, list[str]] = {"final": [], "commentary": []}
    for channel in channels:
        end = _END_OF_CHANNEL.search(text, channel.end())
        name = channel["header"].split()[:1]
        if name and name[0].casefold() in said:
            said[name[0].casefold()].append(text[channel.end() : end.start() if end else len(text)])
    return Spoken("\n".join(said["final"] or said["commentary"]), marks=frozenset({"channels"}))


def _cut_tags(text: str, answers: Sequence[tuple[int, int]]) -> Spoken:
    """The text outside of the tags; a closing tag without an opening one ends thoughts that began with the reply."""
    kept: list[str] = []
    begin, opened = 0, None
    begins_with_answer = _begins_with_answer(text)
    for tag in _TAG.finditer(text):
        closes = any(tag.groupdict().values())
        if any(start < tag.start() < end for start, end in answers) or (closes and begins_with_answer and not begin):
            continue
        if not closes:
            if opened is None:
                kept.append(text[begin : tag.start()])
                opened = tag.end()
            continue
        if opened is None:
            kept.clear()
        begin, opened = tag.end(), None
    if opened is not None:
        return Spoken("".join(kept), text[opened:], frozenset({"thoughts"}))
    marks = frozenset({"thoughts"}) if begin else frozenset[str]()
    return Spoken("".join([*kept, text[begin:]]), marks=marks)


def _begins_with_answer(text: str) -> bool:
    """Whether a reply begins with an object, and not with thoughts: a closing tag in it is a word of a memory."""
    begin = text.lstrip(_WRAPPING).removeprefix("json").removeprefix("JSON").lstrip(_WRAPPING + '"')
    return begin.startswith(("{", "[")) and begin.lstrip("{[ \t\r\n\\").startswith(("'", '"'))
