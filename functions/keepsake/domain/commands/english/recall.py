"""The English patterns of the question what is remembered."""

from __future__ import annotations

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.commands.english.words import MEMORY, SUBJECT, WORD, captured_subject, regex

_RECALL = (
    r"(?:what(?: all| exactly| info(?:rmation)?| data| things| stuff| else)?(?: exactly)? (?:do|did|have|are) (?:you|u)"
    r"(?: actually| still| really| currently)? ?(?:remember|know|got|have|stored?|saved?|kept|remembered|keep|storing)?"
    r"(?: stored| saved)?)"
)
_SHOW_ME = (
    r"(?:(?:tell|show|give|remind|list)(?: me)? (?:what|everything|all(?: that)?|whatever) (?:you|u)(?:'ve| have)? ?"
    r"(?:know|remember|got|have|saved|stored|remembered)(?: saved| stored)?)"
)
_ANY = r"(?:do you (?:know|remember) anything)"
_ALREADY = r"(?:,? (?:so far|if anything|at all|already|until now|right now|these days|anyway))*"
_ALL = regex(
    rf"(?:{_RECALL}|{_SHOW_ME}|{_ANY}|everything you know|i(?:'d| would) like to know what you (?:know|remember|"
    rf"have)) (?:about|on|of) (?:me|myself){_ALREADY}"
    rf"|(?:show|list|give|tell)(?: me)? (?:all )?(?:of )?my memories|show me what you remember{_ALREADY}"
    rf"|what(?:'?s| is)(?: stored| saved)? in {MEMORY}(?: (?:about|of|on) me)?|what do you remember"
    rf"|what have you remembered(?: about me)?{_ALREADY}|what have i told you(?: about (?:me|myself))?{_ALREADY}"
)
_OF_SUBJECT = regex(
    rf"(?:{_RECALL}|{_SHOW_ME}|{_ANY}) (?:about|on) {SUBJECT}{_ALREADY}"
    rf"|what(?:'?s| is)(?: stored| saved)? in {MEMORY} (?:about|on|of) (?P<subject2>{WORD}{{1,80}}?)"
    rf"|what (?:did|have) i (?:tell|told|said to) you about (?P<subject3>{WORD}{{1,80}}?){_ALREADY}"
)


def match_recall(core: str) -> Command | None:
    """The command to recall everything, or what is known of a subject."""
    if _ALL.fullmatch(core):
        return Command(Kind.RECALL_ALL)
    subject = captured_subject(_OF_SUBJECT.fullmatch(core))
    return Command(Kind.RECALL_SUBJECT, subject=subject) if subject else None
