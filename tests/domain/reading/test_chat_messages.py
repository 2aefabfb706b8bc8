"""Messages as people type them in chats: what is read, whose words it rests on, and what is left alone."""

from __future__ import annotations

import pytest

from keepsake.domain.reading import read
from keepsake.domain.reading.clauses import normalize_clause
from keepsake.domain.reading.message.normalize_message import normalize_message
from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW


def texts(message: str, *previous: str) -> list[str]:
    """What is found in a message; ``previous`` are the messages before it, oldest first, "A: " for the assistant."""
    before = [
        PreviousMessage("assistant" if said.startswith("A: ") else "user", said.removeprefix("A: "))
        for said in reversed(previous)
    ]
    return [found.text for found in read(message, previous=before, said_at=NOW).candidates if found.text]


@pytest.mark.parametrize(
    "said, expected",
    [
        # spellings and apostrophes
        ("me n my gf live in cork", ["Lives in Cork"]),
        ("my boyfriends name is Tobi", ["Boyfriend is named Tobi"]),
        ("my wife's a surgeon", ["Wife is a surgeon"]),
        ("my boyfriends allergic to cats", ["Boyfriend is allergic to cats"]),
        ("i dont eat pork n im from lagos", ["Does not eat pork", "Is from Lagos"]),
        ("vegan here", ["Is vegan"]),
        ("night owl here, what should i do", ["Is a night owl"]),
        ("big arsenal fan over here COYG", ["Is a big arsenal fan"]),
        ("started my new job monday", ["Started their new job monday"]),
        ("lost my job", ["Lost their job"]),
        ("been vegan for 3 yrs", ["Is vegan"]),
        ("no kids", ["Has no kids"]),
        (
            "I prefer short answers, no bullet points",
            ["Prefers short answers", "Prefers answers without bullet points"],
        ),
        ("I got a job as a nurse at Lakeside", ["Is a nurse", "Works at Lakeside"]),
        ("Writing has become an escape for me", []),
        ("no gluten, no dairy", ["No gluten, no dairy"]),
        ("born and raised in chennai, now in melbourne since 2016", ["Was born and raised in Chennai",
                                                                      "Lives in Melbourne"]),
        # a question or request beside the statement
        ("we're vegetarian, can u suggest dinner?", ["Is vegetarian"]),
        ("I'm more of a morning person so schedule the hard stuff early", ["Is more of a morning person"]),
        # statements inside clauses
        ("As someone with ADHD, how do i focus?", ["Has ADHD"]),
        ("As a vegan, what protein should I eat?", ["Is vegan"]),
        ("can my dog Rex eat grapes?", ["Has a dog named Rex"]),
        ("I'm vegan except for honey", ["Is vegan except for honey"]),
        # names and quotations
        ("my pronouns are he/they fyi", ["Pronouns are he/they"]),
        ("starting at Tesco head office on 7 december", ["Is starting at Tesco head office on 7 december"]),
        ("also got a second dog, Otis", ["Has a dog named Otis"]),
        ("I live in Graz not Linz", ["Lives in Graz"]),
        ("my gran is 89 and lives with us", ["Gran is 89 years old", "Gran lives with them"]),
        ("my son Noah is 4 not 3", ["Son Noah is 4 years old"]),
        ("I'm Daniel", ["Name is Daniel"]),
        ("I LOVE pizza", ["Loves pizza"]),
    ],
)  # fmt: skip
def test_extract__reads_what_people_type(said: str, expected: list[str]) -> None:
    assert texts(said) == expected


@pytest.mark.parametrize(
    "said",
    [
        'she said "I love hiking in the alps"',
        "LOVE waiting three hours",
        "sure, because i LOVE waiting 3 hours on hold \U0001f644",
        "oh yeah i just LOVE getting up at 5am",
        "As a treat, what should I eat?",
        "anyone here",
        "new here, hi",
        "lost my keys",
        "i'm the only one who lives near her",
        "she loves orchids",
        "im bored",
    ],
)
def test_extract__leaves_alone_what_only_looks_like_it(said: str) -> None:
    assert texts(said) == []


