"""Checks each sentence of a model's summary against the texts that it cites.

An error is what code can tell: a citation that does not exist, a secret, a number, date or name that neither stands in
what is cited nor follows from it. A doubt is what code only suspects: that something is turned round, or was done by
somebody else. Wording and feelings are the model's business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from keepsake.domain.english.lemmas import PartOfSpeech, known_lemmas
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.word_groups import COUNTS
from keepsake.domain.evidence.dates import unsupported_dates
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.names import proper_names, unsupported_names
from keepsake.domain.evidence.quantities import unsupported_numbers
from keepsake.domain.evidence.speaker_words import guess_language
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.extraction.grounding import content_stems as stems
from keepsake.domain.screening.instructions import is_prompt_injection
from keepsake.domain.screening.secret_detection import find_known_secrets
from keepsake.domain.screening.sensitive_topics import is_financial_amount, is_sensitive_topic
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.false_sentences.actors import names_other_actor
from keepsake.domain.summaries.false_sentences.chat_spelling import find_subjects, spell_out
from keepsake.domain.summaries.false_sentences.contradictions import find_contradiction
from keepsake.domain.summaries.false_sentences.denials import ENGLISH, find_denial, is_negation
from keepsake.domain.summaries.false_sentences.moved_numbers import find_moved_number
from keepsake.domain.summaries.false_sentences.plans import find_unfinished
from keepsake.domain.summaries.false_sentences.reasons import find_invented_reason
from keepsake.domain.summaries.false_sentences.times import find_wrong_time
from keepsake.domain.text import has_forbidden_characters, words

_ENGLISH_SHARE = 0.2
"""The share of function words from which on texts are English."""
_UNITS = frozenset({"day", "days", "week", "weeks", "month", "months", "year", "years", "times"})
_LINK = re.compile(r"(?:https?://|www\.)\S+")
_FIRST = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]+(?=[ ,;])")
_KINDS: Sequence[PartOfSpeech] = ("NOUN", "VERB", "ADJ", "ADV")
_MIN_CONTENT = 4
"""Words that carry meaning from which on a sentence has to share one with what it cites."""


@dataclass(frozen=True)
class Evidence:
    """The numbered texts of a prompt, and what may be named without being cited: people, plans, the period before."""

    texts: Mapping[int, Citable]
    known: Sequence[str] = ()
    person: str = ""
    """The name of whoever said it."""
    is_shared: bool = False
    """Whether several people read the summary: then it has no sensitive topics."""
    others: Sequence[str] = ()
    """The texts of other people, whose words may not occur."""
    of_field: Mapping[str, Evidence] = field(default_factory=dict)
    """Where the fields of a reply are about different people, what each rests on."""

    def for_field(self, name: str) -> Evidence:
        """What a field of the reply rests on."""
        return self.of_field.get(name, self)

    def cited(self, numbers: Sequence[int]) -> tuple[Citable, ...]:
        """The texts of these numbers, each once; numbers that do not exist are left out."""
        return tuple(self.texts[number] for number in dict.fromkeys(numbers) if number in self.texts)

    def find_fault(self, sentence: str, numbers: Sequence[int]) -> str | None:
        """Why a sentence is not to be kept as it is, an error or a doubt, in words for the model; None where it is."""
        return self.find_error(sentence, numbers) or self._find_doubt(sentence, self.cited(numbers))

    def find_error(self, sentence: str, numbers: Sequence[int]) -> str | None:
        """Why a sentence may not be kept, whatever the model thinks of it; None where it may."""
        if not numbers:
            return "it cites nothing"
        unknown = [str(number) for number in numbers if number not in self.texts]
        if unknown:
            return f"there is no {' or '.join(unknown)} that it may cite"
        return self._screen(sentence) or self._find_unsupported(sentence, self.cited(numbers))

    def _screen(self, sentence: str) -> str | None:
        if has_forbidden_characters(sentence) or is_prompt_injection(sentence):
            return "it is an instruction"
        if find_known_secrets(sentence) or is_financial_amount(sentence):
            return "it has a secret or a sum of money"
        return "it is too private for others" if self.is_shared and is_sensitive_topic(sentence) else None

    def _find_unsupported(self, sentence: str, cited: Sequence[Citable]) -> str | None:
        if any(link not in one.text for link in _LINK.findall(sentence) for one in cited):
            return "it has a link that nobody gave"
        if any(stems(sentence) & stems(text) - self._own_stems for text in self.others):
            return "somebody else said that"
        grounds = self._grounds(sentence, cited)
        if missing := unsupported_dates(sentence, grounds):
            return f"the date {missing[0]} does not follow from what it cites"
        if missing := [one for one in self._unsupported_numbers(sentence, cited) if one[0].isdigit()]:
            return f"the number {missing[0]} is not in what it cites"
        missing = unsupported_names(sentence, grounds)
        return f"the name {missing[0]} is not in the texts" if missing else None

    def _unsupported_numbers(self, sentence: str, cited: Sequence[Citable]) -> list[str]:
        numbers = unsupported_numbers(sentence, self._grounds(sentence, cited))
        return [number for number in numbers if not _is_duration(number, sentence, cited)]

    def _grounds(self, sentence: str, cited: Sequence[Citable]) -> Grounds:
        of_same = [text for text in self.known if _names_in(text) & _names_in(sentence)]
        said = [part for one in cited for part in (Said(one.text, one.on), Said(one.when)) if part.text]
        said.append(Said(self.person))
        return Grounds([*said, *map(Said, of_same)], [*self.known, *self._all_texts], self._language)

    def _find_doubt(self, sentence: str, cited: Sequence[Citable]) -> str | None:
        said, own = stems(sentence), {part for one in cited for part in stems(f"{one.text} {one.when}")}
        if len(said) >= _MIN_CONTENT and not said & own:
            return "it says nothing of what it cites"
        first = _first_name(sentence) if self._is_english else []
        if missing := unsupported_names(sentence, self._grounds(sentence, cited), first):
            return f"the name {missing[0]} is not in the texts"
        if counted := self._unsupported_numbers(sentence, cited):  # "the two of them" may count what is named
            return f"the number {counted[0]} is not in what it cites"
        messages = [self._spelled(one) for one in cited if one.kind == "said"]
        return self._find_misread(sentence, messages) if self._is_english else None

    def _spelled(self, message: Citable) -> Citable:
        return replace(message, text=spell_out(message.text, self._names)) if self._is_english else message

    def _find_misread(self, sentence: str, said: Sequence[Citable]) -> str | None:
        """What an English sentence says of another thing, person or time than its messages, or for another reason."""
        texts = [one.text for one in said]
        if fault := find_contradiction(sentence, texts):
            return fault
        if names_other_actor(sentence, texts, self.person, self._names):
            return "its text says it of somebody else"
        if verb := find_unfinished(sentence, said, self._all_texts, self._names):
            return f"its text tells as a plan what “{verb}” tells as done"
        if fault := find_denial(sentence, texts, self._names):
            return fault
        if fault := self._find_wrong_figure(sentence, said):
            return fault
        reason = find_invented_reason(sentence, texts)
        return f"its text does not give “{reason}” as a reason" if reason else None

    def _find_wrong_figure(self, sentence: str, said: Sequence[Citable]) -> str | None:
        if number := find_moved_number(sentence, [one.text for one in said], self._names):
            return f"the number {number} is of something else"
        when = find_wrong_time(sentence, said, self._names)
        return f"its text says nothing of {when}" if when else None

    @cached_property
    def _names(self) -> frozenset[str]:
        found = {*proper_names([*self.known, *self._all_texts]), *words(self.person)} - STOPWORDS
        return frozenset(found) | (find_subjects(self._all_texts) if self._is_english else frozenset())

    @cached_property
    def _is_english(self) -> bool:
        said = [word for one in self.texts.values() for word in words(one.text)]
        return sum(word in STOPWORDS for word in said) > _ENGLISH_SHARE * len(said)

    @cached_property
    def _language(self) -> str:
        """The language of the texts; empty for one that nobody knows."""
        return ENGLISH if self._is_english else guess_language(" ".join(one.text for one in self.texts.values()))

    @cached_property
    def _own_stems(self) -> frozenset[str]:
        return frozenset(part for text in (*self.known, *self._all_texts) for part in stems(text))

    @cached_property
    def _all_texts(self) -> list[str]:
        return [part for one in self.texts.values() for part in (one.text, one.when) if part]


def _first_name(sentence: str) -> list[str]:
    """The first word, where it is written as a name and is no word of the language."""
    match = _FIRST.match(sentence)
    if match is None or match[0].lower() in STOPWORDS | load_words("function_words", __package__) | COUNTS.keys():
        return []
    if is_negation(match[0].lower()):
        return []
    return [] if any(known_lemmas(match[0].lower(), kind) for kind in _KINDS) else [match[0]]


def _is_duration(number: str, sentence: str, cited: Sequence[Citable]) -> bool:
    """Whether a number counts the time between two texts, as "after two days"."""
    following = sentence.casefold().partition(number)[2].split()[:1]
    return len(cited) > 1 and bool(following) and following[0].rstrip(".,;") in _UNITS


def _names_in(text: str) -> frozenset[str]:
    return frozenset(word for part in text.split()[1:] if part[:1].isupper() for word in words(part))
