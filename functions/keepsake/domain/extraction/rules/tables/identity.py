"""Who the person is: name, nickname, pronouns, age, birthday, origin, languages, traits."""

from __future__ import annotations

from keepsake.domain.english.number_words import AGE
from keepsake.domain.extraction.rules import checks
from keepsake.domain.extraction.rules.rule import rule
from keepsake.domain.memory import Subtype

_ID = Subtype.IDENTITY
_NAME = r"(?P<name>[^\W\d][\w'.-]*(?: [^\W\d][\w'.-]*){0,3}?)"
_ONE_NAME = r"(?P<name>[^\W\d][\w'-]*(?: (?-i:[A-Z][\w'-]*))?)"
_AFTER_NAME = (
    r"(?:,.*| (?:from now on|instead|please|now|going forward|in the future|for short|and .*|but .*|by the way))*"
)
_PLACE = r"(?P<place>(?!a |an |my |this |it\b)[^,;]{2,40}?(?:, ?[^,;]{2,30})?)"
_WHEN = (
    r"(?:,? (?:originally|as (?:a kid|kids|a child)|(?:back )?in \d{4}|in the \w+|\d+ years ago|and .*|with .*|"
    r"before .*|until .*))?"
)

NAMES = (
    rule(rf"(?:my )?(?:full |real |legal |actual )?name is {_NAME}{_AFTER_NAME}", "name", _ID, value="{name}",
         text="Name is {name}", confidence=0.9, importance=3, check=checks.named, label="{name}"),
    rule(rf"my (?P<kind>first|last|given|middle|maiden|family|sur)[ -]?name is {_ONE_NAME}{_AFTER_NAME}",
        "{kind}_name", _ID,
         value="{name}", text="{kind} name is {name}", confidence=0.9, importance=3, check=checks.named),
    rule(rf"I am (?:called|named) {_ONE_NAME}{_AFTER_NAME}", "name", _ID, value="{name}", text="Name is {name}",
         confidence=0.9, importance=3, check=checks.named),
    rule(r"(?:please |just |kindly |go ahead and |can you |could you |would you |will you |you can |you may |you "
        r"could |feel free to |"
         rf"I (?:want|would like|prefer) you to |let us |start )*(?:please )?(?:call|calling|address|refer to|name) me "
         rf"(?:as |by |just )*{_ONE_NAME}{_AFTER_NAME}", "nickname", _ID, value="{name}", text=
         "Likes to be called {name}",
         confidence=0.9, importance=3, check=checks.named, corrects=True),
    rule(rf"(?:please )?(?:change|switch|update|set) my (?:nick)?name to {_ONE_NAME}{_AFTER_NAME}", "nickname", _ID,
        value="{name}",
         text="Likes to be called {name}", confidence=0.9, importance=3, check=checks.named, corrects=True),
    rule(r"(?:I go by|I prefer to (?:be called|go by)|I (?:like|want) to be called|I prefer(?: being called)?(?= "
        r"[A-Z][a-z]+ over)|"
         r"(?:everyone|everybody|my (?:friends|family)|people|friends|they)(?: all)? calls? me|I am known as|my "
         r"nickname is|"
         rf"nickname is) {_ONE_NAME}{_AFTER_NAME}", "nickname", _ID, value="{name}", text="Likes to be called {name}",
         confidence=0.9, importance=3, check=checks.named),
    rule(r"(?:my pronouns are|I use|I go by|please use|use) (?P<pronouns>(?:she|he|they|ze|xe|it)(?: ?/ ?\w+){1,2}|"
        r"they them|she her|he him)"
         r"(?: pronouns)?(?: for me)?(?: now| these days)?", "pronouns", _ID, value="{pronouns}",
         text="Pronouns are {pronouns}",
         confidence=0.9,
         importance=3),
)  # fmt: skip

AGES = (
    rule(rf"I am (?:now |only |currently |about to turn )?(?P<age>{AGE})(?:[ -]?years?[ -]?(?:old|young)| y/?o)?(?: "
        r"(?:now|today|this year|and .*))?",
         "age", _ID, value="{age}", text="Is {age} years old", importance=2, check=checks.plausible_age),
    rule(rf"I (?:just |recently )?turned (?P<age>{AGE})(?: (?:last|this|today|yesterday|in|on|recently)\b.*)?", "age"
        , _ID,
         value="{age}", text="Is {age} years old", importance=2, check=checks.plausible_age),
    rule(rf"I am an? (?P<age>{AGE})[ -]?years?[ -]?old\b(?P<object>.*)", "age", _ID, value="{age}", importance=2,
         check=checks.plausible_age),
    rule(r"I am in my (?P<range>(?:early |mid |late |mid-)?(?:teens|twenties|thirties|forties|fifties|sixties|"
        r"seventies|eighties|\d0'?s))",
         "age_range", _ID, value="{range}", text="Is in their {range}", importance=2),
    rule(r"I am (?P<range>middle[ -]aged|a senior(?: citizen)?|elderly|a teenager|a teen)", "age_range", _ID, value=
        "{range}"),
    rule(r"my age is (?P<age>\d{1,3})", "age", _ID, value="{age}", text="Is {age} years old", importance=2,
         check=checks.plausible_age),
    rule(r"my (?:birthday|birth date|date of birth) is (?:on )?(?P<date>(?!coming|soon|near|today|tomorrow|next|"
        r"this|in \d)[\w ,./-]{3,30})", "birthday", _ID,
         value="{date}", text="Birthday is {date}", importance=2),
    rule(r"my (?:wedding )?(?P<object>anniversary is .{3,40})", "{object}", _ID),
    rule(r"my birthday is (?P<date>today|tomorrow)", "birthday_near", Subtype.EVENT, value="{date}"),
    rule(r"I was born (?P<on>on|in) (?P<date>(?:the )?(?:\d|january|february|march|april|may|june|july|august|"
        r"september|october|"
         r"november|december)(?:(?! in )[\w ,./-]){1,30})(?: in .*)?", "birthday", _ID, value="{date}", text=
         "Was born {on} {date}", importance=2),
)  # fmt: skip

