"""What the people of the benchmarks say and are remembered for: made from a few patterns and lists of words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

_WORDS = {
    "food": "ramen sushi pizza curry pasta dumplings falafel lasagne paella goulash tacos pancakes risotto couscous"
    " gnocchi brownies lentils tofu salmon oysters",
    "thing": "bicycle guitar camera sailboat telescope piano greenhouse motorbike sewing-machine bookshelf tent kayak"
    " record-player espresso-machine laptop easel skateboard canoe hammock violin",
    "act": "running swimming climbing knitting painting baking gardening fishing dancing reading cycling chess yoga"
    " hiking archery pottery photography singing surfing bouldering",
    "place": "Lisbon Austin Graz Kyoto Oslo Toronto Valencia Nairobi Melbourne Porto Leeds Tallinn Ghent Bologna Cusco"
    " Hanoi Seville Bergen Quebec Dakar",
    "who": "sister brother mother father daughter son partner boss neighbour aunt cousin colleague grandmother uncle"
    " flatmate teacher coach dentist landlord friend",
    "name": "Anna Ben Clara David Emma Felix Greta Hugo Ida Jonas Karla Leo Mia Noah Olga Paul Rosa Sam Tina Uma",
    "when": "spring summer autumn winter Monday Friday January March June August Christmas Easter",
    "job": "nurse carpenter pilot librarian chemist baker plumber editor farmer architect translator paramedic",
    "feel": "tired hopeful anxious proud lonely calm excited overwhelmed grateful restless",
}
PARTS = {part: words.split() for part, words in _WORDS.items()}
"""The words that may stand in each place of a pattern."""
_SENTENCES: Sequence[tuple[str, str, str]] = (
    ("fact", "preference", "Favorite {food} is the one from {place}"),
    ("fact", "preference", "Likes {food} with friends on {when} evenings"),
    ("fact", "preference", "Prefers {act} to {act} on weekends"),
    ("fact", "possession", "Owns a {thing} bought in {place}"),
    ("fact", "identity", "Lived in {place} before moving in {when}"),
    ("fact", "event", "Went {act} near {place} last {when}"),
    ("fact", "habit", "Goes {act} every {when} morning"),
    ("fact", "other", "Allergic to {food} since childhood"),
    ("relationship", "relationship", "Has a {who} named {name} who works as a {job} in {place}"),
    ("relationship", "relationship", "Visits {who} {name} in {place} every {when}"),
    ("relationship", "relationship", "Met {name} while {act} in {place}"),
    ("goal", "other", "Wants to take up {act} next {when}"),
    ("goal", "other", "Plans to buy a {thing} before {when}"),
    ("pattern", "habit", "Tends to go {act} when {feel}"),
    ("emotion", "feeling", "Feels {feel} about the move to {place}"),
)
MESSAGES: Sequence[str] = (
    "What should I cook tonight? Maybe something like that ramen, or lentils again.",
    "My sister Anna is coming over in March, any ideas what we could do together?",
    "I am thinking about taking the guitar with me to Lisbon.",
    "Do you think I should go climbing on Friday even though I feel tired?",
    "Can you help me plan the week? There is a lot of work, and the dentist on Monday.",
    "hey, how are you doing today",
    "I finally bought the kayak! Where shall I take it first?",
    "What was the name of the colleague who works as an architect in Oslo again?",
    "Could you explain the difference between a mortgage and a loan in simple terms?",
    "The greenhouse is nearly finished, and I would love to grow something for Easter.",
)
"""What is asked, one after another: some share words with a hundred memories, some with none."""
STATEMENTS: Sequence[str] = (
    "My favorite {food} place is in {place}, and I like {food}.",
    "I live in {place}.",
    "I want to take up {act} next {when}.",
    "My {who} {name} works as a {job}.",
    "I like {food}.",
    "I feel {feel} today.",
    "I am allergic to {food}.",
    "What is the weather like in {place}?",
    "Thanks, that helps a lot!",
    "I have a {thing} that I bought in {place}.",
)
"""What people tell about themselves, and two turns with nothing in them."""


def sentences(dice: random.Random) -> Iterator[tuple[str, str, str]]:
    """Type, subtype and text of one statement after another."""
    while True:
        kind, subtype, pattern = dice.choice(_SENTENCES)
        yield kind, subtype, filled(pattern, dice)


def filled(pattern: str, dice: random.Random) -> str:
    """The pattern with a word in each place."""
    for part, words in PARTS.items():
        while "{" + part + "}" in pattern:
            pattern = pattern.replace("{" + part + "}", dice.choice(words), 1)
    return pattern
