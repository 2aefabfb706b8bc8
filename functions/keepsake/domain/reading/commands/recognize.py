"""Recognizes a chat command in a message; what is in doubt is no command."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from keepsake.domain.english.load_word_lists import load_alternations, load_pairs, load_sections
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_forms import FORMS, Token
from keepsake.domain.reading.commands.named_words import is_own_statement
from keepsake.domain.text import normalize_apostrophes, shorten_runs, split_at_sentences, word_set

MAX_LENGTH = 1_500
"""Characters of a message that may be a command; longer ones are pasted text or stories."""
_MAX_SENTENCES = 6
_MAX_ANSWER_LENGTH = 60
_LAST_PHRASE_LENGTH = range(5, 61)
_MAX_REMARK = 60
_OF = word_set("about on of from über von")
_ANSWERS = [form for form in FORMS if form.kind in (Kind.ACCEPT_REQUEST, Kind.REJECT_REQUEST)]
_BY_BEGINNING = {
    word: [form for form in FORMS if word in form.beginnings and form not in _ANSWERS]
    for word in frozenset().union(*(form.beginnings for form in FORMS))
}
_QUESTIONS = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
_RIGHT_WORDS = {typo: right for typos, right in load_pairs("typos", __package__).items() for typo in typos.split("|")}
_IMPERATIVES = load_pairs("imperatives", __package__)

_WORDS = load_sections("recognize", __package__)
_FILLERS = frozenset(_WORDS["fillers"])
_BEFORE, _AFTER = (
    sorted((tuple(phrase.split()) for name in names for phrase in _WORDS[name]), key=len, reverse=True)
    for names in (("greetings", "requests"), ("endings",))
)
_EMOJI = "".join(map(chr, (*range(0x1F300, 0x1FB00), *range(0x2600, 0x27C0))))
_FINAL = frozenset(f".!?…,;:-{_EMOJI}")
_SEPARATORS = frozenset(",.!:;-")
_BREAKS = (":", ";", ",", "but", "aber")
"""What stands between "don't remember this" and what is not to be remembered."""
_TOKEN = re.compile(r"\w+(?:['-]\w+)*|[^\w\s]")
_QUOTED_TEXT = re.compile(
    r"`|~~~|^[^\S\n]*+(?:>|\||[-*] )|<\w++>|^[^\S\n]*+[A-Z]\w++: .*\n\s{0,12}[A-Z]\w++: ", re.MULTILINE
)
_PERSONA_ONLY = re.compile(
    r"[\s,(-]{0,12}\b(?:but |and |it'?s |this is |that'?s ){0,4}"
    rf"{load_alternations('persona_only', __package__)['persona_only']}\b[\s,):.!;-]*",
    re.IGNORECASE,
)


def recognize(text: str, names: Collection[str] = ()) -> Command | None:
    """The command a message is, or None. By the ``names`` the assistant may be addressed."""
    if len(text) > MAX_LENGTH:
        return None
    lines = normalize_apostrophes(shorten_runs(text)).strip().split("\n")
    message = _without_address("\n".join(" ".join(line.split()) for line in lines), names)
    if _QUOTED_TEXT.search(message):
        return None
    if _PERSONA_ONLY.search(message) is None:
        return _in_message(message)
    without_scope = _PERSONA_ONLY.sub(lambda match: _keep_sentence_end(match, message), message).strip(" ,:;")
    found = _in_message(without_scope)
    if found is not None and found.kind is Kind.REMEMBER:
        return replace(found, is_persona_only=True)
    return None if found is None else _in_message(message)


def recognize_answer(text: str) -> Command | None:
    """The yes or no to what an agent asks for, that a message is and nothing beside; None where it is neither."""
    if len(text) > _MAX_ANSWER_LENGTH:
        return None
    said = [*_read_tokens(text)]
    answer = said[: _end_without_marks(said, len(said))]
    return next(filter(None, (form.match(answer, text) for form in _ANSWERS)), None)


def strip_politeness(sentence: str) -> str:
    """The sentence without greetings, request phrases, politeness, punctuation and emoji around it.

    "Hey, could you please forget that, thanks!" is "forget that".
    """
    said = _without_fillers(sentence)
    core = said[_starts(said)[-1] : _ends(said)[0]]
    return sentence[core[0].start : core[-1].end] if core else ""


def _read_tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(normalize_apostrophes(text)):
        word = match[0].lower()
        yield Token(_RIGHT_WORDS.get(word, word), match.start(), match.end())


def _without_fillers(sentence: str) -> list[Token]:
    return [token for token in _read_tokens(sentence) if token.word not in _FILLERS]


def _starts(said: Sequence[Token]) -> list[int]:
    """Where the command in a sentence may begin: at its beginning, or behind what is polite."""
    starts = [0]
    while True:
        at = starts[-1]
        while at < len(said) and said[at].word in _SEPARATORS:
            at += 1
        words = tuple(token.word for token in said[at : at + 5])
        length = next((len(phrase) for phrase in _BEFORE if words[: len(phrase)] == phrase), 0)
        if not length:
            return [*starts, at]
        starts.append(at + length)


def _ends(said: Sequence[Token]) -> list[int]:
    """Where the command in a sentence may end: before what is polite, or before the marks alone."""
    last = end = _end_without_marks(said, len(said))
    while True:
        words = tuple(token.word for token in said[max(0, end - 5) : end])
        length = next((len(phrase) for phrase in _AFTER if words[-len(phrase) :] == phrase), 0)
        if not length:
            return [end, last]
        end = _end_without_marks(said, end - length)


def _end_without_marks(said: Sequence[Token], end: int) -> int:
    while end > 0 and said[end - 1].word in _FINAL:
        end -= 1
    return end


def _without_address(message: str, names: Collection[str]) -> str:
    """The message without a name of the assistant at its beginning ("Mona, forget my job")."""
    said = [*_read_tokens(message)]
    start = _starts(said)[-1]
    for name in names:
        called = [token.word for token in _read_tokens(name)]
        end = start + len(called)
        if called and [token.word for token in said[start:end]] == called:
            rest = [token for token in said[end:] if token.word not in _SEPARATORS]
            return message[rest[0].start :] if rest else ""
    return message


def _keep_sentence_end(match: re.Match[str], message: str) -> str:
    """The replacement of "just between us": the end of a sentence is kept."""
    if match.end() >= len(message) or match.start() == 0:
        return ""
    return ": " if ":" in match[0] and message[: match.start()].rstrip().lower().endswith("this") else " "


def _in_message(message: str) -> Command | None:
    """The command of a message: in all of it, or in its first or last sentence."""
    before = _in_sentence(_before_break(message))
    if before is not None and before.kind is Kind.DO_NOT_REMEMBER and not before.is_ambiguous:
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


def _before_break(message: str) -> str:
    """What stands before the first mark of a message, behind its greeting, with more than a word after it."""
    said = [*_read_tokens(message)]
    start = _starts(said)[-1]
    breaks = (at for at in range(start, len(said) - 2) if said[at].word in _BREAKS)
    at = next(breaks, start)
    return message[: said[at].start] if at > start else ""


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
    sentence = sentence.rstrip(" \n.!)")
    at = max(map(sentence.rfind, (",", " -", " –", " —", "(")))
    head, tail = sentence[:at], sentence[at:].lstrip(" ,-–—(")
    found = _in_sentence(tail) if at >= 0 and len(tail) in _LAST_PHRASE_LENGTH else None
    if found is None or found.kind not in (Kind.DO_NOT_REMEMBER, Kind.FORGET_LAST) or found.is_ambiguous:
        return None
    if not before and _is_remark(head):
        return found
    said = [*_read_tokens(tail)]
    urged = found.kind is Kind.DO_NOT_REMEMBER or _is_polite(said) or len(_starts(said)) > 2
    return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True) if urged else None


def _is_remark(sentence: str) -> bool:
    """Whether a sentence only comments on a command: "that's private"."""
    said = strip_politeness(sentence).lower()
    return len(said) <= _MAX_REMARK and said.startswith(_WORDS["remarks"])


def _is_polite(said: Sequence[Token]) -> bool:
    words = f" {' '.join(token.word for token in said)} "
    return any(f" {phrase} " in words for phrase in _WORDS["polite"])


def _in_sentence(sentence: str, *, rest: str = "") -> Command | None:
    """The command of one sentence; an imperative with a question mark is a question."""
    all_words = [*_read_tokens(sentence)]
    is_polite = _is_polite(all_words)
    said = _without_fillers(sentence)
    starts, ends = _starts(said), _ends(said)
    for start in dict.fromkeys((starts[0], *starts[-2:])):
        for end in dict.fromkeys(ends):
            core = said[start:end]
            for one in (core, _with_imperative(core)) if is_polite else (core,):
                is_alone = start == 0 and len(core) == _end_without_marks(all_words, len(all_words))
                found = _match(one, sentence, rest, is_polite=is_polite, is_alone=is_alone)
                if found is not None:
                    return None if "?" in sentence and not is_polite and found.kind not in _QUESTIONS else found
    return None


def _with_imperative(said: Sequence[Token]) -> Sequence[Token]:
    """A polite German request with its infinitive, where that begins or ends it, as an imperative at its beginning."""
    for at, token in enumerate(said):
        is_last = at == len(said) - 1 or said[at + 1].word == ","
        if token.word in _IMPERATIVES and (at == 0 or is_last):
            return [token._replace(word=_IMPERATIVES[token.word]), *said[:at], *said[at + 1 :]]
    return []


def _match(said: Sequence[Token], sentence: str, rest: str, *, is_polite: bool, is_alone: bool) -> Command | None:
    forms = (
        form
        for form in (_BY_BEGINNING.get(said[0].word, ()) if said else ())
        if (is_polite or not form.is_polite) and (is_alone or not form.is_alone)
    )
    return next(filter(None, (form.match(said, sentence, rest) for form in forms)), None)
