"""The English patterns of the commands to forget, not to remember, and to undo."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.commands.command import Command, Kind
from keepsake.domain.commands.english.words import MEMORY, SAID, SUBJECT, WORD, captured_subject, is_statement, regex

_NOT_A_MEMORY = re.compile(
    r"(?:(?:last|previous|earlier|other|first|initial)\s)*(?:instructions?|questions?|requests?|prompts?|ideas?|"
    r"suggestions?|"
    r"comments?|jokes?|points?|orders?|manners|keys|wallet|umbrella|phone(?! number)|account|calendar|emails?)\b"
    r"|.*\b(?:and|again|or|but|then|if|because|when|so)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"i (?:told|said|asked|mentioned|once said)\b|.*\b(?:here for|love) you\b"
    r"|(?:i|we) (?:exist|asked|was here|even|suppose|guess|think|hope|mean|know)\b",
    re.IGNORECASE,
)
_DELETE = r"(?:delete|remove|erase|wipe|clear|drop|purge|scrub|take)"
_KNOWN = (
    r"(?:you(?:'ve| have)? ?(?:know|have|remember|got|saved|stored|kept|ever saved)"
    r"|i(?:'ve| have)? ?(?:ever )?(?:said|told you))"
)
_THINGS = r"(?:everything|evrything|all(?: of)?(?: the| those)?(?: things| stuff)?|anything|whatever|what)"
_FORGET_LAST = regex(
    rf"forget (?:that|this)(?: memory)?|forget what i (?:just |have just )?{SAID}|forget (?:everything|all) "
    rf"i just {SAID}"
    rf"|forget (?:that )?i (?:ever |just )?{SAID} (?:that|this)|forget that you know (?:that|this)"
    rf"|forget (?:my|the) last (?:message|thing(?: (?:that )?i (?:just )?{SAID})?)"
    rf"|{_DELETE} (?:that|this)(?: one)? (?:from|out of) {MEMORY}|(?:delete|erase|remove|forget) that memory"
)
_FORGET_LAST_MAYBE = regex(
    rf"(?:scrap|delete|strike|erase) that|forget (?:that|this) one|(?:delete|erase) what i (?:just )?{SAID}"
)
_FORGET_ALL = regex(
    rf"forget (?:everything|all)(?: that)?(?: {_KNOWN})?(?: (?:about|on|of) me)?"
    rf"|{_DELETE} (?:everything|all)(?: that)? {_KNOWN}(?: (?:about|on|of) me)?"
    rf"|{_DELETE} (?:everything|all) (?:about|of) me from {MEMORY}|{_DELETE} everything from {MEMORY}"
    r"|(?:delete|erase|clear|wipe|purge) (?:all (?:of )?)?(?:my|your|the) (?:memory|memories)(?: (?:of|about) me)?"
    r"|(?:delete|erase|clear|wipe|purge|forget) all (?:the )?memories(?: (?:of|about) me)?|forget me"
)
_CONFIRMED = regex(r"yes\W+(?:please\W+)?(?:do\W+)?forget everything(?: (?:you know )?about me)?(?: please)?\W*")
_FORGET_SUBJECT = (
    regex(rf"forget (?:about )?{_THINGS} (?:that )?(?:{_KNOWN} )?(?:about|on|of) {SUBJECT}"),
    regex(rf"forget (?:about )?(?:the|that) (?:thing|stuff|bit|memory)s? (?:about|with|of) {SUBJECT}"),
    regex(rf"forget (?:what|whatever|everything|all|all the things|the (?:things?|stuff)) (?:that )?i(?:'ve| have)? "
       rf"(?:just |ever )?{SAID} (?:about|on) {SUBJECT}"),
    regex(rf"forget (?:that )?i (?:ever )?(?:mentioned|told you about|spoke of|talked about) {SUBJECT}"),
    regex(rf"{_DELETE} (?:everything|all|what(?:ever)?|anything)(?: that)? {_KNOWN} (?:about|on|of) {SUBJECT}(?: "
       rf"(?:from|out of) {MEMORY})?"),
    regex(rf"{_DELETE} (?:everything|all|anything) (?:about|on|of) {SUBJECT} (?:from|out of) {MEMORY}"),
    regex(rf"{_DELETE} {SUBJECT} (?:from|out of) {MEMORY}"),
    regex(r"(?:delete|erase|remove|wipe|clear|forget) (?:the memor(?:y|ies) about|(?:your|all|any|all your) "
       rf"memor(?:y|ies) (?:about|of|on)) {SUBJECT}"),
    regex(r"(?:forget|delete|erase|remove)(?: memory)? (?P<subject>m-\d{1,9})"),
    regex(rf"(?:i (?:don't|do not) want you to|(?:please |do )not|don't) remember anything about {SUBJECT}"),
    regex(rf"{_DELETE} (?:everything|all) (?:about|on|of) (?P<subject>(?:my|our) {WORD}{{1,80}}?)"),
)  # fmt: skip
_FORGET_MINE = regex(rf"(?:forget|stop remembering) (?P<subject>(?:my|our) {WORD}{{1,60}}?)")
_FORGET_ABOUT_MINE = regex(rf"forget about (?P<subject>(?:my|our) {WORD}{{1,60}}?)")
_NOT_MINE_ANY_MORE = regex(rf"(?:don't|do not) (?:remember|save|store|keep) (?P<subject>(?:my|our) {WORD}{{1,60}}?)")
_FORGET_THAT = regex(rf"(?:forget|(?:don't|do not) remember) that (?P<subject>{WORD}{{3,200}}?)")
_NOT = r"(?:don't|dont|do not|never|not)"
_KEEP = r"(?:remember|save|store|record|log|memori[sz]e|write down|note down|remember about)"
_INTO = rf"(?: (?:in|into|to|on) (?:{MEMORY}|record|file)| anywhere)"
_DO_NOT_REMEMBER = regex(
    rf"{_NOT} {_KEEP} (?:this|that)(?: down)?{_INTO}?|{_NOT} (?:keep|add|put) (?:this|that){_INTO}|{_NOT} write "
    rf"(?:this|that) down"
    rf"|{_NOT} {_KEEP} what i (?:just )?{SAID}|{_NOT} make a note of (?:this|that)"
    rf"|(?:you )?(?:don't|do not) (?:have|need) to {_KEEP} (?:this|that)|no need to {_KEEP} (?:this|that)"
    rf"|i (?:don't|do not) want you to (?:{_KEEP}|keep) (?:this|that)"
    r"|(?:(?:this|that) (?:is|was|stays)|keep (?:this|that)|that's|it's)? ?(?:strictly )?off the record"
    rf"|(?:between you and me and )?not for {MEMORY}"
)
_NOT_THEN = re.compile(
    rf"(?:please |pls |plz )?(?:{_DO_NOT_REMEMBER.pattern})(?:\s*[:;]|,? but|,)\s+(?=\S+\s+\S)", re.IGNORECASE
)
_BARE_DENIAL = regex(r"don't remember that")
_UNDO = regex(
    r"undo(?: (?:that|it|this))?|(?:bring|put|give|get) (?:it|that|them|this) back|restore (?:it|that|them)(?: memory)?"
    r"|unforget (?:that|it)|undo (?:the last (?:thing|forget|command)|what) (?:that )?(?:you (?:forgot|did|deleted))?"
    r"|undo the (?:forgetting|deletion)|undelete (?:that|it)"
)
_UNDO_AFTER_ALL = regex(
    r"(?:(?:no|oh|oops|hmm|wait|sorry)\W+)*(?:actually|no wait|wait no|wait|on second thoughts?|i(?:'ve)? changed "
    r"my mind|never ?mind)\W+"
    r"(?:please )?(?:keep (?:it|that|them)|don't (?:forget|delete) (?:it|that|them)|(?:bring|put) (?:it|that|them) "
    r"back)\W*"
)
_FIXED_FORMS = (
    (_FORGET_LAST, Command(Kind.FORGET_LAST)),
    (_FORGET_LAST_MAYBE, Command(Kind.FORGET_LAST, is_ambiguous=True)),
    (_FORGET_ALL, Command(Kind.FORGET_ALL)),
    (_UNDO, Command(Kind.UNDO_LAST)),
)


def match_sentence(sentence: str) -> Command | None:
    """The commands that can only be recognized before politeness is removed."""
    if _CONFIRMED.fullmatch(sentence):
        return Command(Kind.FORGET_ALL, is_confirmation=True)
    return Command(Kind.UNDO_LAST) if _UNDO_AFTER_ALL.fullmatch(sentence) else None


def opens_with_do_not_remember(message: str) -> bool:
    """Whether a message begins with "do not remember this" and then goes on."""
    return _NOT_THEN.match(message) is not None


def match_forget(core: str, *, is_polite: bool) -> Command | None:
    """The command to forget, not to remember, or to undo."""
    for pattern, command in _FIXED_FORMS:
        if pattern.fullmatch(core):
            return command
    if _DO_NOT_REMEMBER.fullmatch(core):
        return Command(Kind.DO_NOT_REMEMBER, is_ambiguous=not is_polite and _BARE_DENIAL.fullmatch(core) is not None)
    subject = next(_subjects_to_forget(core, is_polite=is_polite), None)
    return Command(Kind.FORGET_SUBJECT, subject=subject) if subject else None


def _subjects_to_forget(core: str, *, is_polite: bool) -> Iterator[str]:
    """The subjects to forget, one for each pattern that matches."""
    for pattern in _FORGET_SUBJECT:
        if subject := captured_subject(pattern.fullmatch(core)):
            yield subject
    for pattern in (_FORGET_MINE, *((_FORGET_ABOUT_MINE, _NOT_MINE_ANY_MORE) if is_polite else ())):
        subject = captured_subject(pattern.fullmatch(core))
        if subject and not _NOT_A_MEMORY.match(subject.split(" ", 1)[1]):
            yield subject
    subject = captured_subject(_FORGET_THAT.fullmatch(core))
    if subject and is_statement(subject, of_others=True) and not _ASIDE.match(subject):
        yield subject
