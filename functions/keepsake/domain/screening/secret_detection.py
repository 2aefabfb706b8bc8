"""Secrets in a text: keys, passwords, card and bank numbers, national ids, found by shape, checksum and context."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.screening.id_numbers import is_card, number_kind
from keepsake.domain.text import strip_invisible

_MIN_TOKEN = 20
_MIN_ENTROPY = 3.5


@dataclass(frozen=True, slots=True)
class Secret:
    """What was found, and where in the text it stands; never the secret itself."""

    kind: str
    start: int
    end: int


_SHAPES = {
    "private_key": r"-----BEGIN [A-Z ]{0,40}(?:PRIVATE KEY|PGP MESSAGE)",
    "jwt": r"\beyJ[\w-]{8,400}\.[\w-]{8,}(?:\.[\w-]*)?",
    "api_key": r"\b(?:sk|pk|rk|ak)[-_](?:live|test|proj|ant|or|svcacct)?[-_]?[A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeoprs]-[\w-]{10,}"
    r"|\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_[a-f0-9]{32,}"
    r"|\bsb_(?:secret|publishable)_[\w-]{16,}|\bsbp_[a-f0-9]{20,}|\bwhsec_[\w+/=-]{16,}|\bAC[a-f0-9]{32}\b"
    r"|\bkey-[a-f0-9]{24,}|\bEAA[A-Za-z0-9]{30,}|\b\d{8,10}:AA[\w-]{30,}",
    "credentials_url": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,80}:[^\s/@]{1,80}@",
    "authorization": r"\b(?:bearer|basic)\s+[\w.+/=-]{16,}",
}

_NAMED = (
    r"pass\s?-?(?:word|code|phrase|key|wd)s?|pwd?|pw|passwort|kennwort|contrase[nñ]a|mot de passe|senha|wachtwoord|"
    r"parola|has[lł]o|пароль|密码|密碼|パスワード|비밀번호|"
    r"(?:api|secret|access|private|encryption|licen[cs]e|recovery|security|auth)[\s_-]?(?:key|token|code)s?|"
    r"client[\s_-]?secret|(?:access|auth|refresh|bearer|session|bot)[\s_-]?token|credentials?|log-?in details|"
    r"(?:seed|recovery|mnemonic|backup) (?:phrase|words?|codes?)|2fa code|otp|one[- ]time (?:code|password)|"
    r"verification code|pin(?: (?:code|number))?|cvv2?|cvc2?|security (?:code|answer)|unlock code|door code|"
    r"gate code|alarm code|safe (?:code|combination)|(?:locker |safe )?combination"
)
_NUMBERED = (
    r"(?:credit|debit|bank|visa|amex|master)\s?card(?: number)?|card (?:number|no\.?|#)|account (?:number|no\.?|#)|"
    r"(?:bank|checking|savings?) account(?: number)?|routing(?: (?:number|no\.?))?|sort code|iban|swift|bic|"
    r"ssn|social security(?: (?:number|no\.?))?|social insurance number|national (?:id|insurance)(?: number)?|ni "
    r"number|"
    r"tax (?:id|file|payer id)(?: number)?|passport(?: (?:number|no\.?))?|driver'?s? licen[cs]e(?: (?:number|no\.?))?|"
    r"id (?:card )?(?:number|no\.?)|aadhaar|nhs number|medicare number|member id|policy number"
)
_LINK = (
    r"(?:\s+(?:for|to|of|on|at)(?:\s+[\w'.@-]{1,30}){1,4}?)?"
    r"\s*(?:is|was|are|ist|es|est|é|è|jest|:|=|->|--?|\bto\b|#)\s*(?:now\s+|still\s+)?"
)
_PROSE = re.compile(rf"(?<![\w-])(?:{_NAMED})(?![\w-]){_LINK}[\"']?(?P<value>[^\s\"']{{3,}})", re.IGNORECASE)
_PROSE_NUMBER = re.compile(
    rf"(?<!\w)(?:{_NUMBERED})(?!\w)[^\d\n]{{0,40}}(?P<value>[A-Z]{{0,3}}\d[\d -]{{2,}}[\dA-Z])", re.IGNORECASE
)
_LOOSE_PASSWORD = re.compile(
    rf"(?<![\w-])(?:{_NAMED}),?\s+[\"']?(?P<value>(?=\S*\d)(?=\S*[^\W\d])\S{{5,}}|\d{{3,8}}\b)", re.IGNORECASE
)
_AS_PASSWORD = re.compile(
    r"(?<!\S)[\"']?(?P<value>\S{4,200}?)[\"',]*\s(?:as|for)\s(?:my|the|our|"
    rf"a)\s(?:[\w-]{{1,20}}\s){{0,2}}(?:{_NAMED})(?![\w-])"
    rf"|(?<!\S)[\"']?(?P<coded>(?=\S{{0,80}}\d)(?=\S{{0,80}}[^\W\d])\S{{5,200}}?)[\"',]*\s(?:is|was)\s(?:my|the|our)\s"
    rf"(?:[\w-]{{1,20}}\s){{0,2}}(?:{_NAMED})(?![\w-])",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:log|sign)(?:s|ged|ging|ed|ing)? (?:in|on)(?: [\w'-]{1,20}){0,3}? (?:with|using|as)\s+"
    r"(?:\S{1,60}\s?[/:]\s?)?[\"']?(?P<value>(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200})",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(rf"(?<![\w-])(?:{_NAMED})(?![\w-])", re.IGNORECASE)
_PHRASE = re.compile(r"(?:seed|recovery|mnemonic|backup) (?:phrase|words?)\W{1,5}(?:\w+\W+){6,}", re.IGNORECASE)
_PATTERNS = [
    *(
        (kind, re.compile(pattern, re.IGNORECASE if kind == "authorization" else 0))
        for kind, pattern in _SHAPES.items()
    ),
    ("password", _PROSE),
    ("password", _LOOSE_PASSWORD),
    ("password", _AS_PASSWORD),
    ("password", _LOGIN),
    ("number", _PROSE_NUMBER),
    ("seed_phrase", _PHRASE),
]
_NO_SECRET = re.compile(
    r"(?:too|so|very|not|wrong|weak|strong|long|short|easy|hard|lost|stolen|hacked|compromised|expired|changed|"
    r"forgotten|"
    r"the|a|an|my|your|in|on|at|was|been|always|never|saved|stored|required|incorrect|invalid|broken|important|reset|"
    r"and|or|but|that|what|which|something|secure|safe|different|same|similar|terrible|annoying|managers?)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{20,200}")
_GAP = r"[\W_]{1,3}"
_CARD = re.compile(  # whatever stands between its groups or before it; it begins with no year of ours
    rf"(?<!\d)(?=[3-6]|2[2-7])(?:\d{{13,19}}|\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{1,7}}"
    rf"|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}})(?!\d)"
)
_GROUP = r"[A-Z]{0,6}\d[0-9A-Z]*+(?!\w)"
_NUMBER = re.compile(rf"(?<![\w.]){_GROUP}(?:[ .\-/]{_GROUP})*", re.IGNORECASE)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in the text by kind and place; positions are those of the text with invisible characters removed."""
    seen = strip_invisible(text)
    return tuple(sorted(set(_find(seen)), key=lambda secret: (secret.start, secret.end, secret.kind)))


