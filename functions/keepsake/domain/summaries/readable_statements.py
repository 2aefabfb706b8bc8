"""What a summary without a model tells of the memories that rules made: whole statements in the person's own verbs.

Rules also read notes ("vet on Tuesday", "day shifts") and add the verb. That is often right and sometimes of somebody
else, so a summary, which is read as a whole, leaves these out, and scraps without a verb.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.past_tense import is_finite
from keepsake.domain.extraction.grounding import STOPWORDS, content_stems
from keepsake.domain.extraction.rules.message.language import is_unreadable
from keepsake.domain.summaries import phrases
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.copied_words import Runs, find_runs, is_copy
from keepsake.domain.summaries.followed_up import is_followed_up
from keepsake.domain.summaries.names_in_messages import names_in, with_capitals, written_names
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.summaries.summary_words import SummaryWords, words_for, words_in
from keepsake.domain.text import normalize_apostrophes, stem, words

_MIN_KEPT = 3
_HALF_FELT = re.compile(r"\bit (?:feels?|felt)\b|\bbut\b|\band (?:then|yet)\b", re.IGNORECASE)
"""Two feelings that belong together: "happy, and it feels wrong to be happy"."""
_PEOPLE = "boy|girl|man|woman|guy|lady|kids?|child|children|baby"
_POINTING = re.compile(rf" (?:about|with|for|to|of|at|by|from) (?:the|that|this) (?:{_PEOPLE})\b.*")
"""An addition about somebody whom only the message makes known."""
_SENTENCE = re.compile(r"\n++|(?<![.!?;])[.!?;]++(?:\s|$)|, (?=(?:i|i'm|im|we)\b)|,? but ", re.IGNORECASE)
_BOUNDARY = re.compile(r", | (?=(?:and|that|which|who|because|so|after|before|for|with|since|on|in|at|to|from|this)\b)")
_CONDITION = re.compile(r"\b(?:if|unless|not|no|never|without|instead|until|unlike)\b")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|my|our)\b", re.IGNORECASE)
_AM = re.compile(r"\b(?:i'm|im|i am|i was|we're|we are|and i are|i've been|ive been|me being)\b", re.IGNORECASE)
_OWNING = re.compile(r"\b(?:have|has|had|got|get|gets|own|owns|i've|ive|we've|my|our|bought|adopted)\b", re.IGNORECASE)
_SUPPOSING = frozenset({"if", "unless", "say", "says", "said", "think", "thinks", "thought", "would", "wish"})
_JOINED = re.compile(r"\b(?:and|or)\b")
_THEY = re.compile(r"\b(?:them|their|themselves)\b", re.IGNORECASE)
_ME = re.compile(r"\b(?:me|my|us|our)\b", re.IGNORECASE)
_POSSESSIVE = {"she/her": "her", "he/him": "his"}
_THING_VERBS = frozenset({"is", "are", "was", "were", "turned"})
_CALENDAR = frozenset([*WEEKDAYS, *(month.lower() for month in MONTHS)])
_FEELING = frozenset({"feels", "felt"})
_BEING = _FEELING | {"is", "was"}
_PARTICLES = frozenset({"down", "up", "back", "off", "out", "away", "over", "on", "in"})
_TASKS = frozenset({"has", "had", "needs", "needed"})
_QUESTION_WORDS = frozenset({"who", "whom", "what", "how", "why", "whether", "that", "about", "of"})
_ADVERBS = frozenset({"no", "longer", "does", "not", "always", "still", "never", "often", "usually", "also", "just"})
_NAMED_TWICE = re.compile(
    rf"(?P<date>(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)}) \d{{4}})"
    r",? (?:the )?(?P=day)(?:(?:st|nd|rd|th)\b|(?= (?P=month)))(?: (?:of )?(?P=month)(?: \d{4})?)?"
)


def keep_readable(
    memories: Iterable[SourceMemory], messages: Sequence[SaidMessage], author: Author | None = None
) -> list[SourceMemory]:
    """The memories that a summary tells of a person, in the words in which it tells them.

    Rules state in English what was said: beside messages in another language that is not told.
    """
    spoken = words_for(one.text for one in messages)
    if messages and not spoken.is_english:
        return [one for one in memories if not one.is_by_rules]
    person = author or Author("")
    found = (_with_person(_without_asides(one), messages, person) if one.is_by_rules else one for one in memories)
    shown = [one for one in found if one is not None]
    labels = [one.subject for one in shown if one.subject]
    names = names_in(messages, labels)
    written = [*written_names(messages, names), *labels]
    runs = find_runs(words(one.text) for one in messages)
    kept = (
        one
        for one in shown
        if not one.is_by_rules or _is_tellable(one, messages, {*names, *words(person.name)}, spoken)
    )
    return [
        replace(one, text=with_capitals(_shorten(one.text, runs), written)) if one.is_by_rules else one for one in kept
    ]


def _is_tellable(
    memory: SourceMemory, messages: Sequence[SaidMessage], names: Collection[str], spoken: SummaryWords
) -> bool:
    """Whether what rules made is a statement that no later message has overtaken."""
    said = [one.said_at for one in messages if memory.id in one.memory_ids]
    later = [one.text for one in messages if said and one.said_at > max(said)]
    return _is_complete(memory, messages, names) and not is_followed_up(memory.text, later, spoken)


def _without_asides(memory: SourceMemory) -> SourceMemory:
    """The memory without what follows a comma, where that is no enumeration, and with the year that "last year" was."""
    text = re.sub(r"\bof last year\b", str(memory.day.year - 1), memory.text)
    first, comma, rest = text.partition(", ")
    is_complete = not comma or (_JOINED.search(rest) and not _is_vague(words(first)))
    return replace(memory, text=_POINTING.sub("", text if is_complete else first))


def _with_person(memory: SourceMemory, messages: Sequence[SaidMessage], person: Author) -> SourceMemory | None:
    """The memory with the person's name or pronoun where it says "them" of them; None where that is not sure."""
    is_own = phrases.is_predicate(memory.text, memory.entity_label)
    they = {match[0].casefold() for match in _THEY.finditer(memory.text)}
    if not they:
        return memory
    said = [_nearest_sentence(one.text, words(memory.text)) for one in messages if memory.id in one.memory_ids]
    is_sure = bool(said) and all(_ME.search(one) and not _THEY.search(one) for one in said)
    if is_own and they == {"their"}:
        pronoun = _POSSESSIVE.get(person.pronouns.casefold().replace(" ", ""), "their") if is_sure else "their"
        return replace(memory, text=_THEY.sub(pronoun, memory.text))
    if is_own or not person.name or not is_sure or "themselves" in they:
        return None
    named = {"them": person.name, "their": f"{person.name}'s"}
    return replace(memory, text=_THEY.sub(lambda match: named[match[0].casefold()], memory.text))


