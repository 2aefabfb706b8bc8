"""Makes a candidate of a statement: its text in the third person, and what it is by its kind."""

from __future__ import annotations

import re
from dataclasses import replace

from keepsake.domain.english.grammar.word_forms import is_adverb, is_in, is_known_word, verb_form
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import inflect
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.phrase_slugs import clean_phrase, place_name, title_case_name
from keepsake.domain.english.third_person import capitalize, correct_articles, third_person
from keepsake.domain.english.word_groups import JOBS, PET_WORDS, ROLES
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.entities.resolve_relative import OTHER_PERSON
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.statements.read_kind import Statement, read_kind
from keepsake.domain.reading.statements.statement_kinds import WORDS
from keepsake.domain.text import find_original, has_forbidden_characters, slug, truncate_words

_PERSONS = load_sections("persons", __package__)
_PEOPLE = frozenset(_PERSONS["people"]) | PET_WORDS | JOBS | ROLES
RULE = "statement_classifier"
_CONFIDENCE, _CONFIDENCE_IN_WORDS = 0.7, 0.5
"""That of a statement whose grammar is read, and that of any other."""
_PLACES = ("home", "hometown", "birthplace")
_WITH_AUTHOR = re.compile(
    r"^(?:me and (?P<one>(?:my |the )?[\w'-]+)|(?P<two>(?:my )?[\w' -]{1,30}?) and I)\s(?!(?:are|am) done\b|"
    r".{0,120}\b(?:different|separate|apart)\b)",
    re.IGNORECASE,
)
_DONE_TO_AUTHOR = re.compile(r"they (?:(?:have|just|recently|finally) )*(?P<verb>\w+) (?:me|us)\b", re.IGNORECASE)


def certain_candidate(clause: Clause) -> Candidate | None:
    """The candidate of a clause that is of a certain kind; None for any other, of which the classifier is asked."""
    words = _without_aside(clause.words)
    statement = read_kind(words, clause.fronted_phrase)
    if not statement.is_certain:
        return None
    candidate = _candidate(statement, words, clause.quote)
    key = candidate.key
    if clause.is_addition and statement.kind.allows_second_value:
        key = f"{key}|{candidate.value}"
    return replace(candidate, key=key, corrects=candidate.corrects or clause.corrects, why=statement.kind.name)


def statement_candidate(words: str, quote: str) -> Candidate:
    """The candidate of a statement in these words."""
    words = _without_aside(words)
    return _candidate(read_kind(words), words, quote)


def _without_aside(words: str) -> str:
    """The words of "my partner, though, is a baker" without what interrupts them."""
    subject, _, behind = words.partition(", ")
    aside, comma, rest = behind.partition(", ")
    return f"{subject} {rest}" if comma and aside in WORDS["asides"] else words


def _candidate(statement: Statement, words: str, quote: str) -> Candidate:
    kind, relative = statement.kind, statement.relative
    key, value = statement.key_and_value()
    name = _name(statement, words)
    is_known = relative is not None and is_relation(relative.relation) and relative.name not in OTHER_PERSON
    return Candidate(
        type=kind.type,
        subtype=kind.subtype,
        text=truncate_words(_text(statement, words, name), MAX_TEXT_LENGTH),
        quote=quote,
        confidence=_CONFIDENCE_IN_WORDS if statement.phrase is None else _CONFIDENCE,
        key=key,
        value=value,
        importance=kind.importance,
        entity_type="person",
        entity_refs=(f"person:{relative.name or relative.relation}",) if relative and is_known else (),
        entity_label=name or None,
        retracts=statement.retracts,
        corrects=kind.corrects or statement.is_over or (kind.is_certain and statement.is_negated),
        only_if_subject_known=kind.only_if_subject_known,
        why=RULE,
    )


def _name(statement: Statement, words: str) -> str:
    """The name of the relative or the animal that a statement is about, with capitals."""
    relative = statement.relative
    if relative is None:
        return ""
    is_named_animal = statement.animal not in ("", relative.relation)
    parts = [statement.animal] if is_named_animal else relative.name.split("_")
    said = [token for token in words.split() if slug(token) in parts]
    is_name = all(token[:1].isupper() or not is_known_word(token.lower()) for token in said)
    return title_case_name(" ".join(said)) if is_name else ""


def _text(statement: Statement, words: str, name: str) -> str:
    """The text of a statement by its kind, or else its words in the third person."""
    kind, phrase = statement.kind, statement.phrase
    lacks_detail = statement.detail != "" and "{detail}" not in kind.text
    if statement.retracts:
        text = _in_third_person(_with_no_longer(words))
        text = capitalize(text.removeprefix("Is ")) if text.startswith("Is no longer ") else text
    elif kind.text and phrase is not None and not lacks_detail:
        owner = [token for token in words.split()[: len(phrase.owner.split())] if not is_adverb(token)]
        who = " ".join(owner[owner[0].lower() in ("i", "we", "my", "our", "the", "a", "an") :])
        negation = "Not a" if statement.is_negated else "A"
        said = {"what": clean_phrase(statement.what), "detail": statement.detail, "who": who, "negation": negation}
        text = capitalize(correct_articles(kind.text.format_map(said)))
    else:
        text = _in_third_person(words)
    if kind.key in _PLACES:
        text = text.replace(statement.what, place_name(statement.what), 1)
    return re.sub(rf"\b{re.escape(name)}\b", lambda _: name, text, count=1, flags=re.IGNORECASE) if name else text


def _with_no_longer(words: str) -> str:
    """The words of "I do not live there anymore" as "I no longer live there"."""
    if not words.startswith(("I am not ", "I do not ")):
        return words
    for ending in WORDS["no_more"]:
        words = words.removesuffix(f" {ending}")
    return words.replace("I am not ", "I am no longer ", 1).replace("I do not ", "I no longer ", 1)


def _in_third_person(words: str) -> str:
    """The words in the third person; whom the author does it with stands at the end.

    Those of "they moved me to nights" are of "I was moved to nights": "they" may be anybody.
    """
    if (done := _DONE_TO_AUTHOR.match(words)) and (form := verb_form(done["verb"].lower())) and form.is_past:
        return third_person(f"I was {inflect(form.lemma, 'VBN')}{words[done.end() :]}")
    text = third_person(_WITH_AUTHOR.sub("we ", words))
    companion = _WITH_AUTHOR.match(words)
    if companion is None:
        return text
    who = companion["one"] or companion["two"]
    return f"{text} with {f'their {who[3:]}' if who.lower().startswith('my ') else who}"


def with_original_quote(text: str, candidate: Candidate) -> Candidate | None:
    """The candidate with its quote as the text has it; None where the text has none, or one that may not be kept."""
    quote = find_original(candidate.quote, text)
    if quote is None or has_forbidden_characters(candidate.text + quote):
        return None
    return candidate if quote == candidate.quote else replace(candidate, quote=quote[:MAX_CLAUSE_LENGTH])


def breaks_off(said: str) -> bool:
    """Whether the end of the words is missing, or they say "she" or "her" of somebody they do not name."""
    if clause_filters.is_incomplete(said):
        return True
    words = [token.strip('.,;:!?"()').partition("'")[0] for token in said.split()]
    end = next((at for at, word in enumerate(words) if word.lower() in _PERSONS["pronouns"]), None)
    return end is not None and not (is_in("bare_relatives", words[0].lower()) or any(map(_is_person, words[1:end])))


def _is_person(word: str) -> bool:
    """Whether a word is a name, or names somebody."""
    is_name = word[:1].isupper() and word[1:2].islower()
    return is_name or word.lower() in _PEOPLE or kinship_of(word.lower()) is not None
