"""Screens candidates, texts and names: drops secrets, orders and malformed text; trusts sensitive topics little."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.screening.instructions import addresses_model, claims_authority, is_prompt_injection
from keepsake.domain.screening.named_secrets import POSSIBLE, mentions_credential
from keepsake.domain.screening.number_kinds import MENTION, blank_harmless_numbers, is_date_or_year
from keepsake.domain.screening.readable_text import fold_homoglyphs, is_unspaced
from keepsake.domain.screening.secret_detection import DISCLOSURE, find_known_secrets, find_secrets
from keepsake.domain.screening.sensitive_topics import is_financial_amount, is_sensitive_topic
from keepsake.domain.text import TITLES, has_forbidden_characters, strip_invisible, word_set

_PRONOUNS = word_set("he him his she her hers they them theirs xe xem ze hir zir")
_WORD = re.compile(r"[^\W\d_]+")
_SELF = "person:self"
_JOINT = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=\w)[_./:-]{1,3}(?=\w)")
"""Where words are joined in a name: by a mark, or by a capital letter within."""

MIN_FRAGMENT = 4
"""The shortest fragment of a secret that counts as the secret."""

_PART = re.compile(r"[^\W_]+")
_MAX_NUMBER_LENGTH, _MAX_WORD_LENGTH = 3, 15
_CODE_LENGTHS = range(4, 9)

_HARMLESS_IN_NAMES = frozenset({"token", DISCLOSURE})
"""Kinds of secrets that are none in a name: a place has an id, and a name is no sentence."""

NOBODY_KNOWN = "somebody"
"""Who is mentioned without a name that is known."""

MAX_SENSITIVE_CONFIDENCE = 0.4
"""Medical and financial statements are never trusted further than this."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """The candidate may not be stored; ``reason`` is a stable word for counting."""

    reason: str


def screen(candidate: Candidate, *, message: str = "", may_contain_speech: bool = False) -> Candidate | Dropped:
    """The candidate as it may be stored, with less confidence for a sensitive topic, or why it is dropped.

    ``message`` is the whole message: a secret that it names is one also where the candidate leaves the name out.
    The text ``may_contain_speech`` of people who say "you" to each other.
    """
    names = _names(candidate)
    slugs = [candidate.key or "", candidate.value or ""]
    sentences = [candidate.text, candidate.quote, *map(_spaced, names)]
    parts = [*sentences, *slugs]
    if any(has_forbidden_characters(part) for part in parts):
        return Dropped("bad_characters")
    if len(candidate.text) > MAX_TEXT_LENGTH or not (candidate.text.strip() or candidate.retracts):
        return Dropped("bad_length")
    is_secret = any(map(find_secrets, dict.fromkeys(sentences)))
    if (
        is_secret
        or any(map(find_known_secrets, map(_readable, slugs)))
        or _repeats_a_secret(parts, message)
        or _may_be_credential(candidate, message)
    ):
        return Dropped("secret" if is_secret or not is_financial_amount(candidate.text) else "financial_amount")
    if (
        any(map(is_prompt_injection, dict.fromkeys(parts)))
        or addresses_model(candidate.text, may_contain_speech=may_contain_speech)
        or _claims_authority(candidate, message)
    ):
        return Dropped("instruction")
    if (reason := next(filter(None, map(rejection_of_name, dict.fromkeys(names))), None)) is not None:
        return Dropped(reason)
    return _screen_topics(candidate)


def _claims_authority(candidate: Candidate, message: str) -> bool:
    """Whether a candidate claims something; what a capable model says, only where its message does too, or clearly."""
    if claims_authority(candidate.text, clearly=True):
        return True
    may_be_claim = not candidate.is_believed or not message or claims_authority(message)
    return may_be_claim and claims_authority(candidate.text)


def _names(candidate: Candidate) -> list[str]:
    """What a candidate names: the label, the keys, the type of the entity, and the persona."""
    keys = (ref.partition(":")[2] for ref in candidate.entity_refs if ref != _SELF)
    return [name for name in (candidate.entity_label, *keys, candidate.entity_type, candidate.persona_id) if name]


def _screen_topics(candidate: Candidate) -> Candidate | Dropped:
    """Drop a financial amount; trust a sensitive topic little."""
    if is_financial_amount(candidate.text) or is_financial_amount(candidate.quote):
        return Dropped("financial_amount")
    if is_sensitive_topic(candidate.text) or is_sensitive_topic(candidate.quote):
        return replace(candidate, confidence=min(candidate.confidence, MAX_SENSITIVE_CONFIDENCE))
    return candidate


def rejection_of_text(text: str, *, harmless_kinds: Collection[str] = ()) -> str | None:
    """Why a short text may not be stored, as a stable word; None where it may.

    A kind of secret may be harmless, as a token is in the id of a place.
    """
    if has_forbidden_characters(text):
        return "bad_characters"
    shown = _spaced(text)
    if any(secret.kind not in harmless_kinds for secret in (*find_secrets(text), *find_secrets(shown))):
        return "secret"
    if any(map(_is_instruction, dict.fromkeys((shown, _JOINT.sub(" ", text))))):
        return "instruction"
    return "financial_amount" if is_financial_amount(shown) else None


@lru_cache(maxsize=32)  # most candidates name few different things, and all of them a type of entity
def rejection_of_name(name: str) -> str | None:
    """Why a name of a person, a place or a thing may not be stored or shown, or somebody's pronouns; None if it may."""
    if _are_pronouns(name):
        return None
    reason = rejection_of_text(name, harmless_kinds=_HARMLESS_IN_NAMES)
    words = set(_WORD.findall(fold_homoglyphs(_JOINT.sub(" ", strip_invisible(name))).casefold()))
    if reason is None and len(words & load_words("name_words", __package__)) > 1:
        return "instruction"
    return reason


