"""Dialogues and what is remembered after them: what a person says over days, and the memories that are then active."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FIRST = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""A Saturday."""


@dataclass(frozen=True)
class Dialogue:
    """What is said, a day apart unless ``days`` says when, and what is active at the end."""

    says: tuple[str, ...]
    active: frozenset[str]
    days: tuple[int, ...] = ()

    def turns(self) -> list[tuple[str, datetime]]:
        """Each message with the time it was said, in the order of arrival."""
        days = self.days or tuple(range(len(self.says)))
        return [(text, FIRST + timedelta(days=day)) for text, day in zip(self.says, days, strict=True)]

    def __str__(self) -> str:
        return " | ".join(self.says)


def _d(*says: str, active: tuple[str, ...] | str = (), days: tuple[int, ...] = ()) -> Dialogue:
    return Dialogue(says, frozenset([active] if isinstance(active, str) else active), days)


PARAPHRASE = (
    _d("I love ramen", "ramen is my favourite", "I'm really into ramen", active="Loves ramen"),
    _d("I adore ramen", "ramen is my favourite food", "I love ramen",
       active=("Adores ramen", "Favorite food is ramen")),
    _d("ramen is my favourite food. I love ramen!", active="Favorite food is ramen"),
    _d("My favorite color is blue", "I love the color blue", active="Favorite color is blue"),
    _d("I like climbing", "I'm into climbing", active="Likes climbing"),
    _d("I work for Acme", "I'm employed at Acme", active="Works for Acme"),
    _d("I'm a teacher", "I work as a teacher", active="Is a teacher"),
    _d("I have a dog named Rex", "my dog's name is Rex", "my dog is called rex", active="Has a dog named Rex"),
    _d("I'm allergic to nuts", "I have a nut allergy", active="Allergic to nuts"),
    _d("I hate onions", "I can't stand onions", active="Hates onions"),
    _d("I'm from Lisbon", "my hometown is Lisbon", active="Is from Lisbon"),
)  # fmt: skip

DEATHS = (
    _d("my dad has dementia", "my dad's name is Ron", "dad died last night",
       active=("Dad is named Ron", "Dad died on Sunday 22 November 2026 (night)")),
    _d("I'm married to Steve", "Steve died last week", active="Steve died in the week of 9 November 2026"),
    _d("my brother Tom lives in York", "my sister is a nurse", "my brother Tom passed away",
       active=("Sister is a nurse", "Brother Tom passed away")),
)  # fmt: skip

SLOTS = (
    _d("My favourite food is ramen", "My favourite food is lasagne", active="Favorite food is lasagne"),
    _d("I live in Austin", "I moved to Lisbon", active="Lives in Lisbon"),
    _d("I work at Acme", "I work at Globex now", active="Works at Globex"),
    _d("My boss is called Ralf", "My new boss is called Ingrid", active="New boss is named Ingrid"),
    _d("I like hiking", "I like chess", "I like pottery", active=("Likes hiking", "Likes chess", "Likes pottery")),
    _d("I have a cat named Tib", "I have a cat named Moo", active=("Has a cat named Tib", "Has a cat named Moo")),
    _d("My sister lives in Oslo", "I live in Bergen", active=("Sister lives in Oslo", "Lives in Bergen")),
    _d(
        "I'm a carpenter at Holt Joinery",
        "I work at Finch Windows now",
        active=("Is a carpenter", "Works at Finch Windows"),
    ),
    _d(
        "I'm a potter at heart",
        "I work at Finch Windows now",
        active=("Is a potter at heart", "Works at Finch Windows"),
    ),
    _d("I'm a sophomore in Porto", "I'm not a sophomore", active="Is not a sophomore"),
    _d("my son leo is 4", "my son Leo is 5 now", active="Son Leo is 5 years old"),
    _d("My favourite food is pho", "I like tacos", active=("Favorite food is pho", "Likes tacos")),
    _d("My favourite food is pho", "I hate pho", active="Hates pho"),
    _d("I hate pho", "pho is my favourite food", active="Favorite food is pho"),
)

