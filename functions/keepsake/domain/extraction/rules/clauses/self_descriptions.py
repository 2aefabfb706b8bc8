"""Completes what people call themselves without a verb: "nurse at St Jude's", "two toddlers", "T2 diabetic here"."""

from __future__ import annotations

import re

from keepsake.domain.english.indefinite_article import correct_articles, with_article
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.word_groups import JOBS, PETS, ROLES
from keepsake.domain.extraction.rules.grammar.word_forms import CLASSES, is_in, is_known_word, verb_form
from keepsake.domain.extraction.rules.patterns.pattern_file import PatternTable, read_toml

_MAX_WORDS = 9
_MAX_BEFORE_HEAD = 4
_TABLE = PatternTable(
    read_toml("data/self_descriptions.toml", __package__),
    pets=PETS,
    body=f"(?:{'|'.join(sorted(CLASSES['body']))})",
    **load_alternations("illnesses"),
)
_DESCRIPTIONS = tuple(
    (_TABLE.compile(row["pattern"], "^(?:{})$"), str(row["statement"])) for row in _TABLE["description"]
)
_LEADING = re.compile(r"^(?:now |also |just |still |currently |newly )?(?P<article>an? )?", re.IGNORECASE)
_ATTACHED = frozenset({"of", "at", "in", "for", "to", "from", "since", "by", "with", "on"})
_OF_SELF = frozenset(
    {"single", "first", "new", "working", "proud", "busy", "young", "old", "stay-at-home", "home", "foster", "solo"}
)
_CHAIRED = frozenset({"vice", "deputy", "committee", "board", "department", "branch", "parish", "session"})
_LAST = frozenset({"here", "btw", "too", "also", "now", "again"})


def describe_self(piece: str, words: tuple[str, ...]) -> str | None:
    """The statement that a phrase without a verb makes of its author; None where it is none."""
    if (
        len(words) > _MAX_WORDS
        or ":" in piece
        or words[0] in ("my", "our", "the", "his", "her", "favorite", "favourite", "dear")
    ):
        return None
    for pattern, statement in _DESCRIPTIONS:
        if match := pattern.match(piece):
            return correct_articles(match.expand(statement))
    return _describe_role(piece, words)


def _describe_role(piece: str, words: tuple[str, ...]) -> str | None:
    """The statement of a role: "retired teacher", "mum of twins", "wheelchair user"."""
    leading = _LEADING.match(piece)
    rest = piece[leading.end() :] if leading else piece
    words = tuple(word for word in words[len(words) - len(rest.split()) :])
    length = next((index for index, word in enumerate(words) if word in _ATTACHED | _LAST), len(words))
    if not 0 < length <= _MAX_BEFORE_HEAD or not _is_role(words, length):
        return None
    while words and words[-1] in _LAST:
        words, rest = words[:-1], rest.rsplit(maxsplit=1)[0]
    role, article = _without_capital(rest), leading["article"] if leading else None
    return f"I am {article.lower()}{role}" if article else f"I am {with_article(role)}"


def _without_capital(text: str) -> str:
    """The text with a small first letter, unless its first word is a name or an abbreviation."""
    first = text.partition(" ")[0]
    is_common = first[1:].islower() and is_known_word(first.lower())
    return text[:1].lower() + text[1:] if is_common else text


def _is_role(words: tuple[str, ...], length: int) -> bool:
    """Whether the first words name what somebody is, and nothing they do."""
    head, before = words[length - 1], words[: length - 1]
    if is_in("determiners", *before) or "as" in before or any(is_in("auxiliaries", word) for word in words):
        return False
    if head == "chair" and words[length : length + 1] != ("of",) and _CHAIRED.isdisjoint(before):
        return False
    if any((form := verb_form(word)) is not None and form.is_past and form.is_participle is False for word in before):
        return False
    if any((form := verb_form(word)) is not None and form.is_third_person for word in words[length:]):
        return False
    if kinship_of(head) is not None or head in ("parent", "parents"):
        return words[length : length + 1] == ("of",) or not _OF_SELF.isdisjoint(before)
    return head in JOBS or head in ROLES or (is_in("self_nouns", head) and len(words) > 1)
