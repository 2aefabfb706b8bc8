"""Takes what is polite off a request: "hey, could you please forget that, thanks!" is "forget that"."""

from __future__ import annotations

import re
import string

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("recognize", __package__)
_EMOJI = "".join(map(chr, (*range(0x1F300, 0x1FB00), *range(0x2600, 0x27C0))))
_FINAL = f"{string.whitespace}.!?…,;{_EMOJI}"

SEPARATORS = " ,.!:;-"
LEADING = re.compile(rf"\A(?:{_WORDS['greetings']}\b[\s,.!:;-]*|{_WORDS['requests']})+", re.IGNORECASE)
_TRAILING = re.compile(rf"(?<=[ ,.!:;-]){_WORDS['endings']}\Z", re.IGNORECASE)


def strip_politeness(sentence: str) -> str:
    """The sentence without greetings, request phrases, politeness, punctuation and emoji around it."""
    core, before = sentence.strip(), ""
    while core != before:
        before = core
        core = LEADING.sub("", core).rstrip(_FINAL)
        core = _TRAILING.sub("", core).rstrip(SEPARATORS)
    return " ".join(core.split())
