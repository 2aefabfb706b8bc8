"""Recognizes a chat command in a message; what is in doubt is no command."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from keepsake.domain.english.load_word_lists import load_alternations, load_pairs
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_forms import FORMS, CommandForm
from keepsake.domain.reading.commands.match_forms import is_own_statement, match_forms
from keepsake.domain.reading.commands.politeness import LEADING, SEPARATORS, strip_politeness
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.text import normalize_apostrophes, shorten_runs, split_at_sentences, word_set

_WORDS = load_alternations("recognize", __package__)
_ANSWERS = [form for form in FORMS if form.kind in (Kind.ACCEPT_REQUEST, Kind.REJECT_REQUEST)]
_UNSTRIPPED = [form for form in FORMS if form.is_unstripped]
_IN_ENGLISH = [form for form in FORMS if form.language == ENGLISH and form not in (*_ANSWERS, *_UNSTRIPPED)]
_ELSEWHERE = [form for form in FORMS if form.language != ENGLISH]
_BREAK = re.compile(r"(?:[:;,]|\bbut\b)\s{1,3}(?=\S+\s+\S)", re.IGNORECASE)
"""What stands between "don't remember this" and what is not to be remembered."""

MAX_LENGTH = 1_500
"""Characters of a message that may be a command; longer ones are pasted text or stories."""

_MAX_SENTENCES = 6
_QUOTED_TEXT = re.compile(
    r"`|~~~|^[^\S\n]*+(?:>|\||[-*] )|<\w++>|^[^\S\n]*+[A-Z]\w++: .*\n\s{0,12}[A-Z]\w++: ", re.MULTILINE
)
_RIGHT_WORDS = {typo: right for typos, right in load_pairs("typos", __package__).items() for typo in typos.split("|")}
_TYPO = re.compile(rf"\b(?:{'|'.join(_RIGHT_WORDS)})\b", re.IGNORECASE)
_SPACES = re.compile(r"[^\S\n]+")
_POLITE = re.compile(
    r"\b(?:please|pls|plz|kindly|can you|could you|want you|like you|need you|you can|do not)\b", re.IGNORECASE
)
_REMARK = re.compile(rf"{_WORDS['remarks']}$", re.IGNORECASE)
_PERSONA_ONLY = re.compile(
    rf"[\s,(-]{{0,12}}\b(?:but |and |it'?s |this is |"
    rf"that'?s ){{0,4}}{_WORDS['persona_only']}\b[\s,):.!;-]*",
    re.IGNORECASE,
)
_LAST_PHRASE = re.compile(r"(?:,|\s[-–—]|\s?\()\s?(?P<tail>[^,()]{5,60}?)\)?$")
_LAST_PHRASE_LENGTH = 70
_OF = word_set("about on of from")
_MAX_ANSWER_LENGTH = 60
_QUESTIONS = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)


def recognize(text: str, names: Collection[str] = ()) -> Command | None:
    """The command a message is, or None. By the ``names`` the assistant may be addressed."""
    if len(text) > MAX_LENGTH:
        return None
    message = _SPACES.sub(" ", normalize_apostrophes(shorten_runs(text))).strip()
    if _QUOTED_TEXT.search(message):
        return None
    spoken = _without_address(message, names)
    return _read_command(spoken) or _in_sentence(spoken, _ELSEWHERE)


def recognize_answer(text: str) -> Command | None:
    """The yes or no to what an agent asks for, that a message is and nothing beside; None where it is neither."""
    said = " ".join(normalize_apostrophes(text).split()).strip(" .!")
    return match_forms(said, _ANSWERS, is_polite=False) if len(text) <= _MAX_ANSWER_LENGTH else None


def _without_address(message: str, names: Collection[str]) -> str:
    """The message without a name of the assistant at its beginning ("Mona, forget my job")."""
    lead = LEADING.match(message)
    start = lead.end() if lead else 0
    for name in filter(None, (name.strip() for name in names)):
        rest = message[start + len(name) :]
        if message[start:].casefold().startswith(name.casefold()) and rest[:1] in tuple(SEPARATORS):
            return rest.lstrip(SEPARATORS)
    return message


def _read_command(message: str) -> Command | None:
    """The command of a message in which the assistant is not addressed."""
    message = _TYPO.sub(lambda typo: _RIGHT_WORDS.get(typo[0].casefold(), typo[0]), message)
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
    spoken = LEADING.sub("", message, count=1)
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
    if found.kind is Kind.RECALL_ALL or all(_REMARK.match(strip_politeness(sentence)) for sentence in before):
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
    if not before and _REMARK.match(strip_politeness(head)):
        return found
    urged = found.kind is Kind.DO_NOT_REMEMBER or _POLITE.search(tail) or LEADING.match(tail)
    return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True) if urged else None


def _in_sentence(sentence: str, forms: Sequence[CommandForm] = _IN_ENGLISH, *, rest: str = "") -> Command | None:
    """The command of one sentence; an imperative with a question mark is a question."""
    is_polite = _POLITE.search(sentence) is not None
    core = strip_politeness(sentence)
    found = match_forms(sentence.strip(" .!?…"), _UNSTRIPPED, is_polite=is_polite)
    if found is None and core:
        found = match_forms(core, forms, is_polite=is_polite, rest=rest)
    if found is None or found.kind in _QUESTIONS:
        return found
    is_question = "?" in sentence and not is_polite
    is_all = core.casefold() == sentence.casefold().strip(" .!")
    is_answer = found.kind is Kind.DO_NOT_REMEMBER and found.is_ambiguous and not is_all  # "sorry, don't remember that"
    return None if is_question or is_answer else found
