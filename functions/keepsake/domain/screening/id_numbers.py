"""Recognizes card numbers, bank accounts and national ids by their checksums."""

from __future__ import annotations

import re
from importlib import import_module

from stdnum import iban, luhn

_NATIONAL_ID_MODULES = (
    "ar.cuit", "au.tfn", "be.nn", "bg.egn", "br.cpf", "ca.sin", "ch.ssn", "cl.rut", "cn.ric", "cz.rc", "de.idnr",
    "dk.cpr", "es.dni", "es.nie", "fi.hetu", "fr.nir", "gb.nhs", "gr.amka", "hr.oib", "ie.pps", "il.idnr",
    "in_.aadhaar", "in_.pan",
    "it.codicefiscale", "kr.rrn", "mx.curp", "nl.bsn", "no.fodselsnummer", "pl.pesel", "ro.cnp", "se.personnummer",
    "tr.tckimlik", "us.itin", "us.ssn", "za.idnr",
)  # fmt: skip
_NATIONAL_IDS = tuple(import_module(f"stdnum.{name}") for name in _NATIONAL_ID_MODULES)
_CARD = re.compile(r"\d{13,19}")
_GB_NATIONAL_INSURANCE = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")
_MIN_NATIONAL = 8
_MAX_NATIONAL = 20
_MAX_GROUPS = 12


def is_card(digits: str) -> bool:
    """Whether the digits are a card number by length and checksum."""
    return _CARD.fullmatch(digits) is not None and bool(luhn.is_valid(digits))


def identify_number(number: str) -> str | None:
    """``card``, ``iban`` or ``national_id`` where the number is one by length and checksum, else None."""
    compact = re.sub(r"[ .\-/]", "", number).upper()
    if len(compact) < _MIN_NATIONAL:
        return None
    if is_card(compact):
        return "card"
    if iban.is_valid(compact, check_country=False):
        return "iban"
    if len(compact) <= _MAX_NATIONAL and (
        _GB_NATIONAL_INSURANCE.fullmatch(compact) or any(kind.is_valid(number) for kind in _NATIONAL_IDS)
    ):
        return "national_id"
    return _kind_among_groups(number)


def _kind_among_groups(number: str) -> str | None:
    """The kind of a card number or IBAN among other groups of digits ("12/29 4111 1111 1111 1111")."""
    groups = re.split(r"[ .\-/]", number)
    if not 2 < len(groups) <= _MAX_GROUPS:
        return None
    for start in range(len(groups)):
        for end in range(start + 1, len(groups) + 1):
            compact = "".join(groups[start:end]).upper()
            if is_card(compact) or iban.is_valid(compact, check_country=False):
                return "card" if compact.isdigit() else "iban"
    return None
