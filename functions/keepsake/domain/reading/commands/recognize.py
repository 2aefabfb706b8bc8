"""Recognizes a chat command in a message; what is in doubt is no command."""

from __future__ import annotations

import re
import string
from collections.abc import Collection
from dataclasses import replace

from keepsake.domain.english.load_word_lists import load_alternations, load_pairs, load_sections
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_forms import FORMS, FormTable, is_own_statement
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.text import normalize_apostrophes, shorten_runs, split_at_sentences, word_set

_ANSWERS = FormTable(form for form in FORMS if form.kind in (Kind.ACCEPT_REQUEST, Kind.REJECT_REQUEST))
_UNSTRIPPED = FormTable(form for form in FORMS if form.is_unstripped)
_ENGLISH = [form for form in FORMS if form.language == ENGLISH and form not in (*_ANSWERS.forms, *_UNSTRIPPED.forms)]
_POLITE_FORMS = FormTable(form for form in _ENGLISH if form.tone != "plain")
_OTHER_FORMS = FormTable(form for form in _ENGLISH if form.tone != "polite")
_ELSEWHERE = FormTable(form for form in FORMS if form.language != ENGLISH)

MAX_LENGTH = 1_500
"""Characters of a message that may be a command; longer ones are pasted text or stories."""
_MAX_SENTENCES = 6
_MAX_ANSWER_LENGTH = 60
_LAST_PHRASE_LENGTH = 70
_MAX_REMARK = 60
_OF = word_set("about on of from")
_QUESTIONS = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
_RIGHT_WORDS = {typo: right for typos, right in load_pairs("typos", __package__).items() for typo in typos.split("|")}

_WORDS = load_alternations("recognize", __package__)
_REMARKS = load_sections("recognize", __package__)["remarks"]
_EMOJI = "".join(map(chr, (*range(0x1F300, 0x1FB00), *range(0x2600, 0x27C0))))
_FINAL = f"{string.whitespace}.!?…,;{_EMOJI}"
_SEPARATORS = " ,.!:;-"
_LEADING = re.compile(rf"\A(?:{_WORDS['greetings']}\b[\s,.!:;-]*|{_WORDS['requests']})+", re.IGNORECASE)
_TRAILING = re.compile(rf"(?<=[ ,.!:;-]){_WORDS['endings']}\Z", re.IGNORECASE)
_POLITE = re.compile(rf"\b{_WORDS['polite']}\b", re.IGNORECASE)
_QUOTED_TEXT = re.compile(
    r"`|~~~|^[^\S\n]*+(?:>|\||[-*] )|<\w++>|^[^\S\n]*+[A-Z]\w++: .*\n\s{0,12}[A-Z]\w++: ", re.MULTILINE
)
_PERSONA_ONLY = re.compile(
    rf"[\s,(-]{{0,12}}\b(?:but |and |it'?s |this is |that'?s ){{0,4}}{_WORDS['persona_only']}\b[\s,):.!;-]*",
    re.IGNORECASE,
)
_BREAK = re.compile(r"(?:[:;,]|\bbut\b)\s{1,3}(?=\S+\s+\S)", re.IGNORECASE)
"""What stands between "don't remember this" and what is not to be remembered."""
_LAST_PHRASE = re.compile(r"(?:,|\s[-–—]|\s?\()\s?(?P<tail>[^,()]{5,60}?)\)?$")


def recognize(text: str, names: Collection[str] = ()) -> Command | None:
    """The command a message is, or None. By the ``names`` the assistant may be addressed."""
    if len(text) > MAX_LENGTH:
        return None
    lines = normalize_apostrophes(shorten_runs(text)).strip().split("\n")
    message = "\n".join(" ".join(line.split()) for line in lines)
    if _QUOTED_TEXT.search(message):
        return None
    spoken = _without_address(message, names)
    return _read_command(spoken) or _in_sentence(spoken, is_elsewhere=True)


def recognize_answer(text: str) -> Command | None:
    """The yes or no to what an agent asks for, that a message is and nothing beside; None where it is neither."""
    said = " ".join(normalize_apostrophes(text).split()).strip(" .!")
    return _ANSWERS.match(said) if len(text) <= _MAX_ANSWER_LENGTH else None


def _without_address(message: str, names: Collection[str]) -> str:
    """The message without a name of the assistant at its beginning ("Mona, forget my job")."""
    lead = _LEADING.match(message)
    start = lead.end() if lead else 0
    for name in filter(None, (name.strip() for name in names)):
        rest = message[start + len(name) :]
        if message[start:].casefold().startswith(name.casefold()) and rest[:1] in tuple(_SEPARATORS):
            return rest.lstrip(_SEPARATORS)
    return message


def _read_command(message: str) -> Command | None:
    """The command of a message in which the assistant is not addressed."""
    message = " ".join(_RIGHT_WORDS.get(word.casefold(), word) for word in message.split(" "))
    if _PERSONA_ONLY.search(message) is None:
        return _in_message(message)
    without_scope = _PERSONA_ONLY.sub(lambda match: _keep_sentence_end(match, message), message).strip(" ,:;")
    found = _in_message(without_scope)
    if found is not None and found.kind is Kind.REMEMBER:
        return replace(found, is_persona_only=True)
    return None if found is None else _in_message(message)


