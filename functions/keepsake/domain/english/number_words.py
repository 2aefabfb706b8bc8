"""Numbers as they are written in words."""

from __future__ import annotations

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
