"""What a sentence of a summary says otherwise than its messages is refused, and the same in other words is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.evidence import Evidence

NAMES = ["Ada", "Rafa", "Bela", "Ines"]

PLANS = (
    "thinking about a welding certificate, haven't signed up",
    "Ines offered to paint the fence",
    "I want to swim the river race in July but my shoulder hurts",
    "They asked me to run the night shift. Said no",
    "I might sell the van",
    "Sold the boat yesterday, finally",
    "The plumber can come on Friday",
    "We were meant to spend June in Porto",
)
DENIALS = (
    "I gave up coffee in spring. Rafa can't have nuts",
    "Bela hates thunder, so we stayed in",
    "I'm not telling Rafa about the surprise party",
    "Ines sings in the gospel choir and I envy her",
    "Said the kids get no dog before the move",
    "My new boss drives me up the wall, I hate the meetings",
    "Rafa said no to the 900 for a new stove. Bela really likes the old one, no smoke at all",
)
REASONS = (
    "The boiler broke again, so the kids slept at their aunt's. Ines found a cracked valve",
    "I turned the promotion down. Three hours on the road every day is not for me",
    "My knee is swollen after the hike",
    "No football until March, says the doctor",
    "sold the car today. it rained so i made soup. bela took the bike",
    "Ines moved out of the flat. I took the chairs so i could paint the hall",
)
HURRIED = (
    "bela drove rafas van to no 4, im on foot",
    "washing machine broke mid cycle. bela says we should get a used one",
    "can run w the club from saturday. no cake left, it was good",
    "exam is the 21st, bela and me signed up in january",
    "17 people came to the choir, rafa said 60 for the bus there was too much",
    "Bela is ill since saturday. Bela had a bad fall",
    "bela is back, 2 weeks at her aunts and 3 boxes, five kids with her",
    "bela will fly to denver, the fair, 20th to the 25th",
)
"""As people write in a hurry: no capital letters, no apostrophes."""
TIMES = {
    1: "My cousin Ines fixed the boiler. She works every Tuesday at the depot in Vigo",
    3: "The choir rehearsal went well, starts at 19:30 from now on",
    4: "Signed up for the pottery course tomorrow, it ends on the 26th",
    6: "Ines visited us yesterday and repaired the old lamp. We plan a hike next spring",
}
"""With the day in February 2027 on which each was said."""

ROWS: Sequence[tuple[str, Sequence[int], str | None, str]] = [
    ("plans", [1], None, "Ada thought about a welding certificate."),
    ("plans", [2], None, "Ines offered to paint the fence."),
    ("plans", [3], None, "Ada hoped to swim the river race in July."),
    ("plans", [4], None, "They asked Ada to run the night shift, and she said no."),
    ("plans", [5, 6], None, "Ada sold the boat."),
    ("plans", [7], None, "A visit from the plumber is due on Friday."),
    ("plans", [1], "as a plan", "Ada finished the welding certificate."),
    ("plans", [2], "as a plan", "Ines painted the fence."),
    ("plans", [3], "as a plan", "Ada swam the river race."),
    ("plans", [5, 6], "as a plan", "Ada sold the van."),
    ("plans", [8], "as a plan", "The family spent June in Porto."),
    ("plans", [7], "as a plan", "The plumber came on Friday."),
    ("denials", [1], None, "Ada quit coffee in spring."),
    ("denials", [1], None, "Rafa has to do without nuts."),
    ("denials", [2], None, "Bela fears thunder."),
    ("denials", [4], None, "Ines sings in a gospel choir."),
    ("denials", [5], None, "A dog has to wait until the move."),
    ("denials", [6], None, "The meetings annoy Ada."),
    ("denials", [7], None, "Rafa refused to pay £900 for a new stove."),
    ("denials", [7], "says yes", "Rafa agreed to £900 for a new stove."),
    ("denials", [7], "denies", "Bela does not like the old one."),
    ("denials", [1], "denies", "Ada still drinks coffee."),
    ("denials", [2], "denies", "Bela loves thunder."),
    ("denials", [3], "denies", "Ada told Rafa about the surprise party."),
    ("denials", [4], "denies", "Ines does not sing in the gospel choir."),
    ("denials", [6], "denies", "Ada enjoys the meetings."),
    ("reasons", [1], None, "The kids slept at their aunt's because the boiler broke."),
    ("reasons", [1], None, "The boiler broke because of a cracked valve."),
    ("reasons", [2], None, "Ada turned the promotion down because she would spend three hours on the road."),
    ("reasons", [3, 4], "as a reason", "The doctor allows no football until March because Ada's knee is swollen."),
    ("reasons", [1, 2], None, "Ada turned the promotion down, and the boiler broke."),
    ("reasons", [5], None, "Ada made soup because it rained."),
    ("reasons", [5], None, "Ada sold the car because there was a bike."),
    ("reasons", [6], None, "Ada took the chairs so that the walls could be done."),
    ("reasons", [5], "as a reason", "Because Bela took the bike, Ada sold the car."),
    ("reasons", [6], "as a reason", "Ines moved out of the flat because Ada could paint the hall."),
    ("reasons", [1], "denies something", "The boiler broke because nobody had serviced it."),
    ("reasons", [1], "as a reason", "The boiler broke because it was old and leaked."),
    ("reasons", [1], "as a reason", "The boiler broke due to the frost."),
    ("reasons", [2], "as a reason", "Ada turned the promotion down so that she can study."),
    ("reasons", [2, 3], "as a reason", "Ada turned the promotion down because her knee hurts."),
    ("hurried", [1], None, "Bela drove Rafa's van to number 4."),
    ("hurried", [2], None, "The washing machine gave out in the middle of a cycle."),
    ("hurried", [3], None, "The club cleared her for runs, and friends left no cake over."),
    ("hurried", [4], None, "Ada and Bela signed up in January for the exam on 21 February."),
    ("hurried", [5], None, "Seventeen people came to the choir."),
    ("hurried", [2], "somebody else", "Rafa says that they should get a used machine."),
    ("hurried", [6], None, "Bela, ill since Saturday, has had a bad fall."),
    ("hurried", [7], None, "Bela was away for 2 weeks and came home with 3 boxes."),
    ("hurried", [7], "the number 2", "Bela was away for 2 days."),
    ("hurried", [7], "the number 3", "Bela had 3 children with her."),
    ("hurried", [7], "denies something", "Bela brought nothing home."),
    ("hurried", [8], "as a plan", "Bela flew to Denver for the fair."),
    ("hurried", [5], "the number 60", "Sixty people came to the choir."),
    ("hurried", [5], "the number 17", "Rafa said that £17 for the bus was too much."),
    ("hurried", [1], "somebody else", "Ada drove Rafa's van to number 4."),
    ("times", [1, 2], None, "On Monday Ines fixed the boiler."),
    ("times", [1, 2], None, "Ines works at the depot on Tuesdays."),
    ("times", [2, 3], None, "The choir rehearsal on Wednesday went well."),
    ("times", [2], None, "The choir rehearsal starts at 7:30."),
    ("times", [3], None, "The pottery course is on Friday, and it ends on 26 February."),
    ("times", [3, 4], None, "On Friday Ines came to see them and repaired the old lamp."),
    ("times", [4], None, "On Saturday Ada told of a hike planned for next spring."),
    ("times", [1, 2], None, "She had a quiet evening on Thursday."),
    ("times", [1, 2], "Wednesday", "On Wednesday Ines fixed the boiler."),
    ("times", [1], "Thursdays", "Thursdays are for the depot in Vigo."),
    ("times", [1, 3], "Thursday", "Ines works at the depot on Thursdays."),
    ("times", [2, 3], "4 February", "The choir rehearsal on 4 February went well."),
    ("times", [2], "8", "The choir rehearsal starts at 8."),
    ("times", [1, 4], "Monday", "Ines repaired the old lamp on Monday."),
    ("times", [4], "autumn", "A hike is planned for next autumn."),
]
"""A group of texts, the numbers of those that are cited, a part of the fault if it is one, and the sentence."""


def _said_on(day: int, text: str) -> Citable:
    return Citable(text, day=f"{date(2027, 2, day):%A} {day} February 2027", on=date(2027, 2, day))


TEXTS: Mapping[str, Sequence[Citable]] = {
    "plans": [Citable(text) for text in PLANS],
    "denials": [Citable(text) for text in DENIALS],
    "reasons": [Citable(text) for text in REASONS],
    "hurried": [_said_on(1, text) for text in HURRIED],
    "times": [_said_on(day, text) for day, text in TIMES.items()],
}


@pytest.mark.parametrize("group, numbers, fault, sentence", ROWS)
def test_a_sentence__is_refused_where_its_messages_say_otherwise(
    group: str, numbers: Sequence[int], fault: str | None, sentence: str
) -> None:
    found = Evidence(dict(enumerate(TEXTS[group], 1)), NAMES, "Ada").find_fault(sentence, numbers)
    assert found is None if fault is None else fault in (found or "")


def test_a_text_without_a_day__gives_any() -> None:
    assert Evidence({1: Citable("Ines fixed the boiler for us")}).find_fault("On Monday Ines fixed it.", [1]) is None