TIME = (
    _d("I used to live in Austin, now Lisbon", active=("Used to live in Austin", "Lives in Lisbon")),
    _d("I live in Austin", "I used to live in Austin, now Lisbon",
       active=("Used to live in Austin", "Lives in Lisbon")),
    _d("I'm a bartender", "I'm not a bartender any more, I'm a paramedic now",
       active=("No longer a bartender", "Is a paramedic")),
    _d("I'm a student", "I've graduated", active="Has graduated"),
    _d("My exam is next Friday", active="Exam is on Friday 27 November 2026"),
    _d("My exam is next Friday", "My exam is on Friday", active="Exam is on Friday 27 November 2026"),
    _d("My exam is next Saturday", active="Exam is on Saturday 28 November 2026"),
    _d("I'm getting married tomorrow", active="Is getting married on Sunday 22 November 2026"),
    _d("I go swimming on Fridays", active="Goes swimming on Fridays"),
)  # fmt: skip

TAKEN_BACK = (
    _d("I eat meat", "I stopped eating meat", active="Stopped eating meat"),
    _d("I'm vegetarian", "I'm no longer vegetarian", active="No longer vegetarian"),
    _d("I hate olives", "I love olives now, weird how that happens", active="Loves olives"),
    _d("I love pizza", "I don't love pizza anymore", active="Does not love pizza anymore"),
    _d("my girlfriend is Anna", "we broke up", active="Broke up"),
    _d("my boyfriend leo lives in Rome", "Leo and I broke up", active="Broke up with Leo"),
    _d("my boyfriend Leo lives in Rome", "Ben and I broke up",
       active=("Boyfriend Leo lives in Rome", "Broke up with Ben")),
    _d("I have a parrot called Kiwi", "Kiwi died", active="Kiwi died"),
    _d("Bowie died"),
    _d("I go to the gym every morning", "I gave up on the gym", active="Gave up on the gym"),
    _d("I'm vegan", "I'm no longer vegan", "I'm vegan again", active="Is vegan"),
    _d("I smoke", "I quit smoking", active="Quit smoking"),
    _d("I play the drums", "I don't play the drums when the baby naps",
       active=("Plays the drums", "Does not play the drums when the baby naps")),
    _d("I live in Ghent", "actually its Namur", active="Lives in Namur"),
    _d("I'm allergic to walnuts which is fun in a bakery", "I quit the bakery",
       active=("Allergic to walnuts", "Quit the bakery")),
)  # fmt: skip

TWO_DEVICES = (
    _d("I live in Ghent", "I live in Namur", active="Lives in Ghent", days=(9, 2)),
    _d("I don't like mushrooms any more", "I like mushrooms", active="Does not like mushrooms anymore", days=(9, 2)),
    _d("my favourite food is pho", "I hate pho", active="Favorite food is pho", days=(9, 2)),
    _d("I'm no longer vegetarian", "I'm vegetarian", active="No longer vegetarian", days=(9, 2)),
)

OF_OTHERS = (
    _d("I have a dog named Basil.", "My childhood dog died in my arms.",
       active=("Has a dog named Basil", "Childhood dog died in their arms")),
    _d("My cat is called Mia.", "My other cat died.", active=("Cat is named Mia", "Other cat died")),
    _d("My husband is called Luc.", "Luc moved out in March.",
       active=("Husband is named Luc", "Luc moved out in March")),
    _d("I'm dating Chris.", "Chris dumped me.", active="Chris dumped them"),
    _d("My brother, who lives in Rome, is a chef", active=("Brother lives in Rome", "Brother is a chef")),
    _d("I'm separated, not divorced", active="Is separated"),
    _d("I'm married", "I'm not married, I'm divorced", active="Is divorced"),
    _d("Ich rauche", "Ich rauche nicht mehr", active="Raucht nicht"),
    _d("Ich bin vegan", "Ich bin nicht mehr vegan", active="Nicht mehr vegan"),
    _d("My name is Jon", "my name isn't Jon, it's John", active="Name is John"),
)  # fmt: skip

ALL = (*PARAPHRASE, *DEATHS, *SLOTS, *TIME, *TAKEN_BACK, *TWO_DEVICES, *OF_OTHERS)
