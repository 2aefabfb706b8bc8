"""Finds the predicate that a clause leaves out: "I don't eat meat but my wife does" says that she eats meat."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, VerbPhrase, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_adverb
from keepsake.domain.english.lemmas import inflect, known_lemmas
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
    r"(?:.* )?(?:it|that|this|them|so|not)$|.*\b(?:as|only|and|or|nor|but|no|none|nothing|nobody|neither|few|little"
    r"|hardly|me|my|our|us|his|her|their|i|i'm|i've|we|you|he|she|they)\b",
    re.IGNORECASE,
)
"""A predicate that says nothing by itself, compares, denies, is two, or names an owner or a subject of its own.

Of "my sister has no kids, I do" the predicate would be that of the sister, and of "mum says I snore" it says "says".
"""


def with_predicate(words: str, before: str) -> str | None:
    """The words of "my wife does" with the predicate of the clause before; None where they have one, or it has none."""
    match, phrase = _ELLIPSIS.fullmatch(words), read_verb_phrase(before)
    if match is None or phrase is None or phrase.subject not in (Subject.AUTHOR, Subject.CLOSE):
        return None
    who, verb = match["who"], match["verb"].lower()
    if _has_verb(phrase.owner):
        return None
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
    form = inflect(base, tag) if tag else base
    return None if tag and form == base else f"{who} {form} {rest}".rstrip()  # "read" is read as the present


def _predicate(tokens: Sequence[str], phrase: VerbPhrase, kind: str) -> str | None:
    """What follows the auxiliary of a clause, with its verb in the base form; None where that is of another kind."""
    has_auxiliary = _KINDS.get(tokens[0].lower()) == kind and (phrase.is_negated or kind not in _MAIN_VERBS.values())
    said = list(tokens[1:] if has_auxiliary else tokens)
    while phrase.is_negated and said and _is_before_verb(said[0].lower()):
        del said[0]
    if not has_auxiliary:
        if _MAIN_VERBS.get(phrase.tense) != kind or phrase.verb in ("be", "do") or not said:
            return None
        if phrase.verb not in known_lemmas(said[0].lower(), "VERB"):
            return None
        said[0] = phrase.verb
    return _AT_END.sub("", " ".join(said)) or None


def _has_verb(owner: str) -> bool:
    """Whether the subject that was read has the verb in it, as of "my wife needs glasses": "my wife needs"."""
    _, _, last = owner.rpartition(" ")
    return owner.count(" ") > 1 and last.islower() and bool(known_lemmas(last, "VERB"))


def _is_before_verb(word: str) -> bool:
    """Whether a word negates a verb, or goes with the negation ("not really")."""
    return word in _NEGATIONS or (is_adverb(word) and word != "only")