@pytest.mark.parametrize(
    "question, answer, expected",
    [
        ("Do you have any allergies?", "yeah peanuts", ["Allergic to peanuts"]),
        ("Sure! Do you have any food allergies?", "peanuts", ["Allergic to peanuts"]),
        ("Do you have any allergies?", "no", []),
        ("Do you have any allergies?", "yes", []),
        ("Do you have any allergies?", "why do you ask", []),
        ("What is your name?", "dan", ["Name is Dan"]),
        ("How old are you?", "34", ["Is 34 years old"]),
        ("How old are you?", "old enough", []),
        ("Where do you live?", "leeds atm", ["Lives in Leeds"]),
        ("What do you do for a living?", "plumber", ["Is a plumber"]),
        ("Are you vegetarian?", "yep", ["Is vegetarian"]),
        ("Do you have any pets?", "yes, two cats", ["Has two cats"]),
        ("What's your favourite colour?", "teal", ["Favorite colour is teal"]),
        ("As a teacher you must be tired!", "haha yes", []),
        ("What is the capital of France?", "paris", []),
    ],
)
def test_extract__takes_the_subject_of_an_answer_from_the_question(
    question: str, answer: str, expected: list[str]
) -> None:
    assert texts(answer, f"A: {question}") == expected


@pytest.mark.parametrize(
    "before, said, expected",
    [
        (["my mum's birthday is coming up"], "she loves orchids", ["Mum loves orchids"]),
        (["what should i get my wife for christmas"], "she loves gardening", ["Wife loves gardening"]),
        (["my mum and my sister are here"], "she loves orchids", []),
        (["my dad is here"], "she loves orchids", []),
        (["My brother called."], "He is 45.", ["Brother is 45 years old"]),
        (["let's pretend you are a king"], "I live in the castle", []),
        (["imagine you're a pirate and i'm your parrot", "A: Arr!"], "i live on the ship and i love rum", []),
        (["let's pretend you are a king"], "ok back to reality, I live in Leeds", ["Lives in Leeds"]),
        (["let's pretend you are a king", "ok stop the game"], "I live in Leeds", ["Lives in Leeds"]),
    ],
)
def test_extract__reads_a_message_together_with_those_before(before: list[str], said: str, expected: list[str]) -> None:
    assert texts(said, *before) == expected


@pytest.mark.parametrize(
    "said, quotes",
    [
        ("ok so me n my gf just moved to leeds", ["me n my gf just moved to leeds"]),
        ("idk, my boyfriends name is Tobi lol", ["my boyfriends name is Tobi"]),
    ],
)
def test_extract__quotes_the_words_of_the_message(said: str, quotes: list[str]) -> None:
    found = [candidate.quote for candidate in extract(said)]
    assert found == quotes
    assert all(quote in said for quote in found)


@pytest.mark.parametrize(
    "said, words",
    [
        ("my boy's autistic", "my boy is autistic"),
        ("Ottoline's moved to Leeds", "Ottoline has moved to Leeds"),
        ("my mum's just been told", "my mum has just been told"),
        ("my mum's just lovely", "my mum is just lovely"),
        ("my mums coming", "my mum is coming"),
        ("my boyfriends name is Ali", "my boyfriend's name is Ali"),
        ("my cats in the garden", "my cats in the garden"),
        ("at my sister's now", "at my sister's now"),
        ("In my sister's living room", "In my sister's living room"),
        ("my sister's wedding", "my sister's wedding"),
        ("who's 59", "who's 59"),
        ("my wife and I are moving to Bern", "I am moving to Bern"),
        ("me and my best friend live in Bern", "I live in Bern"),
        ("my wife and I live apart", "my wife and I live apart"),
        ("I got two dogs", "I have two dogs"),
        ("I got two emails", "I got two emails"),
        ("I've got a cold", "I have a cold"),
    ],
)
def test_normalize_clause__expands_what_names_and_companions_leave_out(said: str, words: str) -> None:
    assert normalize_clause(said).words == words


@pytest.mark.parametrize("said", ["me n u", "my wife's a surgeon n my dogs called Rex", "no change", "", "\n u \n"])
def test_normalize_message__knows_where_each_character_stands(said: str) -> None:
    message = normalize_message(said)
    assert len(message.text) + 1 == len(message.origins)
    assert message.quote(0, len(message.text)) == said
    assert list(message.origins) == sorted(message.origins)


def test_read_message__says_that_role_play_is_not_about_the_author() -> None:
    before = [PreviousMessage("user", "let's pretend you are a king")]
    assert read("I live in the castle", previous=before, said_at=NOW).no_result_reason == "quoted"


def test_read_message__does_not_take_a_role_of_one_day_for_an_occupation() -> None:
    found = read("I'm the maid of honour", said_at=NOW).candidates
    assert [one.key for one in found if one.key and one.key.endswith("|occupation")] == []


@pytest.mark.parametrize(
    "said, text",
    [("Dad's 80", "Dad is 80 years old"), ("my dad is 80", "Dad is 80 years old"), ("I'm 80", "Is 80 years old")],
)
def test_extract__says_who_is_so_old(said: str, text: str) -> None:
    assert [candidate.text for candidate in extract(said)] == [text]
