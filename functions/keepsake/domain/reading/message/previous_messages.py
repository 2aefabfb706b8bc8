"""The messages before the one that is read: they say what an answer answers, whom a pronoun means, and who plays.

"yeah peanuts" after "Do you have any allergies?" is a statement, of the words of the question and of the answer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations, load_lines, load_sections
from keepsake.domain.english.third_person import with_article
from keepsake.domain.english.word_groups import PETS
from keepsake.domain.reading.message.normalize_message import normalize_message
from keepsake.domain.text import normalize_apostrophes, word_set

_PLAYS = load_alternations("quoted_text")
_BEGINS = re.compile(rf"\b{_PLAYS['role_play_begins']}\b", re.IGNORECASE)
_ENDS = re.compile(rf"\b{_PLAYS['role_play_ends']}\b", re.IGNORECASE)
_WORDS = {section: frozenset(entries) for section, entries in load_sections("answers", __package__).items()}
_CLOSE = re.compile(f"(?:{RELATIONS}|{FRIENDS}|{PETS})(?:'s)?", re.IGNORECASE)
_OTHERS = word_set("he she his her")
_WHAT = "<what>"
_QUESTIONS = tuple([part.strip() for part in line.split("|")] for line in load_lines("questions", __package__))
_MAX_ANSWER = 80
_MAX_WORDS = 8
_MAX_BEHIND_QUESTION = 40


@dataclass(frozen=True, slots=True)
class PreviousMessage:
    """A message of the author or of the assistant, shortened."""

    role: str
    text: str


def words_before(previous: Sequence[PreviousMessage]) -> str:
    """The author's message before."""
    return next((message.text for message in previous if message.role == "user"), "")


def is_in_role_play(message: str, previous: Sequence[PreviousMessage]) -> bool:
    """Whether the author began a role play in one of the messages before, and has not ended it."""
    earlier = (normalize_apostrophes(one.text) for one in previous if one.role == "user")
    last = next((text for text in earlier if _BEGINS.search(text) or _ENDS.search(text)), "")
    return last != "" and not any(map(_ENDS.search, (normalize_apostrophes(message), last)))


def question_before(previous: Sequence[PreviousMessage]) -> str | None:
    """What the assistant said directly before; ``previous`` is newest first."""
    return previous[0].text if previous and previous[0].role == "assistant" else None


def asks_about_other(question: str | None) -> bool:
    """Whether what the assistant asked is about somebody close ("How old is your son?"): an answer is about them."""
    last = bare_words((question or "").rpartition("?")[0].rpartition(". ")[2])
    return not _OTHERS.isdisjoint(last) or any(
        whose == "your" and _CLOSE.fullmatch(who) for whose, who in itertools.pairwise(last)
    )


def answered_statement(question: str | None, message: str) -> str | None:
    """The statement that a message makes as the answer to a question; None where it is no plain answer."""
    before, mark, behind = normalize_apostrophes(question or "").strip().rpartition("?")
    answer = normalize_message(message[: 2 * _MAX_ANSWER]).text.strip(" .!,")
    is_short = 0 < len(answer) <= _MAX_ANSWER and len(behind) <= _MAX_BEHIND_QUESTION
    if not (mark and is_short) or "?" in answer or "\n" in answer:
        return None
    last = " ".join(bare_words(before[max(map(before.rfind, ".!?\n")) + 1 :]))
    last = f" {last} ".replace("what's ", "what is ").replace("when's ", "when is ")
    is_about_other = not _WORDS["others"].isdisjoint(last.split())
    for form, statement, *plain in _QUESTIONS:
        if (what := _slot_of(last, form)) is not None and ("you" in form or not is_about_other):
            yes, no, *_ = (*plain, "", "")
            said = frozenset(bare_words(answer))
            if said <= _WORDS["plain_yes"] or said <= _WORDS["plain_no"]:
                return (yes if said <= _WORDS["plain_yes"] else no).replace(_WHAT, what) or None
            return _statement(statement.replace(_WHAT, what), answer)
    return None


def _slot_of(question: str, form: str) -> str | None:
    """What a question has where its form has ``<what>``; None where it does not have that form."""
    start, _, end = f" {form} ".partition(_WHAT)
    _, has_start, rest = question.partition(start)
    if not end.strip():
        return rest.strip() if has_start and (rest.strip() or _WHAT not in form) else None
    what, has_end, _ = rest.partition(end)
    return what.strip() if has_end else None


def _statement(statement: str, answer: str) -> str | None:
    """The statement of an answer, without its opening and its reason; None where it is a statement of its own."""
    start, _, slot = statement.partition("<")
    kind, _, end = slot.partition(">")
    words = _without_reason(answer.split())
    bare = bare_words(" ".join(words))
    if not (kind and 0 < len(bare) <= _MAX_WORDS and _WORDS["own_clause"].isdisjoint(bare)):
        return None
    if not _WORDS["no_answer"].isdisjoint((bare[0], bare[-1])):
        return None
    value = " ".join(words).strip(" ,;.")
    if ". " in value:
        return None
    if (kind == "number" and not value.isdigit()) or (kind == "count" and bare[0] not in _WORDS["counts"]):
        return None
    if kind == "food" and value in _WORDS["diets"]:
        return f"I am {value}"
    return f"{start}{with_article(value) if kind == 'role' and bare[0] not in _WORDS['roles'] else value}{end}"


def _without_reason(words: Sequence[str]) -> Sequence[str]:
    """The words of an answer without its opening ("well,") and where the person goes on ("…, i hate the texture")."""
    start = next((at for at, word in enumerate(words) if word.strip(".,!:") not in _WORDS["openings"]), len(words))
    for at, (before, word) in enumerate(itertools.pairwise(words[start:]), start + 1):
        if word in _WORDS["reasons"] or (before.endswith((",", ";", ".")) and word in _WORDS["own_clause"]):
            return words[start:at]
    return words[start:]
