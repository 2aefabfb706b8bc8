"""The patterns of passwords, codes and named numbers in prose ("the safe opens with 4471")."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("secret_detection", __package__)
_NAMES, _CODES, _NUMBERS = _WORDS["credential_names"], _WORDS["codes"], _WORDS["number_names"]
_THINGS, _LOCKS = _WORDS["things"], _WORDS["lock_things"]

_IS = rf"(?:(?<![^\W_])|(?=[^a-zàäèé])){_WORDS['linking']}"
_SPOKEN_DIGIT = _WORDS["spoken_digit"]
_LINK = (
    rf"(?:,?\s+{_WORDS['before_owner']}(?:\s+[\w'.@-]{{1,30}}(?<!\.)){{1,4}}?)?"
    rf"\s{{0,5}}(?:,\s{{0,3}})?{_IS}\s{{0,5}}(?:now\s+|still\s+)?"
)
_MIXED = r"(?=[^\s\"']{0,60}\d)(?=[^\s\"']{0,60}[^\W\d])[^\s\"',;]{4,200}"
_CODE = r"(?=[^\s\"'/:]{0,12}\d)[A-Z0-9*#-]{3,12}(?:[ -]\d{1,4}(?!\w)){0,4}"
_CODE_END = rf"(?=\W*$|\s?[#.,;!?)\n]|\s{_WORDS['after_code']}\b)"
_SPOKEN = rf"{_SPOKEN_DIGIT}(?:[\s,-]{{1,3}}{_SPOKEN_DIGIT}){{2,11}}"
_INTRO = rf"\b{_WORDS['entering']}\s{{1,3}}(?:the )?(?:code |pin |digits? )?"

NAMED_PASSWORD = re.compile(
    rf"(?<![\w-])(?:{_NAMES})(?![\w-]){_LINK}[\"']?(?P<value>{_SPOKEN}|[^\s\"']{{3,}})", re.IGNORECASE
)
CLOSE_PASSWORD = re.compile(
    rf"(?<![\w-])(?:{_NAMES})(?![^\W_]),?\s*(?:[^\W\d]{{1,12}}\s){{0,3}}?[\"']?"
    rf"(?P<value>{_MIXED}|\d(?:[ -]?\d){{2,7}}\b)",
    re.IGNORECASE,
)
BARE_PASSWORD = re.compile(
    rf"\A\W{{0,3}}(?:(?:my|our|mein|mon|mi) )?(?:{_NAMES})\s(?P<value>[^\W\d_]{{5,20}})\W{{0,3}}\Z", re.IGNORECASE
)
VALUE_BEFORE_NAME = re.compile(
    r"(?<!\S)[\"']?(?P<value>\S{4,200}?)[\"',]*\s(?:as|for)\s(?:my|the|our|"
    rf"a)\s(?:[\w-]{{1,20}}\s){{0,2}}(?:{_NAMES})(?![\w-])"
    rf"|(?<!\S)[\"']?(?P<coded>(?=\S{{0,80}}\d)(?=\S{{0,80}}[^\W\d])\S{{5,200}}?)[\"',]*\s(?:is|was)\s(?:my|the|our)\s"
    rf"(?:[\w-]{{1,20}}\s){{0,2}}(?:{_NAMES})(?![\w-])",
    re.IGNORECASE,
)
LOGIN = re.compile(
    r"\b(?:log|sign)(?:s|ged|ging|ed|ing)?[ -]?(?:in|on)?(?: [\w'-]{1,20}){0,4}?(?: (?:with|using|as|is)|\s?[-:=])?\s+"
    r"(?:(?:user(?:name)? )?\S{1,60}(?:\s?[/:,]\s?| and (?:password )?| with (?:password )?))?"
    r"[\"']?(?P<value>(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200})",
    re.IGNORECASE,
)
CODE = re.compile(
    rf"(?:{_CODES})(?:\W{{1,3}}[^\W\d]{{1,20}}){{0,6}}?\s{{0,3}}{_IS}\s{{0,3}}[\"']?(?P<value>{_CODE}(?!\w)|{_MIXED})",
    re.IGNORECASE,
)
ACCESS = re.compile(
    rf"(?:\b(?:{_THINGS})\b.{{0,30}}?\b{_WORDS['opened']}"
    rf"|\b{_WORDS['opening']}\b.{{0,20}}?\b(?:{_THINGS})|\b(?:{_LOCKS}))\b.{{0,30}}?{_INTRO}(?P<value>{_CODE}){_CODE_END}",
    re.IGNORECASE,
)
ACCOUNT = re.compile(
    rf"\S{{1,60}}@[\w-]{{1,60}}\.[\w.-]{{2,20}}\s?(?:[-/:,|;]|and|with)\s{{0,3}}[\"']?(?P<value>{_MIXED})",
    re.IGNORECASE,
)
UNLOCKED = re.compile(
    rf"\bunlock(?:s|ed)? (?:my|the|our) (?:{_THINGS}) (?:with|using|by) (?!{_WORDS['no_password']}\b)"
    rf"(?P<value>[^\s\"']{{4,60}}?)\W*$"
    rf"|\b(?:wi-?fi|wlan|network|laptop|computer|account)\b.{{0,40}}? (?:get|log|sign) (?:on|in|into|onto)(?: it)? "
    rf"(?:with|using) (?!{_WORDS['no_password']}\b)(?P<word>[^\s\"']{{4,60}}?)\W*$",
    re.IGNORECASE,
)
STRONG_PASSWORD = re.compile(
    r"(?<!\S)[\"'(\[]{0,2}(?![\w.+-]{1,64}@)(?!\S{0,60}://)(?=\S{0,60}[a-z])(?=\S{0,60}[A-Z])(?=\S{0,60}\d)"
    r"(?P<value>[^\s,;]{0,60}\w[!#$%&*?^~@]{1,3}[^\W_][^\s,;]{2,60}|[^\s,;]{6,60}[!#$%^~*@&]{1,3})(?!\S)"
)
ACCOUNT_VALUE = re.compile(
    rf"\b(?:{_WORDS['accounts']})\b(?:[^\w\n.!?]{{1,3}}[^\W\d]{{1,15}}){{0,6}}?[^\w\n]{{1,3}}[\"']?"
    r"(?P<value>(?=[^\s\"']{0,60}\d)(?=[^\s\"']{0,60}(?-i:[a-z]))(?=[^\s\"']{0,60}(?-i:[A-Z]))[^\s\"',;]{8,60})"
    r"|\b(?:wi-?fi|wlan|ssid|hotspot|router)(?: (?:password|key|code))?\s?[:=]\s{0,3}[\"']?(?P<word>\S{8,200})"
    rf"|(?<!\S)[\"']?(?P<coded>{_MIXED}) (?:unlocks?|opens?|gets? me into) (?:my|the|our) (?:{_THINGS})\b",
    re.IGNORECASE,
)
NAMED_NUMBER = re.compile(
    rf"(?<!\w)(?:{_NUMBERS})(?![^\W_])[^\d\n.!?]{{0,40}}?(?<!\w)(?P<value>(?=[A-Z]{{0,9}}\d)[A-Z0-9]{{1,30}}+"
    r"(?>(?:[ ./-](?=[A-Z]{0,6}\d)[A-Z0-9]{1,24}+){0,8}))",
    re.IGNORECASE,
)
NUMBER_BEFORE_NAME = re.compile(
    rf"(?<!\w)(?P<value>(?=[A-Z]{{0,9}}\d)[A-Z0-9]{{6,20}}+)\s(?:is|was)\s(?:my|our|the)\s(?:[\w-]{{1,20}}\s){{0,2}}(?:{_NUMBERS})(?!\w)",
    re.IGNORECASE,
)
UNSPACED = re.compile(rf"(?:{_WORDS['unspaced_names']})[^\dA-Za-z\n]{{0,12}}(?P<value>[!-~]{{3,60}})")
SECURITY_ANSWER = re.compile(
    r"\b(?:security|secret|recovery|verification) (?:question|answer)s?\b.{0,60}?[:=,-]\s(?P<value>\S.{1,60})"
    r"|\bmaiden name\b(?=.{0,40}\b(?:bank|security|account|verif\w{0,8}|hotline|reset)\b).{0,60}?(?:[:=]|\bis\b)"
    r"\s{0,3}(?P<word>\S{3,40})",
    re.IGNORECASE,
)
NAMED_PASSWORDS = (NAMED_PASSWORD, BARE_PASSWORD, CLOSE_PASSWORD, VALUE_BEFORE_NAME)
LOGINS = (LOGIN, ACCOUNT, ACCOUNT_VALUE, STRONG_PASSWORD)
CODES = (CODE, ACCESS, UNSPACED)
NAMED_NUMBERS = (NAMED_NUMBER, NUMBER_BEFORE_NAME)

DIGITS_NAME = re.compile(
    rf"(?<![\w-])(?:{_NAMES}|digits)(?![\w-])|{_WORDS['unspaced_names']}|{_CODES}|\b(?:{_LOCKS})\b", re.IGNORECASE
)
CREDENTIAL = re.compile(rf"(?<![\w-])(?:{_NAMES})(?![\w-])|{_WORDS['unspaced_names']}", re.IGNORECASE)
POSSIBLE = re.compile(r"(?<!\S)(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200}|(?<!\d)\d{4,8}(?!\d)")
NUMBER_NAME = re.compile(rf"(?<!\w)(?:{_NUMBERS})(?![^\W_])", re.IGNORECASE)
CARD_NAME = re.compile(rf"(?<!\w)(?:{_WORDS['card_names']})", re.IGNORECASE)
NOT_A_SECRET = re.compile(rf"{_WORDS['not_a_secret']}\b", re.IGNORECASE)