@lru_cache(maxsize=10_000)
def shown_name(name: str | None) -> str | None:
    """The name that its person wrote; None where there is none, or where it may not reach a model."""
    return name if name and rejection_of_name(name) is None else None


def replace_mentions(text: str, name_of: Callable[[str], str | None]) -> str:
    """The text with the names of people in the place of their ids; ``name_of`` gets an id in small letters."""
    return MENTION.sub(lambda mention: name_of(mention["id"].lower()) or NOBODY_KNOWN, text)


def _are_pronouns(name: str) -> bool:
    """Whether a name is pronouns as people give theirs, which claim nothing: "he/him"."""
    parts = [part.strip() for part in name.lower().split("/")]
    return len(parts) > 1 and _PRONOUNS.issuperset(parts)


def _is_instruction(text: str) -> bool:
    untitled = " ".join(itertools.dropwhile(lambda word: word.rstrip(".").lower() in TITLES, text.split()))
    is_sentence = len(_WORD.findall(untitled)) > 1 or is_unspaced(untitled)  # a single word claims nothing
    return is_prompt_injection(text) or addresses_model(text) or (is_sentence and claims_authority(untitled))


def _spaced(name: str) -> str:
    """A name whose words are joined by underscores, with blanks between them."""
    return name.replace("_", " ")


def _readable(slug: str) -> str:
    """A key or value, with blanks between its words where its numbers are too short to be parts of a token."""
    parts = _PART.findall(slug)
    numbers = [part for part in parts if any(map(str.isdigit, part))]
    is_phrase = bool(numbers) and all(len(part) <= _MAX_NUMBER_LENGTH or is_date_or_year(part) for part in numbers)
    return _spaced(slug) if is_phrase and max(map(len, parts)) <= _MAX_WORD_LENGTH else slug


def _repeats_a_secret(parts: Sequence[str], message: str) -> bool:
    """Whether any part contains a secret of the message, or a fragment of one."""
    visible = strip_invisible(message)
    fragments: set[str] = set()
    for secret in find_secrets(message):
        value = visible[secret.start : secret.end].casefold()
        fragments |= {value.strip(" .,;:!?\"'"), *POSSIBLE.findall(value)}
    return any(
        fragment in strip_invisible(part).casefold()
        for part in parts
        for fragment in fragments
        if len(fragment) >= MIN_FRAGMENT
    )


def _may_be_credential(candidate: Candidate, message: str) -> bool:
    """Whether a candidate from a message about a password contains something that could be it."""
    own_text = blank_harmless_numbers(f"{candidate.text} {candidate.quote}".strip())
    if POSSIBLE.search(own_text) is None:
        return False
    runs = (len([*run]) for is_digit, run in itertools.groupby(own_text, str.isdecimal) if is_digit)
    has_code = any(length in _CODE_LENGTHS for length in runs)
    return mentions_credential(message) or (has_code and mentions_credential(own_text))
