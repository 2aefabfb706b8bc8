"""The patterns of passwords, codes and named numbers in prose ("the safe opens with 4471")."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("secret_detection", __package__)
_NAMES, _CODES, _NUMBERS = _WORDS["credential_names"], _WORDS["codes"], _WORDS["number_names"]
_THINGS, _LOCKS = _WORDS["things"], _WORDS["lock_things"]

_NAME = rf"(?<![\w-])(?:{_NAMES})(?![\w-])"
_IS = rf"(?:(?<![^\W_])|(?=[^a-zàäèé])){_WORDS['linking']}"
_SPOKEN_DIGIT = _WORDS["spoken_digit"]
_LINK = (
    rf"(?:,?\s+{_WORDS['before_owner']}(?:\s+[\w'.@-]{{1,30}}(?<!\.)){{1,4}}?)?"
    rf"\s{{0,5}}(?:,\s{{0,3}})?{_IS}\s{{0,5}}(?:now\s+|still\s+)?"
)
_MIXED = r"(?=[^\s\"']{0,60}\d)(?=[^\s\"']{0,60}[^\W\d])[^\s\"',;]{4,200}"
_LETTERS_AND_DIGITS = r"(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200}"
_CODE = r"(?=[^\s\"'/:]{0,12}\d)[A-Z0-9*#-]{3,12}(?:[ -]\d{1,4}(?!\w)){0,4}"
_CODE_END = rf"(?=\W*$|\s?[#.,;!?)\n]|\s{_WORDS['after_code']}\b)"
_SPOKEN = rf"{_SPOKEN_DIGIT}(?:[\s,-]{{1,3}}{_SPOKEN_DIGIT}){{2,11}}"
_INTRO = rf"\b{_WORDS['entering']}\s{{1,3}}(?:the )?(?:code |pin |digits? )?"


def _compile(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


NAMED_PASSWORDS = _compile(
    # its name before it, as in "the password is kitty123"
    rf"{_NAME}{_LINK}[\"']?(?P<value>{_SPOKEN}|[^\s\"']{{3,}})",
    # a word behind its name, as in "password kitty", and nothing else
    rf"\A\W{{0,3}}(?:(?:my|our|mein|mon|mi) )?(?:{_NAMES})\s(?P<value>[^\W\d_]{{5,20}})\W{{0,3}}\Z",
    # digits near its name, as in "password for home kitty123"; what is a year is none
    rf"(?<![\w-])(?:{_NAMES})(?![^\W_]),?\s*(?:[^\W\d]{{1,12}}\s){{0,3}}?[\"']?"
    rf"(?P<close>{_MIXED}|\d(?:[ -]?\d){{2,7}}\b)",
    # its name behind it, as in "kitty123 is my password"
    r"(?<!\S)[\"']?(?:(?P<value>\S{4,200}?)[\"',]*\s(?:as|for)\s(?:my|the|our|a)"
    rf"|(?P<coded>{_LETTERS_AND_DIGITS}?)[\"',]*\s(?:is|was)\s(?:my|the|our))\s(?:[\w-]{{1,20}}\s){{0,2}}{_NAME}",
)
LOGINS = _compile(
    # as in "log in with tom / kitty123"
    r"\b(?:log|sign)(?:s|ged|ging|ed|ing)?[ -]?(?:in|on)?(?: [\w'-]{1,20}){0,4}?(?: (?:with|using|as|is)|\s?[-:=])?\s+"
    r"(?:(?:user(?:name)? )?\S{1,60}(?:\s?[/:,]\s?| and (?:password )?| with (?:password )?))?"
    rf"[\"']?(?P<value>{_LETTERS_AND_DIGITS})",
    # an address before it, as in "tom@example.org: kitty123"
    rf"\S{{1,60}}@[\w-]{{1,60}}\.[\w.-]{{2,20}}\s?(?:[-/:,|;]|and|with)\s{{0,3}}[\"']?(?P<value>{_MIXED})",
    # an account or a thing beside it, as in "netflix Kitty123" and "kitty123 opens my safe"
    rf"\b(?:{_WORDS['accounts']})\b(?:[^\w\n.!?]{{1,3}}[^\W\d]{{1,15}}){{0,6}}?[^\w\n]{{1,3}}[\"']?"
    r"(?P<value>(?=[^\s\"']{0,60}\d)(?=[^\s\"']{0,60}(?-i:[a-z]))(?=[^\s\"']{0,60}(?-i:[A-Z]))[^\s\"',;]{8,60})"
    r"|\b(?:wi-?fi|wlan|ssid|hotspot|router)(?: (?:password|key|code))?\s?[:=]\s{0,3}[\"']?(?P<word>\S{8,200})"
    rf"|(?<!\S)[\"']?(?P<coded>{_MIXED}) (?:unlocks?|opens?|gets? me into) (?:my|the|our) (?:{_THINGS})\b",
    # by itself, as in "Kitty$123"
    r"(?<!\S)[\"'(\[]{0,2}(?![\w.+-]{1,64}@)(?!\S{0,60}://)(?=\S{0,60}(?-i:[a-z]))(?=\S{0,60}(?-i:[A-Z]))(?=\S{0,60}\d)"
    r"(?P<value>[^\s,;]{0,60}\w[!#$%&*?^~@]{1,3}[^\W_][^\s,;]{2,60}|[^\s,;]{6,60}[!#$%^~*@&]{1,3})(?!\S)",
)
PASSWORDS = _compile(
    # what it is for, as in "unlock my phone with kitty"
    rf"\bunlock(?:s|ed)? (?:my|the|our) (?:{_THINGS}) (?:with|using|by) (?!{_WORDS['no_password']}\b)"
    r"(?P<value>[^\s\"']{4,60}?)\W*$"
    r"|\b(?:wi-?fi|wlan|network|laptop|computer|account)\b.{0,40}? (?:get|log|sign) (?:on|in|into|onto)(?: it)? "
    rf"(?:with|using) (?!{_WORDS['no_password']}\b)(?P<word>[^\s\"']{{4,60}}?)\W*$",
    # the answer to a question, as in "security question: Kitty"
    r"\b(?:security|secret|recovery|verification) (?:question|answer)s?\b.{0,60}?[:=,-]\s(?P<value>\S.{1,60})"
    r"|\bmaiden name\b(?=.{0,40}\b(?:bank|security|account|verif\w{0,8}|hotline|reset)\b).{0,60}?(?:[:=]|\bis\b)"
    r"\s{0,3}(?P<word>\S{3,40})",
)
CODES = _compile(
    # as in "the code for the gate is 4471"
    rf"(?:{_CODES})(?:\W{{1,3}}[^\W\d]{{1,20}}){{0,6}}?\s{{0,3}}{_IS}\s{{0,3}}[\"']?(?P<value>{_CODE}(?!\w)|{_MIXED})",
    # as in "the safe opens with 4471"
    rf"(?:\b(?:{_THINGS})\b.{{0,30}}?\b{_WORDS['opened']}"
    rf"|\b{_WORDS['opening']}\b.{{0,20}}?\b(?:{_THINGS})|\b(?:{_LOCKS}))\b.{{0,30}}?{_INTRO}(?P<value>{_CODE}){_CODE_END}",
    # as in "密码4471"
    rf"(?:{_WORDS['unspaced_names']})[^\dA-Za-z\n]{{0,12}}(?P<value>(?-i:[!-~]){{3,60}})",
)
NAMED_NUMBERS = _compile(
    # as in "my passport number is X1234567"
    rf"(?<!\w)(?:{_NUMBERS})(?![^\W_])[^\d\n.!?]{{0,40}}?(?<!\w)(?P<value>(?=[A-Z]{{0,9}}\d)[A-Z0-9]{{1,30}}+"
    r"(?>(?:[ ./-](?=[A-Z]{0,6}\d)[A-Z0-9]{1,24}+){0,8}))",
    # as in "X1234567 is my passport number"
    r"(?<!\w)(?P<value>(?=[A-Z]{0,9}\d)[A-Z0-9]{6,20}+)\s(?:is|was)\s(?:my|our|the)\s"
    rf"(?:[\w-]{{1,20}}\s){{0,2}}(?:{_NUMBERS})(?!\w)",
)

DIGITS_NAME = re.compile(
    rf"(?<![\w-])(?:{_NAMES}|digits)(?![\w-])|{_WORDS['unspaced_names']}|{_CODES}|\b(?:{_LOCKS})\b", re.IGNORECASE
)
CREDENTIAL = re.compile(rf"{_NAME}|{_WORDS['unspaced_names']}", re.IGNORECASE)
POSSIBLE = re.compile(rf"(?<!\S){_LETTERS_AND_DIGITS}|(?<!\d)\d{{4,8}}(?!\d)")
NUMBER_NAME = re.compile(rf"(?<!\w)(?:{_NUMBERS})(?![^\W_])", re.IGNORECASE)
CARD_NAME = re.compile(rf"(?<!\w)(?:{_WORDS['card_names']})", re.IGNORECASE)
NOT_A_SECRET = re.compile(rf"{_WORDS['not_a_secret']}\b", re.IGNORECASE)
