"""Generates the values of the attack texts: secrets of every format, and harmless numbers that look like them."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from mnemonic import Mnemonic
from stdnum import luhn
from stdnum.iso7064 import mod_97_10

_DIGIT_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_LETTERS_AND_DIGITS = string.ascii_letters + string.digits
_WORDS = ("marshmallow", "kittycat", "sunflower", "hunter", "dragonfly", "pineapple", "snowball", "bananas", "thunder")
_NAMES = ("Kowalczyk", "Abernathy", "Fitzgerald", "Lindqvist", "Moreau", "Castellano")


def _groups(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


class Values:
    """The values of one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 (the same values each time)

    def fill(self, template: str) -> str:
        """The template with each ``{name}`` as a new value; the halves of a card belong together."""
        half_one, half_two = self._halves()
        template = template.replace("{card_half_one}", half_one).replace("{card_half_two}", half_two)
        while (start := template.find("{")) >= 0:
            end = template.index("}", start)
            template = template[:start] + self.secret(template[start + 1 : end]) + template[end + 1 :]
        return template

    def secret(self, name: str) -> str:
        """A secret of a format, by its name in the texts."""
        if name[0] == "d" and name[1:].isdigit():
            return self._digits(int(name[1:]))
        if name.startswith("card"):
            return self._card(name.partition("_")[2])
        if name.startswith("iban_"):
            return self._iban(*name.removeprefix("iban_").split("_"))
        return _FORMATS[name](self)

    def _digits(self, count: int) -> str:
        return "".join(self._random.choices(string.digits, k=count - 1)) + self._random.choice("123456789")

    def _letters(self, count: int) -> str:
        return "".join(self._random.choices(string.ascii_uppercase, k=count))

    def _mixed(self, count: int) -> str:
        while True:
            made = "".join(self._random.choices(_LETTERS_AND_DIGITS, k=count))
            if any(map(str.isdigit, made)) and any(map(str.isalpha, made)):
                return made

    def _halves(self) -> tuple[str, str]:
        groups = self._card("spaces").split()
        return " ".join(groups[:2]), " ".join(groups[2:])

    def _card(self, form: str = "") -> str:
        body = self.pick("4", "51", "55", "2221", "6011")
        body += "".join(self._random.choices(string.digits, k=15 - len(body)))
        digits = body + luhn.calc_check_digit(body)
        groups = _groups(digits, 4)
        shifts = {"arabic": 0x660, "persian": 0x6F0, "devanagari": 0x966, "bengali": 0x9E6, "thai": 0xE50,
                  "fullwidth": 0xFF10, "math": 0x1D7CE}  # fmt: skip
        if form in shifts:
            return " ".join("".join(chr(shifts[form] + int(digit)) for digit in group) for group in groups)
        spoken = [_DIGIT_WORDS[int(digit)] for digit in digits]
        return {
            "": digits, "spaces": " ".join(groups), "dashes": "-".join(groups), "dots": ".".join(groups),
            "slashes": "/".join(groups), "underscores": "_".join(groups), "zero_width": "\u200b".join(groups),
            "pairs": " ".join(_groups(digits, 2)), "words": " ".join(spoken),
            "words_dashes": "-".join(spoken),
        }[form]  # fmt: skip

    def amex(self, separator: str = "") -> str:
        """An American Express number, 4-6-5."""
        body = "37" + "".join(self._random.choices(string.digits, k=12))
        digits = body + luhn.calc_check_digit(body)
        return separator.join((digits[:4], digits[4:10], digits[10:]))

    def _iban(self, country: str, form: str = "spaces") -> str:
        banks = {
            "de": self._digits(18), "gb": self._letters(4) + self._digits(14),
            "nl": self._letters(4) + self._digits(10),
            "mt": self._letters(4) + self._digits(5) + self._letters(18), "fr": self._digits(10) + self._letters(2)
            + self._digits(11), "ro": self._letters(4) + self._letters(8) + self._digits(8),
            "ie": self._letters(4) + self._digits(14), "bg": self._letters(4) + self._digits(14),
        }  # fmt: skip
        body = banks[country]
        number = country.upper() + mod_97_10.calc_check_digits(body + country.upper()) + body
        groups = _groups(number, 4)
        return {"spaces": " ".join(groups), "compact": number, "dashes": "-".join(groups),
                "lower": " ".join(groups).lower()}[form]  # fmt: skip

    def wallet(self, count: int, separator: str = " ") -> str:
        """Words of a wallet."""
        words = Mnemonic("english").wordlist
        return separator.join(self._random.sample(words, count))

    def password(self) -> str:
        """A password with letters, digits and a mark."""
        return f"{self._mixed(5)}{self._random.choice('!&#%-')}{self._mixed(4)}"

    def word_password(self) -> str:
        """A password that is nearly a word."""
        return f"{self._random.choice(_WORDS)}{self._random.choice(('', '55', '7', '2024!'))}"

    def pick(self, *choices: str) -> str:
        """One of these."""
        return self._random.choice(choices)

    def ssn(self, separator: str = "-") -> str:
        """A social security number."""
        area = self._random.choice([*range(1, 666), *range(667, 900)])
        return f"{area:03}{separator}{self._random.randint(1, 99):02}{separator}{self._random.randint(1, 9999):04}"

    def day(self) -> date:
        """A day on which a living person may have been born."""
        return date(1940, 1, 1) + timedelta(days=self._random.randrange(30_000))

    def between(self, low: float, high: float) -> float:
        """A number in a range."""
        return self._random.uniform(low, high)

    def harmless(self, kind: str) -> str:
        """A date, range, phone number, number, coordinate or amount."""
        return _HARMLESS[kind](self)

    def number(self, count: int) -> str:
        """Digits, the first of which is not zero."""
        return self._random.choice("123456789") + "".join(self._random.choices(string.digits, k=count - 1))