ORIGINS = (
    rule(r"I (?:grew up|was (?:born and )?raised|was brought up) (?:in|on|near|outside) "
        rf"(?P<place>[^;]{{2,60}}?){_WHEN}",
         "hometown", _ID, value="{place}", importance=2),
    rule(rf"I was born (?:and raised )?in {_PLACE}{_WHEN}", "birthplace", _ID, value="{place}", importance=2),
    rule(r"I (?:am|come)(?: originally)? from (?P<place>(?!the (?:future|past|team|office|bank)|work|there|"
        rf"here)[^;]{{2,50}}?){_WHEN}",
         "hometown", _ID, value="{place}", text="Is from {place}", importance=2),
    rule(rf"my home ?town is {_PLACE}", "hometown", _ID, value="{place}", text="Hometown is {place}", importance=2),
    rule(r"I am (?P<object>(?:half |part |a |an )*(?:american|canadian|british|english|irish|scottish|welsh|german|"
        r"french|italian|"
         r"spanish|portuguese|dutch|belgian|swiss|austrian|polish|czech|russian|ukrainian|swedish|norwegian|danish|"
         r"finnish|greek|"
         r"turkish|indian|pakistani|chinese|japanese|korean|vietnamese|thai|filipin[oa]|indonesian|malaysian|"
         r"australian|"
         r"new zealander|kiwi|mexican|brazilian|argentin\w+|colombian|chilean|peruvian|cuban|puerto rican|"
         r"latin[oax]|hispanic|"
         r"asian|african|nigerian|kenyan|ghanaian|ethiopian|egyptian|moroccan|south african|israeli|lebanese|"
         r"iranian|persian|"
         r"arab|native american|european|[a-z]+ american)(?: (?:citizen|by birth|and .*))?)", "nationality|{object}",
         _ID),
    rule(r"I am (?:an? )?(?P<object>(?:\w+ )?(?:buddhist|christian|catholic|muslim|jewish|jew|hindu|sikh|atheist|"
        r"agnostic|mormon|"
         r"protestant|baptist|pagan|wiccan|quaker|spiritual))", "religion|{object}", _ID),
    rule(r"I am an? (?P<sign>aries|taurus|gemini|cancer(?= sun| moon| rising| sign)|leo|virgo|libra|scorpio|"
        r"sagittarius|capricorn|"
         r"aquarius|pisces)(?: (?:sun|by sign|sign))?", "sun_sign", _ID, value="{sign}", importance=2),
    rule(r"my (?P<kind>sun|moon|rising|star|zodiac)(?: sign)? is (?:in )?(?P<sign>\w+)", "{kind}_sign", _ID, value=
        "{sign}",
         importance=2),
    rule(r"I (?:can )?speak (?P<object>(?!to|with|at|in|up|out|for|about|from)[^;]{3,60})", "speaks|{object}", _ID),
    rule(r"I am (?:fluent|bilingual|conversational|proficient) in (?P<object>[^;]{3,60})", "speaks|{object}", _ID),
    rule(r"my (?:native|first|mother|second) (?:language|tongue) is (?P<object>\w+)", "native_language", _ID, value=
        "{object}"),
    rule(r"I (?P<object>(?:emigrated|immigrated|came here|came to \w+|have immigrated)\b.{3,60})", "origin|{object}",
        _ID),
)  # fmt: skip

STATUS = (
    rule(r"I am (?P<status>(?:happily |recently |newly |legally |still )?(?:married|divorced|widowed|separated|"
        r"single|engaged)|a widow|"
         r"a widower|a bachelor|in an? (?:\w+ )*relationship)\b(?: (?:to|with|for|and|now|since|again)\b.*)?",
         "relationship_status",
         _ID, value="{status}", importance=2),
    rule(r"I (?:just |recently |finally )?(?:got|was) (?P<status>married|divorced|engaged)\b.*",
        "relationship_status", _ID,
         value="{status}", importance=2, corrects=True),
    rule(r"I have been (?P<status>married|divorced|single|widowed)\b.*", "relationship_status", _ID, value="{status}"
        , importance=2),
    rule(r"(?P<name>(?-i:[A-Z])[\w'-]+) and I (?:are|got|have|were) (?:now |finally |just |recently )*"
         r"(?P<status>divorced|separated|married|engaged)\b.*", "relationship_status", _ID, value="{status}",
         importance=2, text="Is {status} (with {name})", corrects=True),
    rule(r"I (?:am|have been) (?P<object>together (?:since|for)\b.*)", "together", _ID, value="{object}", importance=2),
    rule(r"I (?:married|am married to) (?P<object>.{3,60})", "relationship_status", _ID, value="married", importance=2),
)  # fmt: skip

BARE_NAMES = (
    rule(rf"I am {_ONE_NAME}(?:,? (?:nice|pleased|glad|good) to meet you|, (?:first time|new here|just (?:found|"
        rf"trying)|long time)"
         r"\b.*)?", "name", _ID, value="{name}", text=
        "Name is {name}",
         confidence=0.9, importance=3, check=checks.introduced),
)  # fmt: skip

RULES = (*NAMES, *AGES, *ORIGINS, *STATUS, *BARE_NAMES)
