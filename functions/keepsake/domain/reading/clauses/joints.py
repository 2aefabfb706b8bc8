"""Finds the joints of a sentence: marks and words behind which something of its own begins, said or asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.grammar.verb_phrase import bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_in
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.reading.clauses import clause_filters, trailing_remarks
from keepsake.domain.reading.clauses.normalize_clause import filler_length, normalize_clause
from keepsake.domain.text import word_set

_WORDS = {section: frozenset(entries) for section, entries in load_sections("clauses", __package__).items()}
_JOINTS = load_alternations("clauses", __package__)["joints"]
_NO_SUBORDINATION = "".join(rf"(?<!\b{word})" for word in sorted(_WORDS["subordinating"]))
_RUN_ON = "(?:i am|i'm|im|we are|we're|i (?:have|work|live|carry|play)|we have|my name|hes|shes|he's|she's)"
_ENDS = (
    rf"\s{{0,12}}(?:(?<!\d),|,(?!\d)|[;()]|:(?!\d))\s{{0,12}}(?:(?:{_JOINTS})\s{{1,12}})?",
    r"\s{1,12}[-\u2013\u2014>&]{1,4}\s{1,12}|\s{0,12}\u2014\s{0,12}",
    rf"\s{{1,12}}(?:{_JOINTS})\s{{1,12}}",
    r"\s{1,12}since\s{1,12}(?!(?:i|we) (?:was|were)\b)(?=(?:i|we|my|our|he|she|they|it)\b)",
    rf"{_NO_SUBORDINATION}\s{{1,12}}(?={_RUN_ON}\s)",
    r"\s{1,12}(?=(?:what|how|which|where)\s(?:is|are|do|does|should|can|could|was|much|many)\b)",
    r"\s{1,12}(?=(?:can|could|would|will) you\b)",
)
_JOINT = re.compile(rf"(?=[\s,;():\u2014])(?:{'|'.join(_ENDS)})", re.IGNORECASE)
_MARK = re.compile(r"[,;()]")
_NEEDS_MORE = word_set("iam am im is are was were be been feel feels not only ever since until by")
_CONTRACTED = ("'m", "'re", "'s")
_RELATIVE = re.compile(r"\W*(?:my|our) [\w' -]{2,40}(?:, (?:who|which) [^,]{2,120})?$", re.IGNORECASE)
_AND = frozenset({"and", "n", "&"})
_DETERMINERS = (("my",), ("the",), ("our",))
_MAX_HALF = 2


def cut_at_joints(body: str) -> Iterator[tuple[int, int, str]]:
    """Where each part between joints ends, where the next one begins, and the joint between them."""
    start = 0
    for match in _JOINT.finditer(body):
        joint = match[0].strip(" ,").lower()
        if match.start() > start and _ends_part(body, start, match, joint):
            yield match.start(), match.end(), joint
            start = match.end()
    yield len(body), len(body), ""


def _ends_part(body: str, start: int, match: re.Match[str], joint: str) -> bool:
    """Whether a part ends at a joint; not where only a half of a subject, or what leads to it, stands before."""
    before, after = body[start : match.start()], body[match.end() :]
    if joint in _AND and _is_bare_subject(before):
        return False
    if not match[0].strip() and not _is_run_on(before, after):
        return False
    if match[0].lstrip().startswith(","):
        if clause_filters.is_fronted_phrase(before):
            return clause_filters.is_question_or_request(after) or not _WORDS["requests"].isdisjoint(
                bare_words(after)[:1]
            )
        if _RELATIVE.match(before) and (joint == "which" or "who" in before or after.startswith("who ")):
            return False  # "my sister, who lives in Oslo, is a nurse"
    elif _needs_more(before):  # "I'm so tired"
        return False
    return not clause_filters.is_leading_phrase(before)


def _needs_more(before: str) -> bool:
    """Whether the last word goes on with what stands behind the joint."""
    last = bare_words(before)[-1:]
    return last != () and (last[0].rpartition("-")[2] in _NEEDS_MORE or last[0].endswith(_CONTRACTED))


def _is_run_on(before: str, after: str) -> bool:
    """Whether two whole clauses stand on both sides, as in what people dictate; a question needs none before it."""
    if clause_filters.is_question_or_request(after):
        return True
    return _is_complete(before) and _is_complete(_MARK.split(after, maxsplit=1)[0])


def _is_bare_subject(before: str) -> bool:
    """Whether words are only half a subject ("my wife" of "my wife and I")."""
    words = bare_words(before[filler_length(before) :])
    named = words[words[:1] in _DETERMINERS :]
    if not 0 < len(named) <= _MAX_HALF or is_in("durable_adjectives", words[0]):
        return False
    return read_verb_phrase(normalize_clause(before).words) is None


def _is_complete(said: str) -> bool:
    """Whether words have a subject and a verb, and are not only what stands before them ("From Monday I'm …")."""
    words = normalize_clause(said).words
    if said.partition(" ")[0].lower() in _WORDS["fronting"]:
        return False
    return not trailing_remarks.is_incomplete(words) and read_verb_phrase(words) is not None
