"""Finds the predicate that a clause leaves out: "I don't eat meat but my wife does" says that she eats meat."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, VerbPhrase, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_adverb
from keepsake.domain.english.lemmas import inflect
from keepsake.domain.reading.clauses.subjects import is_subject_alone

_KINDS = {
    "am": "be", "is": "be", "are": "be", "was": "was", "were": "was", "do": "do", "does": "do", "did": "did",
    "can": "can", "cannot": "can", "have": "have", "has": "have",
}  # fmt: skip
"""Verbs that stand for a whole predicate, each with what agrees with it."""
_ELLIPSIS = re.compile(
    rf"(?P<who>[^,;]{{1,60}}?) (?P<verb>{'|'.join(_KINDS)})(?P<negation> not)?(?:,? (?:too|as well|either|though))?",
    re.IGNORECASE,
)
_MAIN_VERBS = {Tense.PRESENT: "do", Tense.PAST: "did"}
_NEGATIONS = frozenset({"not", "never"})
_AT_END = re.compile(r",? (?:anymore|any ?more|any longer|yet|at all|either|too|as well)$", re.IGNORECASE)
_ANY = re.compile(r"\bany (?=\w)", re.IGNORECASE)
_UNCLEAR = re.compile(
    r"(?:.* )?(?:it|that|this|them|so|not)$|.*\b(?:as|only|me|my|our|us|his|her|their)\b", re.IGNORECASE
)
"""A predicate that says nothing by itself, compares, or names an owner, who may be another where it is left out."""


def with_predicate(words: str, before: str) -> str | None:
    """The words of "my wife does" with the predicate of the clause before; None where they have one, or it has none."""
    match, phrase = _ELLIPSIS.fullmatch(words), read_verb_phrase(before)
    if match is None or phrase is None or phrase.subject not in (Subject.AUTHOR, Subject.CLOSE):
        return None
    who, verb = match["who"], match["verb"].lower()
    if who.lower() == phrase.owner or not (who.lower() in ("i", "we") or is_subject_alone(who)):
        return None
    predicate = _predicate(before.split()[len(phrase.owner.split()) :], phrase, _KINDS[verb])
    if predicate is None or _UNCLEAR.match(predicate):
        return None
    if match["negation"] or verb == "cannot":
        return f"{who} {verb}{match['negation'] or ''} {predicate}"
    predicate = _ANY.sub("", predicate)
    if _KINDS[verb] not in ("do", "did"):
        return f"{who} {verb} {predicate}"
    base, _, rest = predicate.partition(" ")
    tag = {"does": "VBZ", "did": "VBD"}.get(verb)
    return f"{who} {inflect(base, tag) if tag else base} {rest}".rstrip()


def _predicate(tokens: Sequence[str], phrase: VerbPhrase, kind: str) -> str | None:
    """What follows the auxiliary of a clause, with its verb in the base form; None where that is of another kind."""
    if _KINDS.get(tokens[0].lower()) == kind:
        said = list(tokens[1:])
        while phrase.is_negated and said and _is_before_verb(said[0].lower()):
            del said[0]
    elif _MAIN_VERBS.get(phrase.tense) == kind and phrase.verb != "be":
        said = [phrase.verb, *tokens[len(tokens) - len(phrase.rest) :]]
    else:
        return None
    return _AT_END.sub("", " ".join(said)) or None


def _is_before_verb(word: str) -> bool:
    """Whether a word negates a verb, or goes with the negation ("not really")."""
    return word in _NEGATIONS or (is_adverb(word) and word != "only")