def is_statement(memory: SourceMemory) -> bool:
    """Whether what rules made is a statement of what is so, by itself: no scrap, no task, nothing that points back."""
    is_task = bool(_TASKS & {memory.text.partition(" ")[0].lower()}) and " to " in memory.text
    return is_unreadable(memory.text) or (_is_complete(memory, (), ()) and not is_task)


def is_present_habit(memory: SourceMemory) -> bool:
    """Whether a memory says what the person does again and again, and not what they once did."""
    first, _, rest = memory.text.lower().partition(" ")
    verb = rest.partition(" ")[0] if first in _ADVERBS else first
    tags = {tag for lemma in known_lemmas(verb, "VERB") for tag in known_tags(verb, lemma)}
    is_habit = memory.is_pattern and not words_in("en").is_unsettled(memory.text)
    return is_habit and ("VBZ" in tags or not tags) and not phrases.is_stop(memory)


def _is_complete(memory: SourceMemory, messages: Sequence[SaidMessage], names: Collection[str]) -> bool:
    """Whether it is a statement with a verb, which the person used of themselves where it is about them."""
    tokens = words(memory.text)
    said = [one for one in messages if memory.id in one.memory_ids]
    if memory.is_feeling and any(_HALF_FELT.search(one.text) for one in said):
        return False
    if not phrases.is_predicate(memory.text, memory.entity_label):
        return not tokens[:1] or _is_clause(tokens, names)
    if _is_vague(tokens) or (tokens[0] in _BEING and set(tokens[1:]) <= {*names}):
        return False
    return not said or any(_says(one.text, tokens) for one in said)


def _is_clause(tokens: Sequence[str], names: Collection[str]) -> bool:
    """Whether it is a clause about somebody, or says what a thing is; what somebody says or wants is none."""
    finite = next((index for index, token in enumerate(tokens) if index and is_finite(token)), None)
    if finite is None or tokens[0][0].isdigit() or tokens[finite] in load_words("reports", __package__):
        return False
    if tokens[0] in _CALENDAR | {"the"}:  # "Thursday is cello", "the surgery is two days before"
        return False
    return tokens[finite] in _THING_VERBS or any(token in names or kinship_of(token) for token in tokens[:finite])


