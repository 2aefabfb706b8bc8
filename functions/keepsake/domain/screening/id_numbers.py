"""Which numbers identify a person or their money: cards, bank accounts, national ids, each by its checksum."""

from __future__ import annotations

import re
from types import ModuleType

from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.au import tfn
from stdnum.be import nn
from stdnum.bg import egn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ch_ssn
from stdnum.cl import rut
from stdnum.cn import ric
from stdnum.cz import rc
from stdnum.de import idnr
from stdnum.dk import cpr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.gr import amka
from stdnum.hr import oib
from stdnum.ie import pps
from stdnum.il import idnr as il_idnr
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.mx import curp
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.ro import cnp
from stdnum.se import personnummer
from stdnum.tr import tckimlik
from stdnum.us import itin, ssn
from stdnum.za import idnr as za_idnr

_NATIONAL: tuple[ModuleType, ...] = (
    aadhaar, amka, bsn, ch_ssn, cnp, codicefiscale, cpf, cpr, cuit, curp, dni, egn, fodselsnummer, hetu, idnr,
    il_idnr, itin, nhs, nie, nir, nn, oib, pan, pesel, personnummer, pps, rc, ric, rrn, rut, sin, ssn, tckimlik,
    tfn, za_idnr,
)  # fmt: skip
_CARD = re.compile(r"\d{13,19}")
_NINO = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")
_MIN_NATIONAL = 8
_MAX_NATIONAL = 20
_MAX_GROUPS = 12


def is_card(digits: str) -> bool:
    """Whether the digits are a card number by length and checksum."""
    return _CARD.fullmatch(digits) is not None and bool(luhn.is_valid(digits))


def number_kind(number: str) -> str | None:
    """``card``, ``iban`` or ``national_id`` where the number is one by length and checksum, else None."""
    plain = re.sub(r"[ .\-/]", "", number).upper()
    if len(plain) < _MIN_NATIONAL:
        return None
    if is_card(plain):
        return "card"
    if iban.is_valid(plain, check_country=False):
        return "iban"
    if len(plain) <= _MAX_NATIONAL and (_NINO.fullmatch(plain) or any(kind.is_valid(number) for kind in _NATIONAL)):
        return "national_id"
    return _within(number)


def _within(number: str) -> str | None:
    """The kind of a card number or IBAN that stands among other groups of digits ("12/29 4111 1111 1111 1111")."""
    groups = re.split(r"[ .\-/]", number)
    if not 2 < len(groups) <= _MAX_GROUPS:
        return None
    for start in range(len(groups)):
        for end in range(start + 1, len(groups) + 1):
            plain = "".join(groups[start:end]).upper()
            if is_card(plain) or iban.is_valid(plain, check_country=False):
                return "card" if plain.isdigit() else "iban"
    return None
