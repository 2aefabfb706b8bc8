"""The people and animals in the person's life, as the person tells of them."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.english.number_words import AGE
from keepsake.domain.english.word_patterns import NUMBERS, PETS
from keepsake.domain.extraction.rules.checks import named, spelled_as_name
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.rule import Values, rule
from keepsake.domain.memory import MemoryType, Subtype

_RELATIONSHIP = MemoryType.RELATIONSHIP
_TIE = Subtype.RELATIONSHIP
_SIZE = (
    r"(?:(?:older|younger|little|big|twin|eldest|oldest|youngest|middle|late|only|own|dear|new|first|second|adopted|"
    r"baby|other) )*"
)
_WHO = rf"(?P<rel>{_SIZE}(?:{RELATIONS}|{FRIENDS}))"
_ANYONE = rf"(?P<rel>{_SIZE}(?:{RELATIONS}|{FRIENDS}|{OTHERS}))"
_NAMED = (
    r"(?:,? (?P<name>(?-i:[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)|(?!often|also|never|always|especially|used|does|do|did|is|"
    r"are|was|were|has|have|had|who|and|just|really|both|all|still|not|from|in|at|now|only)[a-z]{2,12}(?= (?:is|was|"
    r"has|lives|works|loves|likes|hates|plays|owns|studies|turned)\b)),?)?"
)
_NAME = r"(?P<name>[^\W\d][\w'-]*(?: (?-i:[A-Z][\w'-]*))?)"
_PLAIN_NAME = (
    r"(?!(?:who|now|only|also|is|are|was|just|has|had|never|always|often|still|really|food|toy|bed|door|show|owner|"
    r"sitter|breed|walker|collar|cage|tank|park|person|lady|and|or|that|which|in|on|at|from|with)\b)[a-z]{2,12}"
)
_PET = rf"(?P<pet>(?:[\w'-]+ ){{0,4}}?{PETS})"
_NOT_NOW = re.compile(
    r"(?:is|are|was|were|has|have) (?:\w+ly |just |still |now |always )?(?:coming|visiting|calling|asking|telling|"
    r"saying|here|there|"
    r"sick|late|waiting|going|on (?:the|his|her|their) (?:way|phone)|mad|angry|upset|home|out|away|driving me|being|"
    r"so|too|right|"
    r"wrong|fine|ok|okay|not (?:here|home|feeling|coming|answering|talking|sure|well|happy|speaking)|no|done|ready|"
    r"asleep|crying|in the (?:hospital|car|kitchen|shower|bathroom|room|office|other|house|middle|way)|about to|"
    r"trying|looking|wondering|thinking|bored|hungry|tired|busy|"
    r"gone|in town|arriving|leaving|back|over|due|a lot|something|nothing|it|this|that|asked|told|been (?:sick|"
    r"asking|telling|"
    r"trying|on my|really|so|acting|bugging))\b"
    r"|(?:says?|said|thinks?|thought|told|tells|asks?|asked|wants? me|wanted me|wants to know|keeps?|needs?|"
    r"suggested|suggests|"
    r"recommended|recommends|believes?|claims?|claimed|knows?|knew|just|will|would|can|could|should|might|may|must|"
    r"did|does|called|"
    r"texted|wrote|mentioned|showed|sent|gave|makes me|made me|got me|won't|doesn't know|seems?|and|or|who|that|"
    r"which|to|for|in|on|"
    r"of|s|at|about|from|by|with|wants? a|wants? some|wants? my|wants? the|wants? us|wants? you|always says|also)\b",
    re.I,
)

_TURNING = re.compile(
    r"(?:has )?just (?:started|finished|graduated|turned|moved|married|retired|became|got (?:married|engaged|divorced)|"
    r"had (?:a baby|twins))\b",
    re.I,
)


def _stays(values: Values, clause: Clause) -> bool:
    """What is said of somebody is about who they are, not what they just did or said."""
    said = values.get("object", "")
    return _TURNING.match(said) is not None or _NOT_NOW.match(said) is None


def _calls(values: Values, clause: Clause) -> bool:
    """The name is one: written with a capital, or introduced as a name."""
    introduced = re.search(r"\b(?:named|called|name is|names are)\b", clause.words, re.I) is not None
    return named(values, clause) and (introduced or spelled_as_name(values, clause))


TIES = (
    rule(rf"(?:my|our) {_ANYONE} is (?:now |about to turn |turning |only |already |currently )*(?P<age>{AGE})(?:[ "
        r"-]?(?P<unit>years?|months?|weeks?)[ -]?old)?"
         rf"(?: (?:now|today|already|this year|and .*))?", "{who}|age", _TIE, value="{age}", type=_RELATIONSHIP,
         importance=2, subject="{rel}", text="{rel} {name} is {age} {unit} old"),
    rule(rf"(?:my|our) {_WHO},? (?P<name>(?-i:[A-Z][\w'-]+)|(?!(?:who|now|only|also|is|are|was|just|turned|has)\b)"
         rf"[a-z]{{2,12}}),? (?:is|just turned|"
        rf"turned|is turning) (?:now |about to turn |turning |only |already )*(?P<age>{AGE})"
         rf"(?:[ -]?(?:years?|months?|weeks?)[ -]?old)?(?: (?:now|today|and .*))?", "{who}|age", _TIE, value="{age}",
         type=_RELATIONSHIP, importance=2, subject="{rel}", text="{rel} {name} is {age} {unit} old", label="{name}"),
    rule(rf"(?:my|our) {_ANYONE} (?:just |recently )?turned (?P<age>{AGE})\b.*", "{who}|age", _TIE, value=
        "{age}", type=_RELATIONSHIP,
         text="{rel} is {age} years old", importance=2, subject="{rel}", corrects=True),
    rule(rf"(?:my|our) {_ANYONE}(?: from [\w ]{{2,20}}?)?(?:'s? name)? (?:is|are) (?:called |named |"
         rf"name is )?{_NAME}(?: and .*|,.*)?",
        "{called}|name", _TIE, value="{name}",
         type=_RELATIONSHIP, text="{rel} is named {name}", importance=2, subject="{rel}", check=_calls, label="{name}"),
    rule(rf"{_NAME} is my {_ANYONE}", "{called}|name", _TIE, value="{name}", type=_RELATIONSHIP, text=
        "{rel} is named {name}",
         importance=2, subject="{rel}", check=_calls, label="{name}"),
    rule(rf"(?:I|we) have (?:an?|one|another) {_WHO} (?:named|called) {_NAME}", "{called}|name", _TIE, value="{name}",
         type=_RELATIONSHIP, text="Has a {rel} named {name}", importance=2, subject="{rel}", check=_calls,
         label="{name}"),
    rule(rf"(?:I|we) have (?P<n>{NUMBERS}) (?P<object>(?:[\w-]+ ){{0,3}}?(?:{RELATIONS}|{FRIENDS})) (?:named|"
        r"called) (?P<name>[^;]{2,60})",
         "self|has|{object}", _TIE, value="{name}", type=_RELATIONSHIP, importance=2),
    rule(rf"(?:I|we) have (?P<n>two|three|four|five|six|[2-6]) (?P<object>(?:[\w-]+ ){{0,2}}?(?:{RELATIONS})), [\w'-]+",
         "self|has|{object}", _TIE, value="{n}", type=_RELATIONSHIP, importance=2, text="Has {n} {object}"),
    rule(rf"(?:I|we) (?:have|raised|adopted|foster) (?P<n>{NUMBERS}|amazing|wonderful|grown|lovely|great) "
        rf"(?P<object>(?:[\w-]+ ){{0,3}}?(?:{RELATIONS}|"
         rf"{FRIENDS}))\b(?P<rest>.*)", "self|has|{object}", _TIE, value="{n}", type=_RELATIONSHIP, importance=2),
    rule(r"(?:I|we) do not have (?P<object>(?:any |a )?(?:kids|children|siblings|brothers|sisters|family|friends|"
        r"parents))(?: (?:yet|anymore))?",
         "self|has|{object}", _TIE, value="0", type=_RELATIONSHIP, importance=2),
    rule(r"(?:I|we) (?:am|are) (?P<object>(?:an? |the )?(?:only child|(?:oldest|youngest|middle|eldest) (?:child "
        r")?of .*|(?:[\w-]+ ){0,4}(?:single )?"
         r"(?:parent|father|mother|mom|dad|grandmother|grandfather|grandma|grandpa|uncle|aunt|twin|orphan|wife|"
         r"husband|brother|sister|widow|"
         r"godmother|godfather|newlywed|adoptee))\b.*)", "self|is|{object}", _TIE, type=_RELATIONSHIP, importance=2),
    rule(r"(?:I|we) (?:am|are) (?P<object>(?:expecting (?:an?|our|my|twins|triplets)|having (?:a (?:baby|boy|girl|"
        r"son|daughter|child)|twins|triplets)|pregnant)\b.*)",
         "self|expecting", _TIE, value="{object}", type=_RELATIONSHIP, importance=2),
    rule(r"I have a baby on the way", "self|expecting", _TIE, value="baby", type=_RELATIONSHIP, importance=2),
    rule(r"I was (?P<object>(?:raised|adopted|brought up)\b.*)", "self|raised|{object}", _TIE, type=_RELATIONSHIP),
    rule(r"I am (?:dating|seeing|engaged to|going out with) (?P<object>(?!if|whether|what|a doctor|how|someone "
        r"about|you|that|this).{3,60})",
         "self|partner|{object}", _TIE, type=_RELATIONSHIP, importance=2),
    rule(r"I am (?P<object>(?:an? )?(?:distant )?(?:descendant|ancestor|relative) of .{3,60})", "self|is|{object}",
        _TIE, type=_RELATIONSHIP),
)  # fmt: skip

ANIMALS = (
    rule(r"(?:I|we) (?:have|own|adopted|rescued|got|just adopted|just got|recently adopted|recently got) "
        rf"(?P<n>{NUMBERS}) {_PET}"
         rf"(?:,? (?:named|called|whose name is|by the name of|whose names are),? (?P<name>[^;]{{2,60}}?)(?: now)?)",
         "self|pet|{name}", Subtype.POSSESSION, text="Has {n} {pet} named {name}",
         value="{pet}", type=_RELATIONSHIP, importance=2, label="{name}"),
    rule(r"(?:I|we) (?:have|own|adopted|rescued|just adopted|recently adopted|just got|keep|raise|breed|foster) "
        rf"(?P<n>{NUMBERS}) {_PET}(?P<rest>(?:,| and| that| who| at| in| on| "
         rf"which| living|\s+from).*)?", "self|pet|{pet}", Subtype.POSSESSION, value="{n}", type=_RELATIONSHIP,
         importance=2),
    rule(rf"(?:my|our) {_PET}(?:'s?)? (?:is (?:named|called)|name is|names are|are (?:named|called)) "
        r"(?P<name>[^;]{2,40})", "self|pet|{name}",
         Subtype.POSSESSION, value="{pet}", type=_RELATIONSHIP, importance=2, label="{name}"),
    rule(rf"(?:my|our) {_PET}(?:,? (?P<name>(?!who|is|just)[\w'-]+),?)? (?:is|just turned|turned) (?:now |about to "
        rf"turn |only |already )*(?P<age>{AGE})(?:[ -](?P<unit>years?|months?|weeks?)[ -]?old)?(?: (?:now|already))?",
         "self|pet|{animal}|age", Subtype.POSSESSION, value="{age}", type=_RELATIONSHIP, text=
         "{pet} {name} is {age} {unit} old", label="{name}"),
    rule(rf"(?:my|our) {_PET},? (?P<name>(?-i:[A-Z][\w'-]+)|{_PLAIN_NAME}),? (?P<object>(?:is|was|has|loves|likes|"
         r"hates|eats|sleeps|weighs|turned|lives|hibernates|barks|snores|chases|steals|bites|prefers|enjoys|runs|plays|"
         r"goes|comes|needs|knows)\b.{2,80})",
         "self|pet|{name}|{object}", Subtype.POSSESSION, type=_RELATIONSHIP, label="{name}", check=_stays),
    rule(rf"(?:my|our) {_PET} (?P<object>(?:is|are|was|has|have|loves?|likes?|hates?|sleeps?|weighs?)\b.{{2,80}})",
        "self|pet_fact|{pet}|{object}",
         Subtype.POSSESSION, type=_RELATIONSHIP, check=_stays),
    rule(rf"(?P<n>{NUMBERS}) {_PET} lives? with (?:me|us)", "self|pet|{pet}", Subtype.POSSESSION, value="{n}", type=
        _RELATIONSHIP,
         importance=2),
    rule(rf"(?:I|we) do not have (?:any |an? )?{_PET}(?: (?:yet|anymore))?", "self|pet|{pet}", Subtype.POSSESSION,
        value="0",
         type=_RELATIONSHIP, corrects=True),
)  # fmt: skip

ABOUT_OTHERS = (
    rule(rf"(?:my|our) {_WHO}{_NAMED} (?:has |have )?(?:just |recently |finally )*moved (?:from [^,;]{{2,40}}? )?"
         r"(?:back |here |out |over )?to (?P<place>(?-i:[A-Z])[^,;]{1,40}?)"
         r"(?: (?:last|this|in \d{4}|a (?:few|couple|year|month|week)|two|three|with|for|because)\b.*)?",
         "{who}|home", _TIE, value="{place}", type=_RELATIONSHIP, importance=2, subject="{rel}", label="{name}",
         corrects=True),
    rule(rf"(?:my|our) {_WHO}{_NAMED} (?:(?:does|do) not live in (?P<place>[^,;]{{2,40}}?) (?:anymore|any longer)|no "
         r"longer lives? in (?P<place2>[^,;]{2,40}))", "{who}|home", _TIE, value="{place}", type=_RELATIONSHIP,
         subject="{rel}", label="{name}", retracts=True, corrects=True),
    rule(rf"(?:my|our) {_WHO}{_NAMED} (?:lives?|is living|are living|resides?) in (?P<place>[^;]{{2,60}})",
        "{who}|home", _TIE, value="{place}",
         type=_RELATIONSHIP, importance=2, subject="{rel}", check=_stays, label="{name}"),
    rule(rf"(?:my|our) {_WHO}{_NAMED} (?:is|are|was|were) (?:an? |the )?(?:retired |former )?(?P<object>[\w-]+(?: "
        r"[\w-]+){0,3}er|[\w-]+ist|[\w ]+ian|lawyer|nurse|doctor|"
         rf"cop|vet|chef|pilot)", "{who}|occupation", _TIE, value="{object}", type=_RELATIONSHIP, subject="{rel}",
         check=_stays, label="{name}"),
    rule(rf"(?:my|our) {_WHO}{_NAMED} (?P<object>(?:not )?(?:[a-z]+ly )?(?:also |often |both |all |never |always |"
        r"especially |truly )?(?!and\b|or\b|who\b|that\b|which\b)"
         r"(?:is|are|was|were|has|have|had|(?:just |recently )?(?:started|finished|graduated|moved|turned)|[a-z]+s|"
         r"[a-z]+ed|taught|left|grew|won|wrote|built|came|drove|ran|fought|served|bring|live|love|support|"
         rf"do not|does not|did not|own|work|play) .{{2,120}})", "{who}|{object}", _TIE, type=_RELATIONSHIP, subject=
         "{rel}", check=_stays),
    rule(rf"(?:my|our) {_WHO}{_NAMED} (?P<object>died|passed away|retired|remarried|divorced|smokes|drinks)\b.*",
        "{who}|{object}", _TIE,
         type=_RELATIONSHIP, importance=2, subject="{rel}"),
)  # fmt: skip

RULES = (*TIES, *ANIMALS, *ABOUT_OTHERS)
