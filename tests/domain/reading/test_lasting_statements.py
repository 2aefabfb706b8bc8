"""Statements that no rule knows: those that last are remembered, those of the moment are not."""

from __future__ import annotations

import pytest

from keepsake.domain.english.grammar.verb_phrase import Subject, Tense, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import CLASSES
from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.statements.extract import extract
from tests.support.shares import wrong_share

ASKED_FOR_PHRASES = {
    "arriving_by_itself", "ending_by_itself", "ending_verbs", "fleeting_activities", "fleeting_verbs",
    "hours_without_verb", "lasting_to_author", "lasting_with_particle", "moments", "ongoing_verbs", "passing_verbs",
    "turning_verbs",
}  # fmt: skip


LASTING = {
    "I take sertraline in the mornings, can I have grapefruit?": ["Takes sertraline in the mornings"],
    "my hubby drives a tram": ["Husband drives a tram"],
    "at home we speak tagalog": ["Speaks tagalog at home"],
    "temping at an insurer at last": ["Is temping at an insurer at last"],
    "I'm breastfeeding": ["Is breastfeeding"],
    "I'm in a wheelchair so no stairs": ["Is in a wheelchair"],
    "I'm six weeks post op": ["Is six weeks post op"],
    "phd in medieval latin, any jobs?": ["Is doing phd in medieval latin"],
    "the firm posted me to Lagos": ["The firm posted them to Lagos"],
    "they fired me last week": ["Was fired last week"],
    "been at Siemens eleven years now": ["Has been at Siemens eleven years now"],
    "got rid of the gym membership, any tips?": ["Got rid of the gym membership"],
    "on keto till further notice": ["Is on keto till further notice"],
    "still want to study medicine": ["Still wants to study medicine"],
    "they approved my transfer last week": ["They approved their transfer last week"],
    "swimming twice a week": ["Does swimming twice a week"],
    "our neighbour, Bill, just bought a boat": ["Neighbour, Bill, just bought a boat"],
    "dance classes every Tuesday": ["Has dance classes every Tuesday"],
    "I'm goalkeeper for the Rovers": ["Is goalkeeper for the Rovers"],
    "off dairy since june, what cheese is ok": ["Is off dairy since june"],
    "my piano teacher is Mrs Halloran": ["Piano teacher is Mrs Halloran"],
    "my office is in Croydon": ["Office is in Croydon"],
    "my toddler cannot have eggs": ["Toddler cannot have eggs"],
    "I see a physio on Tuesdays": ["Sees a physio on Tuesdays"],
    "Ottilie lives with us": ["Ottilie lives with them"],
    "officially retired!": ["Is officially retired"],
    "my boy's autistic and loves trains": ["Boy is autistic", "Boy loves trains"],
    # without a verb or a subject
    "Hello! third year civil engineering": ["Is third year civil engineering"],
    "five weeks off the cigarettes": ["Is five weeks off the cigarettes"],
    "9 yrs in catering": ["Has been 9 years in catering"],
    "oboe on mondays with Mr Tull": ["Has oboe on mondays with Mr Tull"],
    "cycling to Ghent with friends in june": ["Is cycling to Ghent with friends in june"],
    # somebody close did it to the author, or has it
    "me gran brought me up": ["Gran brought them up"],
    "I get paid weekly": ["Gets paid weekly"],
    # what somebody never does
    "I won't touch seafood": ["Will not touch seafood"],
    "My boy won't touch fish": ["Boy will not touch fish"],
    "my dad doesn't drive": ["Dad does not drive"],
}
"""Messages, and what is remembered of each where the classifier takes it for a fact."""
OF_THE_MOMENT = [
    "my flight got delayed", "I broke my phone screen", "i left my keys in the car", "I passed the salt",
    "I finished level 40", "i started the dishwasher", "I closed the tab", "i died laughing", "just woke up",
    "my kids are screaming", "I got a B on the essay", "my laptop is at 3%",
    "my neighbours friend got divorced", "I like cilantro, I think", "I'm a millionaire. Just kidding!",
    "do you think I should sell my car", "if I lived in Turin I would cycle", "what if we adopted a dog",
    "I have two arrays", "I want to buy it", "im so bored rn", "my friend says I am a narcissist",
    "I'm in a meeting", "I'm on the second step", "I'm off to bed", "my boss is fuming", "the person I am today",
    "I told him I'm allergic to cats", "if I'm late", "I see a problem",
    "the neighbour's cat got run over", "using the internet please compare both", "i will rollover my 401k",
    "2 weeks off work", "third year in a row that it rained", "two years in advance is fine", "lunch on fridays",
    "my sister took me on a walk", "my mum gave me a lift", "meeting on tuesdays at 9", "I sleep again",
    "looking for a hotel next weekend", "second thoughts, make it blue", "first year of the war",
    "Dogs need to be walked twice a day",
    "breastfeeding, any tips?", "Anna plays chess on Thursdays", "Anna teaches on Thursdays",
    "the shop closes on Mondays", "the printer won't swallow the paper",
]  # fmt: skip
MAX_WRONG = 0.1
"""Of sentences that were chosen because they are hard to tell apart."""


def _read(message: str) -> list[str]:
    return [found.text for found in extract(message)]


def test_extract__remembers_what_lasts() -> None:
    share, wrong = wrong_share({said: _read(said) == expected for said, expected in LASTING.items()})
    assert share <= MAX_WRONG, wrong


@pytest.mark.parametrize("said, expected", LASTING.items())
def test_extract__writes_it_in_the_third_person(said: str, expected: list[str]) -> None:
    assert _read(said) in ([], expected)


def test_extract__leaves_the_moment_and_what_is_not_stated() -> None:
    share, wrong = wrong_share({said: not _read(said) for said in OF_THE_MOMENT})
    assert share <= MAX_WRONG, wrong


@pytest.mark.parametrize(
    "words, subject, tense, verb",
    [
        ("I have been picking up some Norwegian", Subject.AUTHOR, Tense.PROGRESSIVE, "pick"),
        ("my wife was born in Oslo", Subject.CLOSE, Tense.PAST, "bear"),
        ("my running shoes broke", Subject.OWN, Tense.PAST, "break"),
        ("they will send it", Subject.OTHER, Tense.FUTURE, "send"),
        ("I do not eat pork", Subject.AUTHOR, Tense.PRESENT, "eat"),
        ("we are going to move to Porto", Subject.AUTHOR, Tense.FUTURE, "move"),
        ("I used to smoke", Subject.AUTHOR, Tense.USED_TO, "smoke"),
        ("my sister Imani has a boat", Subject.CLOSE, Tense.PRESENT, "have"),
    ],
)
def test_read_verb_phrase__finds_subject_tense_and_verb(words: str, subject: Subject, tense: Tense, verb: str) -> None:
    phrase = read_verb_phrase(words)
    assert phrase is not None
    assert (phrase.subject, phrase.tense, phrase.verb) == (subject, tense, verb)


def test_extract__types_what_it_reads() -> None:
    types = {
        said: found.type
        for said in ("I play the cello", "my mum runs a bakery", "I want to learn Dutch", "I joined the choir")
        for found in extract(said)
    }
    assert list(types.values()) == [MemoryType.PATTERN, MemoryType.RELATIONSHIP, MemoryType.GOAL, MemoryType.FACT]


def test_classes__phrases_are_only_where_they_are_asked_for() -> None:
    """Elsewhere single words are looked up, so that an entry of two words would never be found."""
    assert {name for name, entries in CLASSES.items() if any(" " in entry for entry in entries)} <= ASKED_FOR_PHRASES