def _dni(number: str) -> str:
    return number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23]


_FORMATS: dict[str, Callable[[Values], str]] = {
    "amex": Values.amex,
    "amex_spaces": lambda v: v.amex(" "),
    "sort": lambda v: "-".join(v.number(2) for _ in range(3)),
    "ssn": Values.ssn,
    "ssn_spaces": lambda v: v.ssn(" "),
    "ssn_plain": lambda v: v.ssn(""),
    "passport": lambda v: v.pick("X", "AB", "YA") + v.number(7),
    "passport_de": lambda v: f"C{v.number(2)}X{v.number(2)}T{v.number(2)}",
    "passport_us": lambda v: f"{v.number(2)}AB{v.number(5)}",
    "licence": lambda v: f"{v.pick('MORGA', 'SMITH', 'JONES')}{v.number(6)}SM9IJ",
    "medicare": lambda v: f"1EG{v.number(1)}-TE{v.number(1)}-MK{v.number(2)}",
    "nino": lambda v: f"AB {v.number(2)} {v.number(2)} {v.number(2)} C",
    "dni": lambda v: _dni(v.number(8)),
    "health": lambda v: f"{v.pick('A', 'T', 'K')}{v.number(9)}",
    "wallet12": lambda v: v.wallet(12),
    "wallet24": lambda v: v.wallet(24),
    "wallet12_commas": lambda v: v.wallet(12, ", "),
    "wallet12_numbered": lambda v: " ".join(f"{n}. {word}" for n, word in enumerate(v.wallet(12).split(), 1)),
    "code4": lambda v: f"{v.pick('A', 'C', 'K')}{v.number(2)}{v.pick('B', 'D')}",
    "combo": lambda v: f"{v.number(2)}-{v.number(2)}-{v.number(2)}",
    "password": Values.password,
    "word_password": Values.word_password,
    "d4_words": lambda v: " ".join(_DIGIT_WORDS[int(digit)] for digit in v.number(4)),
    "d4_arabic": lambda v: "".join(chr(0x660 + int(digit)) for digit in v.number(4)),
    "passphrase": lambda v: "-".join(v.pick(*_WORDS) for _ in range(4)),
    "backup": lambda v: f"{v.number(1)}f{v.number(1)}k-{v.number(1)}kd{v.number(1)}-x{v.number(2)}k",
    "name": lambda v: v.pick(*_NAMES),
    "hex32": lambda v: f"{v.between(0, 1).hex()[4:16]}{v.number(10)}abcdef{v.number(4)}",
    "base40": lambda v: v.secret("github")[4:],
    "aws": lambda v: "AKIA" + v.pick("QZ", "XK") + "IOSFODNN7EXAMP",
    "github": lambda v: "ghp_" + "".join(v.pick(*_LETTERS_AND_DIGITS) for _ in range(34)) + "a7",
    "telegram": lambda v: f"{v.number(9)}:AA" + "".join(v.pick(*_LETTERS_AND_DIGITS) for _ in range(33)),
    "jwt": lambda v: (
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + "".join(v.pick(*_LETTERS_AND_DIGITS) for _ in range(43))
    ),
    "licence_key": lambda v: "-".join(v.pick("VK7JG", "NPHV2", "6DXJ4", "9PQ7R", "T83GX") for _ in range(5)),
}

