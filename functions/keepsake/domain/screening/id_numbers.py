"""Recognizes card numbers, bank accounts and national ids by their checksums."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module

from stdnum import iban, luhn

_STRONG_MODULES = (
    "br.cpf", "cn.ric", "es.dni", "es.nie", "fi.hetu", "fr.nir", "in_.pan", "it.codicefiscale", "mx.curp",
    "tr.tckimlik",
)  # fmt: skip
"""National ids whose checksums and formats are hardly met by chance."""

_WEAK_MODULES = (
    "ar.cuit", "au.tfn", "be.nn", "bg.egn", "ca.sin", "ch.ssn", "cl.rut", "cz.rc", "de.idnr", "dk.cpr", "gb.nhs",
    "gr.amka", "hr.oib", "ie.pps", "il.idnr", "in_.aadhaar", "kr.rrn", "nl.bsn", "no.fodselsnummer", "pl.pesel",
    "ro.cnp", "se.personnummer", "us.itin", "us.ssn", "za.idnr",
)  # fmt: skip
"""National ids that many other numbers equal: they count only next to a word that names an id."""

_STRONG_IDS = tuple(import_module(f"stdnum.{name}") for name in _STRONG_MODULES)
_WEAK_IDS = tuple(import_module(f"stdnum.{name}") for name in _WEAK_MODULES)
_CARD = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|09|[689]\d)\d{11}|35\d{14}"
    r"|(?:6011|64[4-9]\d|65\d\d|62\d\d|60\d\d|8[12]\d\d|5[06-9]\d\d|6[37]\d\d|220[0-4])\d{12,15}"
)
_UNCHECKED_ID = re.compile(
    r"(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}"
    r"|(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]"
)
"""National ids without a checksum: of the United States with its hyphens, and of the United Kingdom."""

_IBAN_LENGTHS = range(15, 35)
_NO_SEPARATORS = str.maketrans("", "", " .-/")
_MIN_NATIONAL = 8
_MAX_NATIONAL = 20


def is_card(digits: str) -> bool:
    """Whether the digits are a card number by the issuer's prefix, length and checksum."""
    return _CARD.fullmatch(digits) is not None and bool(luhn.is_valid(digits))


def find_iban(text: str) -> str | None:
    """The IBAN with which an upper-case text without separators begins, or None."""
    for length in _IBAN_LENGTHS:
        if len(text) < length:
            return None
        if iban.is_valid(text[:length], check_country=False):
            return text[:length]
    return None


@lru_cache(maxsize=32)  # the checksums take a while, and a text may repeat a number often
def identify_number(number: str, *, is_named: bool = False) -> str | None:
    """``card``, ``iban`` or ``national_id`` where the number is one by format and checksum, else None.

    ``is_named`` says that a word for an id stands near; only then the weak checksums count.
    """
    compact = number.translate(_NO_SEPARATORS).upper()
    if len(compact) < _MIN_NATIONAL:
        return None
    if is_card(compact):
        return "card"
    if find_iban(compact) == compact:
        return "iban"
    if len(compact) <= _MAX_NATIONAL and _is_national_id(number, compact, is_named=is_named):
        return "national_id"
    return None


def _is_national_id(number: str, compact: str, *, is_named: bool) -> bool:
    if any(map(_UNCHECKED_ID.fullmatch, (number, compact))):
        return True
    if any(kind.is_valid(number) for kind in _STRONG_IDS) and not _looks_like_phone(number):
        return True
    return is_named and any(kind.is_valid(number) for kind in _WEAK_IDS)


def _looks_like_phone(number: str) -> bool:
    return number.startswith("0") and number.replace(" ", "").replace("-", "").isdigit()