def _keep_sentence_end(match: re.Match[str], message: str) -> str:
    """The replacement of "just between us": the end of a sentence is kept."""
    if match.end() >= len(message) or match.start() == 0:
        return ""
    return ": " if ":" in match[0] and message[: match.start()].rstrip().casefold().endswith("this") else " "


def _in_message(message: str) -> Command | None:
    """The command of a message: in all of it, or in its first or last sentence."""
    spoken = _LEADING.sub("", message, count=1)
    pause = _BREAK.search(spoken)
    before = _in_sentence(spoken[: pause.start()]) if pause else None
    if before is not None and before.kind is Kind.DO_NOT_REMEMBER:
        return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True)
    sentences = [sentence for sentence in split_at_sentences(message) if strip_politeness(sentence)]
    if not 0 < len(sentences) <= _MAX_SENTENCES:
        return None
    *earlier, last = sentences
    found = _in_sentence(last)
    if found is None or (earlier and found.is_ambiguous and found.subject):
        return _in_last_phrase(last, earlier) or (_in_first_sentence(sentences) if earlier else None)
    if not earlier or found.subject or found.statement:
        return found
    return _in_last_sentence(found, earlier)


def _in_last_sentence(found: Command, before: list[str]) -> Command | None:
    """The command in the last sentence: "forget that" is about the message, unless the rest only comments on it."""
    if found.kind is Kind.RECALL_ALL or all(map(_is_remark, before)):
        return found
    if found.kind in (Kind.FORGET_ALL, Kind.UNDO_LAST):
        return None
    if found.kind is Kind.REMEMBER:
        has_statement = any(is_own_statement(strip_politeness(sentence)) for sentence in before)
        return replace(found, statement=" ".join(before), refers_to_itself=True) if has_statement else None
    return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True)


def _in_first_sentence(sentences: list[str]) -> Command | None:
    """The command in the first sentence of a longer message, where it is not ambiguous."""
    found = _in_sentence(sentences[0], rest="".join(f" {sentence}" for sentence in sentences[1:]))
    if found is None:
        return None
    if found.kind is Kind.DO_NOT_REMEMBER:
        return replace(found, refers_to_itself=True, is_ambiguous=False)
    if found.statement:
        return found
    names_subject = found.kind is Kind.FORGET_SUBJECT and not _OF.isdisjoint(sentences[0].split())
    return found if names_subject and not found.is_ambiguous else None


def _in_last_phrase(sentence: str, before: list[str]) -> Command | None:
    """The command in the last phrase of a sentence ("…, please don't save this"): it is about the message."""
    sentence = sentence.rstrip(" \n.!")
    match = _LAST_PHRASE.search(sentence, max(0, len(sentence) - _LAST_PHRASE_LENGTH))
    if match is None:
        return None
    head, tail = sentence[: match.start()], match["tail"]
    found = _in_sentence(tail)
    if found is None or found.kind not in (Kind.DO_NOT_REMEMBER, Kind.FORGET_LAST) or found.is_ambiguous:
        return None
    if not before and _is_remark(head):
        return found
    urged = found.kind is Kind.DO_NOT_REMEMBER or _POLITE.search(tail) or _LEADING.match(tail)
    return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True) if urged else None


def _is_remark(sentence: str) -> bool:
    """Whether a sentence only comments on a command: "that's private"."""
    said = strip_politeness(sentence).casefold()
    return len(said) <= _MAX_REMARK and said.startswith(_REMARKS)


def _in_sentence(sentence: str, *, rest: str = "", is_elsewhere: bool = False) -> Command | None:
    """The command of one sentence, in English or ``elsewhere``; an imperative with a question mark is a question."""
    is_polite = _POLITE.search(sentence) is not None
    core = strip_politeness(sentence)
    forms = _ELSEWHERE if is_elsewhere else _POLITE_FORMS if is_polite else _OTHER_FORMS
    found = _UNSTRIPPED.match(sentence.strip(" .!?…")) or forms.match(core, rest)
    if found is None or found.kind in _QUESTIONS:
        return found
    is_question = "?" in sentence and not is_polite
    is_all = core.casefold() == sentence.casefold().strip(" .!")
    is_answer = found.kind is Kind.DO_NOT_REMEMBER and found.is_ambiguous and not is_all  # "sorry, don't remember that"
    return None if is_question or is_answer else found


def strip_politeness(sentence: str) -> str:
    """The sentence without greetings, request phrases, politeness, punctuation and emoji around it.

    "Hey, could you please forget that, thanks!" is "forget that".
    """
    core, before = sentence.strip(), ""
    while core != before:
        before = core
        core = _LEADING.sub("", core).rstrip(_FINAL)
        core = _TRAILING.sub("", core).rstrip(_SEPARATORS)
    return " ".join(core.split())