_DATE_FORMATS = ("%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d %m %Y", "%Y%m%d", "%d/%m/%Y", "%Y-%m-%d %H:%M")


def _moment(values: Values) -> str:
    day = values.day()
    clock = time(int(values.between(0, 24)), int(values.between(0, 60)))
    moment = datetime.combine(day, clock, UTC)
    return moment.strftime(values.pick(*_DATE_FORMATS))


def _range(values: Values) -> str:
    first = int(values.between(1950, 2015))
    last = first + int(values.between(1, 30))
    return values.pick("{0}-{1}", "{0}\u2013{1}", "{0} - {1}", "{0}/{1}", "{0} to {1}", "01.{0} - 12.{1}").format(
        first, last
    )


def _phone(values: Values) -> str:
    number = values.number
    return values.pick(
        f"+49 1{number(2)} {number(8)}",
        f"+49 30 {number(7)}",
        f"01{number(2)} {number(7)}",
        f"030/{number(8)}",
        f"({number(3)}) {number(3)}-{number(4)}",
        f"{number(3)}-{number(3)}-{number(4)}",
        f"+1 {number(3)} {number(7)}",
        f"+44 7{number(3)} {number(6)}",
        f"07{number(3)} {number(6)}",
        f"+33 6 {number(2)} {number(2)} {number(2)} {number(2)}",
        f"+43 6{number(2)} {number(8)}",
        f"0041 79 {number(3)} {number(2)} {number(2)}",
        f"+351 9{number(2)} {number(3)} {number(3)}",
        f"+91 {number(5)} {number(5)}",
        f"+86 1{number(2)} {number(4)} {number(4)}",
    )


def _coordinate(values: Values) -> str:
    places = values.pick("4", "5", "6", "7")
    latitude, longitude = values.between(-85, 85), values.between(-180, 180)
    joint = values.pick(", ", " ", "/", ",")
    return f"{latitude:.{places}f}{joint}{longitude:.{places}f}"


def _amount(values: Values) -> str:
    amount = values.between(1, int(values.pick("100", "5000", "50000")))
    return values.pick(
        "${0:,.2f}", "{0:,.2f} EUR", "{0:.2f} \u20ac", "\u00a3{0:,.0f}", "{0:.0f} dollars", "CHF {0:,.0f}"
    ).format(amount)


_HARMLESS: dict[str, Callable[[Values], str]] = {
    "dates": _moment, "ranges": _range, "phones": _phone, "numbers": lambda v: v.number(9), "coordinates": _coordinate,
    "amounts": _amount,
}  # fmt: skip
