"""Recognizes what changes a life or a part of it: "sold the car", "got engaged", "joined the choir"."""

from __future__ import annotations

from keepsake.domain.extraction.rules.grammar.noun_phrases import Words, head_of, is_passing, noun_phrase
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, VerbPhrase
from keepsake.domain.extraction.rules.grammar.word_forms import is_in, is_noun, verb_form

_OWNERS = frozenset({"my", "our", "me", "us"})
_DIRECTIONS = frozenset({"to", "into", "in", "from", "onto"})
_NO_TURNING_POINTS = frozenset({"lose", "break", "turn"})


def is_turning_point(phrase: VerbPhrase) -> bool:
    """Whether what the verb says changes a life; "lost" does of a job, not of an umbrella."""
    verb, rest = phrase.verb, phrase.rest
    has_particle = is_in("turning_verbs", f"{verb} {rest[0]}")
    if not (has_particle or is_in("turning_verbs", verb)) or is_passing(rest):
        return False
    if verb == "move":
        return not _DIRECTIONS.isdisjoint(rest)
    if verb == "die":
        return phrase.subject is not Subject.AUTHOR
    if verb in ("stop", "start", "begin"):
        return _is_doing(rest[0]) or (rest[0] != "by" and is_in("own_nouns", *rest[:3]))
    if is_in("needs_own_object", verb) and not has_particle:
        return _is_own(rest) or is_in("bare_relatives", *rest[:3]) or is_in("body", *rest[:3])
    if is_in("needs_special_object", verb) and is_in("determiners", rest[0]):
        named = noun_phrase(rest)
        return is_in("own_nouns", *named) or is_in("groups", *named)
    if verb in ("buy", "become"):
        return is_in("determiners", rest[0])
    return len(rest) > 1 or not (has_particle or rest[0].endswith("ly"))


def is_turning_object(words: Words) -> bool:
    """Whether getting it changes something: "got engaged", "got a puppy"; not "got a lift"."""
    if words[0] == "into":  # "got into Durham", not "got into a fight"
        return len(words) > 1 and words[1].isalpha() and not is_in("determiners", words[1])
    if words[0] in ("married", "engaged", "divorced", "pregnant", "rid"):
        return True
    form = verb_form(words[0])
    if form is not None and form.is_participle and not is_noun(words[0]):
        is_turning = is_in("turning_verbs", form.lemma, " ".join((form.lemma, *words[1:2])))
        return is_turning and len(words) > 1 and form.lemma not in _NO_TURNING_POINTS
    is_thing = is_in("determiners", words[0]) and len(words) > 1
    return is_thing and not is_passing(words) and is_noun(head_of(words))


def concerns_author(phrase: VerbPhrase) -> bool:
    """Whether it is what somebody else did to the author ("they approved my transfer")."""
    if not _OWNERS.intersection(phrase.rest[:2]) or is_in("task_nouns", *phrase.rest):
        return False
    with_particle = " ".join((phrase.verb, *phrase.rest[1:2]))
    if phrase.rest[0] in ("me", "us") and is_in("lasting_to_author", phrase.verb, with_particle):
        return len(phrase.rest) > 1
    if phrase.subject is not Subject.OTHER or len(phrase.rest) < 3:
        return False
    return is_in("turning_verbs_to_author", phrase.verb) and not is_in("vague_subjects", phrase.owner.split()[0])


def _is_own(words: Words) -> bool:
    """Whether the object is something of the author's life."""
    named = words[:4]
    return words[0] in _OWNERS and is_in("own_nouns", *named) and not is_in("devices", *named)


def _is_doing(word: str) -> bool:
    """Whether the word is a gerund that may be a habit."""
    form = verb_form(word)
    return form is not None and form.is_gerund and not is_in("passing_verbs", form.lemma)
