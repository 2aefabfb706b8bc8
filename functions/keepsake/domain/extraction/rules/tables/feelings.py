"""What passes: feelings of the moment and events just gone."""

from __future__ import annotations

from keepsake.domain.english.word_patterns import DEGREES, FEELINGS
from keepsake.domain.extraction.rules import checks
from keepsake.domain.extraction.rules.rule import rule
from keepsake.domain.memory import MemoryType, Subtype

_EMOTION = MemoryType.EMOTION
_WHY = (
    r"(?: (?:today|tonight|right now|now|this (?:morning|evening)))*"
    r"(?P<rest>(?: (?:today|tonight|lately|recently|right now|these days|this (?:week|morning|evening)|all the time|"
    r"at work|again|now|all (?:day|"
    r"week)))*(?: (?:about|because|after|since|and|with|for|that|of|by|from|to|in|on|but|as|when|around|at) .*)?)"
)

FEELINGS_NOW = (
    rule(rf"I (?:am feeling|feel|have been feeling|felt|am still feeling) {DEGREES}(?P<feeling>{FEELINGS}){_WHY}"
         r"(?:, (?!but\b|not\b|it\b|you\b)(?:[\w'-]+ ){1,10}[\w'-]+)?",
        "feeling|{feeling}", Subtype.FEELING, type=_EMOTION,
         text="Feels {degree} {feeling} {rest}", confidence=0.5, check=checks.heartfelt),
    rule(rf"I (?:am|have been) {DEGREES}(?P<feeling>{FEELINGS}){_WHY}", "feeling|{feeling}", Subtype.FEELING, type=
        _EMOTION, text="Feels {degree} {feeling} {rest}",
         confidence=0.5, check=checks.heartfelt),
    rule(r"I miss (?P<object>(?!out|the (?:point|part|question)|it\b|that\b|this\b).{2,60})", "feeling|miss_{object}"
        , Subtype.FEELING, type=_EMOTION, confidence=0.5,
         check=checks.solid),
    rule(r"I am (?P<object>(?:struggling with (?:my|anxiety|depression|stress|sleep|grief|burnout|motivation|"
        r"loneliness)|going through (?:an?|my|some)|having a (?:hard|tough|rough) "
        r"(?:time|day|week|month|year)(?= lately| at| recently| with my|$))\b.*)",
        "feeling|struggling", Subtype.FEELING, type=_EMOTION,
         confidence=0.5, check=checks.unasked),
)  # fmt: skip

_RECENT = r"(?:just|recently|finally|already|have just|have recently|have finally)"
_EVENT_VERBS = (
    r"got (?:back|home|here|in|off|accepted|rejected|promoted|a (?:new )?(?:job|dog|cat|puppy|kitten|haircut|tattoo|"
    r"raise|promotion|car|house|new .{3,30}|b\b|good grade)|my (?:license|results|degree|first|hair|braces|new)|"
    r"into (?:an?|the|my|"
    r"[A-Z])\w*|out of (?:the hospital|surgery|jail)|engaged|sick|covid)|came (?:back|home)|returned|arrived|landed|"
    r"went (?:to|on|for|hiking|camping|swimming|skiing|shopping|out|back|through|home|fishing|"
    r"running|dancing)|finished|completed|started|began|visited|met|ran|adopted|broke up|celebrated|attended|moved|"
    r"flew|drove to|travel+ed|passed|failed|hosted|joined|signed up|won|lost (?:my (?:job|mom|dad|mother|father|dog|"
    r"cat|"
    r"grandma|grandpa|grandmother|grandfather|wife|husband|best friend|brother|sister)|\d+|weight)|had (?:a (?:baby|"
    r"great|terrible|lovely|wonderful|bad|rough|long|fight|breakup|big|huge|nice|job interview|date|dinner|party)|"
    r"surgery|dinner|lunch|my (?:first|"
    r"last|baby))|gave birth|became|saw .{3,40} (?:live|in concert)|baked|cooked|planted|painted|read|watched|hiked|"
    r"climbed|cleaned|fixed|built|bought (?:an?|my)|sold|enrolled|quit|retired|ate|tried"
)
_TIME = (
    r"(?:yesterday|last (?:night|week|month|weekend|year|summer|winter|spring|fall|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)|"
    r"this (?:morning|week|weekend|afternoon|month|year|past \w+)|today|on (?:monday|tuesday|wednesday|thursday|"
    r"friday|saturday|sunday|the weekend)|(?:\w+|a few|a couple of) (?:days?|weeks?|months?|hours?) ago|over the "
    r"weekend|"
    r"earlier(?: today)?|tonight)"
)
EVENTS = (
    rule(rf"(?:I|we) {_RECENT} (?P<object>(?:{_EVENT_VERBS})\b.{{0,100}})", "event|{object}", Subtype.EVENT, check=
        checks.an_event),
    rule(rf"(?:I|we) (?P<object>(?:{_EVENT_VERBS})\b.{{0,100}}\b{_TIME}\b.{{0,30}})", "event|{object}", Subtype.EVENT
        , check=checks.an_event),
    rule(r"(?:I|we) (?P<object>(?:got back|came back|returned|went|got engaged|got married|had a baby|broke up|"
        r"adopted|flew|travel+ed)\b.{3,100})", "event|{object}",
         Subtype.EVENT, check=checks.an_event),
)  # fmt: skip

RULES = (*FEELINGS_NOW, *EVENTS)