def _is_vague(tokens: Sequence[str]) -> bool:
    """Whether it says nothing done ("starts on Monday", "can help"), owns one definite thing, or is an opinion."""
    own = [token for token in tokens if token not in _ADVERBS]
    is_report = own[:1] != [] and own[0] in load_words("reports", __package__) and own[1:2] != ["to"]  # a plan
    if not own or is_report or own[0] == "can" or own[:2] in (["has", "the"], ["had", "the"]):
        return True
    if all(one in STOPWORDS | _PARTICLES for one in own[1:]):  # "hung up", "is out"
        return True
    is_task = own[0] in _TASKS and own[1:2] == ["to"]
    is_going = own[0] in _BEING and own[1:3] == ["going", "to"]
    is_progress = own[0] in _BEING and own[1:2] != [] and own[1].endswith("ing")
    first = (
        4
        if is_going
        else 3
        if is_task
        else 2
        if is_progress
        else 0
        if own[0] in load_words("states", __package__)
        else 1
    )
    return all(one in STOPWORDS or {one, one.removesuffix("s")} & _CALENDAR or one[0].isdigit() for one in own[first:])


def _says(text: str, tokens: Sequence[str]) -> bool:
    """Whether the sentence that says most of a statement has its verb, and the person for its subject."""
    sentence = _nearest_sentence(text, tokens)
    own = [token for token in tokens if token not in _ADVERBS]
    said = words(sentence)
    if not own or not said or _is_supposed(said, tokens) or _goes_on(own[-1], said):
        return False
    if own[0] in _BEING or own[0] in load_words("states", __package__):
        content = [token for token in own if token not in _BEING | {"a", "an", "the"}]
        begins = bool(content) and said[0] == content[0]
        is_open = said[0].endswith("ing") or (known_lemmas(said[0], "ADJ") and not known_lemmas(said[0], "NOUN"))
        is_note = begins and (is_open or _FIRST_PERSON.search(sentence))
        return bool(_AM.search(sentence) or (own[0] in _FEELING and "feel" in said) or is_note)
    if own[0] in {"has", "had"}:
        return bool(_OWNING.search(sentence) and _FIRST_PERSON.search(sentence))
    verbs = {*known_lemmas(own[0], "VERB"), own[0]}
    has_verb = [index for index, word in enumerate(said) if verbs & {word, *known_lemmas(word, "VERB")}]
    return bool(has_verb) and (has_verb[0] == 0 or bool(_FIRST_PERSON.search(sentence)))


def _is_supposed(said: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether a condition, or who said it, stands before the words of a statement: "if I miss a shift I'm out"."""
    about = content_stems(" ".join(tokens)) or {stem(tokens[-1])}
    before = takewhile(lambda word: stem(word) not in about, said)
    return not _SUPPOSING.isdisjoint(set(before) - set(tokens))


def _nearest_sentence(text: str, tokens: Sequence[str]) -> str:
    """The sentence that says most of a statement."""
    about = content_stems(" ".join(tokens))
    sentences = [one for one in _SENTENCE.split(normalize_apostrophes(text)) if one.strip()]
    return max(sentences, key=lambda one: len(about & {stem(word) for word in words(one)}), default="")


def _goes_on(last: str, said: Sequence[str]) -> bool:
    """Whether the message says after the last word of a statement what it is about: "keeps thinking | who to call"."""
    at = len(said) - 1 - said[::-1].index(last) if last in said else len(said)
    return said[at + 1 : at + 2] != [] and said[at + 1] in _QUESTION_WORDS


def _shorten(text: str, runs: Runs) -> str:
    """The statement with each date once, and without what copies a message for too long, where it is true without."""
    once = _NAMED_TWICE.sub(r"\g<date>", text)
    first = once.partition(" ")[0].lower()
    if first in load_words("states", __package__):
        once = f"Is {first}{once[len(first) :]}"
    ends = [match.start() for match in _BOUNDARY.finditer(once)]
    for end in [len(once), *reversed(ends)]:
        kept, left = once[:end], once[end:]
        if len(kept.split()) < _MIN_KEPT or _CONDITION.search(left):
            return once
        if not is_copy(words(kept), runs):
            return kept
    return once
