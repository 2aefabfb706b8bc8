"""What a number is by its form and checksum: a card, a bank account, a national id; or a date, a price, a phone."""

from __future__ import annotations

import re
from datetime import date

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.in_ import pan
from stdnum.it import codicefiscale
from stdnum.mx import curp
from stdnum.tr import tckimlik

from keepsake.domain.english.word_groups import MONTHS

_CARD = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|09|[689]\d)\d{11}|35\d{14}"
    r"|(?:6011|64[4-9]\d|65\d\d|62\d\d|60\d\d|8[12]\d\d|5[06-9]\d\d|6[37]\d\d|220[0-4])\d{12,15}"
)
_IBAN_LENGTHS = range(15, 35)
_NATIONAL_IDS = (cpf, ric, dni, nie, hetu, nir, pan, codicefiscale, curp, tckimlik)
"""National ids whose checksums and formats are hardly met by chance; others count only behind their names."""
_UNCHECKED_ID = re.compile(
    r"(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}"
    r"|(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]"
)
"""National ids without a checksum: of the United States with its hyphens, and of the United Kingdom."""
_ID_LENGTHS = range(8, 21)
_NO_SEPARATORS = str.maketrans("", "", " .-/")

_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:\s?[-/]\s?(?:(?:1[89]|20)\d\d|\d\d))?")
_DATE = re.compile(
    r"(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})(?:[ T]\d{1,2}(?:[:.]\d\d){0,2})?"
    r"|(\d{4})(\d\d)(\d\d)(?:[ T]?\d{2}:?\d{2}(?::?\d{2})?)?"
)
_MONTH = rf"(?:{'|'.join((*MONTHS, *(month[:3] for month in MONTHS), 'sept'))})\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_SPELLED_DATE = rf"{_MONTH}[ -]{_DAY}(?:[ -]|, ?)(?:19|20)\d\d|{_DAY}[ -](?:of )?{_MONTH}(?:[ -]|, ?)(?:19|20)\d\d"
_PRICE = r"[$€£¥]\d[\d.,]{0,12}(?:[km]\b)?(?: ?/ ?[a-z]{1,8})?"
_VERSION = r"v\d{1,4}(?:\.\d{1,6}){1,4}"
_COORDINATES = r"[-+]?\d{1,3}\.\d{2,10}\W{1,4}\d{1,3}\.\d{2,10}"
_PHONE = r"\+\s?\d[\d ./()-]{5,20}\d"
_HARMLESS = re.compile(
    rf"(?<![\w.$-])(?:{_SPELLED_DATE}|{_PRICE}|{_VERSION}|{_COORDINATES}|{_PHONE})(?![\w$-]|[.,/]\w)", re.IGNORECASE
)

MENTION = re.compile(r"<?@!?(?P<id>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\d{15,20})\b>?")
"""The id of a person who is mentioned."""


def is_card(number: str) -> bool:
    """Whether the digits of a number are those of a card, by the issuer's prefix, length and checksum."""
    digits = "".join(filter(str.isdecimal, number))
    return _CARD.fullmatch(digits) is not None and bool(luhn.is_valid(digits))


def find_iban(text: str) -> str | None:
    """The IBAN with which an upper-case text without separators begins, or None."""
    beginnings = (text[:length] for length in _IBAN_LENGTHS if length <= len(text))
    return next((one for one in beginnings if iban.is_valid(one, check_country=False)), None)


def is_national_id(number: str) -> bool:
    """Whether a number is a national id by its format and checksum."""
    compact = number.translate(_NO_SEPARATORS).upper()
    if len(compact) not in _ID_LENGTHS:
        return False
    if any(map(_UNCHECKED_ID.fullmatch, (number, compact))):
        return True
    looks_like_phone = number.startswith("0") and compact.isdigit()
    return not looks_like_phone and any(kind.is_valid(number) for kind in _NATIONAL_IDS)


def is_date_or_year(number: str) -> bool:
    """Whether a number is a year, a range of years or a plausible date, with or without a time."""
    if _YEAR.fullmatch(number):
        return True
    match = _DATE.fullmatch(number)
    if match is None:
        return False
    first, second, third = map(int, filter(None, match.groups()))
    orders = [(first, second, third)] if first > 31 else [(third, second, first), (third, first, second)]
    return any(_is_date(*order) for order in orders)


def _is_date(year: int, month: int, day: int) -> bool:
    if year < 100:
        year += 1900
    try:
        date(year, month, day)
    except ValueError:
        return False
    return 1800 <= year < 2100


def blank_harmless_numbers(text: str) -> str:
    """The text with blanks for dates with the name of a month, prices, versions, coordinates, foreign phone numbers."""
    return _HARMLESS.sub(lambda match: " " * len(match[0]), text)
