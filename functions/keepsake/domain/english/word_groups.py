"""Word lists and patterns that many share: days and months, numbers, pets, jobs, nationalities, feelings."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_alternations, load_lines, load_sections, load_words

_WORDS = load_alternations("word_groups")

NATIONALITIES_AND_RELIGIONS = load_words("nationalities_and_religions")
LANGUAGES = "|".join(load_lines("languages"))
NAMES_LIKE_FORMS = load_words("names_like_verb_forms")
PET_WORDS = frozenset(form for pet in load_sections("word_groups")["pets"] for form in (pet, f"{pet}s"))
PETS = f"(?:{'|'.join(sorted(PET_WORDS, key=lambda pet: (-len(pet), pet)))})"
NUMBERS = _WORDS["numbers"]
JOBS = load_words("jobs")
ROLES = load_words("roles")
FEELINGS = _WORDS["feelings"]
DIETS = r"vegan|vegetarian|pescatarian|single|married|divorced|retired|pregnant|tall|short|shy|deaf|blind|left-handed"


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
COUNTS = {
    **{word: str(number) for number, word in enumerate(NUMBER_WORDS) if number},
    **{word: str(number) for number, word in zip(range(20, 100, 10), TENS, strict=True)},
    "a": "1", "an": "1", "no": "0", "a_couple": "2", "a_couple_of": "2",
}  # fmt: skip
"""How many a slug says there are."""
AGE = rf"(?:\d{{1,3}}|(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(NUMBER_WORDS[1:10])}))?|{'|'.join(NUMBER_WORDS[1:])})"
"""A pattern of the age of a person."""
NUMBERS_AND_TIMES = frozenset(load_sections("word_groups")["numbers_and_times"]).union(
    NUMBER_WORDS, TENS, WEEKDAYS, (f"{day}s" for day in WEEKDAYS), map(str.lower, MONTHS)
)
