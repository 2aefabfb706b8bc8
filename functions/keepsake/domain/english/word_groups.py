"""Patterns and word lists that the extraction rules share."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_alternations, load_lines, load_words

_WORDS = load_alternations("word_groups")

NATIONALITIES_AND_RELIGIONS = load_words("nationalities_and_religions")
LANGUAGES = "|".join(load_lines("languages"))
NAMES_LIKE_FORMS = load_words("names_like_verb_forms")
PETS = _WORDS["pets"]
NUMBERS = _WORDS["numbers"]
JOBS = load_words("jobs")
ROLES = load_words("roles")
FEELINGS = _WORDS["feelings"]
DIETS = r"vegan|vegetarian|pescatarian|single|married|divorced|retired|pregnant|tall|short|shy|deaf|blind|left-handed"