def names_a_credential(text: str) -> bool:
    """Whether the text speaks of a password, PIN, key or the like, whatever it says of it."""
    return _CREDENTIAL.search(strip_invisible(text)) is not None


def _find(text: str) -> Iterator[Secret]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            value = next((name for name in ("value", "coded") if match.groupdict().get(name)), 0)
            if kind != "password" or not _NO_SECRET.match(match[value]):
                yield Secret(kind, match.start(value), match.end(value))
    for match in _TOKEN.finditer(text):
        if _looks_random(match[0]):
            yield Secret("token", match.start(), match.end())
    yield from _numbers(text)


def _numbers(text: str) -> Iterator[Secret]:
    kinds: dict[str, str | None] = {}
    for match in _NUMBER.finditer(text):
        if match[0] not in kinds:  # whose checksums take a while
            kinds[match[0]] = number_kind(match[0])
        if (number := kinds[match[0]]) is not None:
            yield Secret(number, match.start(), match.end())
    for match in _CARD.finditer(text):
        if is_card(re.sub(r"\D", "", match[0])):
            yield Secret("card", match.start(), match.end())


def _looks_random(token: str) -> bool:
    """Long, mixed and with more surprise in it than words have."""
    if len(token) < _MIN_TOKEN or not any(c.isdigit() for c in token) or not any(c.isalpha() for c in token):
        return False
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    changes = sum(a.isdigit() != b.isdigit() or a.isupper() != b.isupper() for a, b in itertools.pairwise(token))
    return entropy >= _MIN_ENTROPY and changes >= 4
