"""What may make a match only look right: vague objects, the assistant as object, words that are no names."""

from __future__ import annotations

import re

from keepsake.domain.english.word_patterns import DIETS, FEELINGS, GROUPS, JOBS, NAMES_LIKE_FORMS
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.rule import Values
from keepsake.domain.text import word_set

_VAGUE = re.compile(
    r"(?:it|this|that|these|those|them|him|her|you|your|yours|how|what|when|where|why|one|so|both|everything|"
    r"nothing|something(?! (?:with|that|involving))|"
    r"anything(?! (?:with|that|involving|related|too|to do))|all of (?:it|them|those|this|that)|some of|the "
    r"(?:(?:idea|sound|concept|look|thought)(?! of (?!this|that|it|your|the))|suggestion|way|fact|answer|response|"
    r"thought|first|second|third|last|other|same|following|previous|new|above|latter|former|workshop|plan|direction|"
    r"tone|"
    r"results?|design|name|title|song|one)|(?:option|answer|version|choice|number|plan|draft|variant|example|style) "
    r"(?:[a-z]\b|\d)|to (?:know|ask|thank|see (?:if|what|how|the|some|more)|hear (?:more|from|"
    r"a|your|some)|"
    r"say|add|point|note|mention|hear)|chatting with you|talking to you|talking with you|working with you)\b",
    re.I,
)
_SUGGESTED = re.compile(r"the (?:idea|sound|thought|concept|look) of\b", re.I)
_ASSISTANT = re.compile(r"\b(?:you|your|yours|yourself|this (?:app|chat|bot|conversation)|ai assistants? like)\b", re.I)
_VAGUE_HEAD = re.compile(
    r"\b(?:ideas?|suggestions?|recommendations?|options|answers?|responses?|advice|tips|questions?|explanation|"
    r"approach)$",
    re.I,
)
_NO_NAME = word_set("""
    a an the not on in at of my your is it that this me him her them back later when if maybe please something
    someone anything nothing crazy stupid out tomorrow today now up by as to for so very too no yes ok okay
    here there what whatever anytime names soon again asap cab taxi uber ambulance doctor different name new
    old sure sorry fine good great well tired happy sad hungry ready done going feeling trying looking working
    from still just really also always never going unknown private secret confidential irrelevant important
    unimportant late busy free lost afraid glad
""")
_OF_A_TALK = re.compile(
    r"\b(?:answer|repl(?:y|ies)|response|command|instruction|prompt|output|rule|mode|setting|format|assistant|"
    r"chatbot)s?\b",
    re.I,
)
_ADJECTIVE = re.compile(rf"{FEELINGS}|{DIETS}|\w+(?:ish|ese|less|ful|ing|ed)", re.I)
_BAD_NOUNS = re.compile(
    r"\b(?:bit|little|lot|few|couple|question|problem|issue|idea|favou?r|request|appointment|meeting|reservation|"
    r"booking|flight|"
    r"order|package|bill|payment|transaction|purchase|charge|account|card|credit|loan|balance|check|cheque|deposit|"
    r"pin|password|"
    r"coupon|refund|ticket|timer|alarm|reminder|list|playlist|calendar|schedule|deadline|presentation|interview|"
    r"exam|test|quiz|"
    r"assignment|essay|homework|report|paper|task|project due|error|bug|code|file|function|script|database|data|"
    r"server|class|"
    r"table|string|array|variable|screenshot|text|sentence|paragraph|message|email|call|doubt|feeling|thought|hunch|"
    r"point|"
    r"clue|hard time|tough time|great time|good time|bad time|long day|bad day|good day|rough day|headache|"
    r"stomachache|runny "
    r"nose|cold|fever|flu|cough|rash|sore throat|migraine|hangover|visitor|guest|party|event|emergency|choice|"
    r"option|chance|"
    r"opportunity|minute|second|moment|hour|while|time|trouble|difficulty|luck|fun|look|nice|good|great|weekend|"
    r"trip|vacation|(?:tab|window)s? open|meeting|"
    r"need|thing|appointment|trip planned|plans?|bunch|lots|enough|right|reason|work event|dinner|lunch|"
    r"breakfast|date|delay|receipt|"
    r"code)s?$",
    re.I,
)


_MERE_NUMBER = re.compile(
    r"(?:about|around|over|almost|nearly|like|more than|some)? ?(?:\d[\d,.]*|[a-z]+ty|two|three|four|five|six|"
    r"seven|eight|nine|ten|"
    r"a (?:few|lot|couple|dozen|hundred)|several|many|lots)(?: (?:now|so far|already|left|of them))?",
    re.I,
)


def solid(values: Values, clause: Clause) -> bool:
    """The object says something by itself, and is not the assistant's doing."""
    phrase = (values.get("object") or values.get("place") or "").strip()
    if not phrase or _VAGUE.match(phrase) or _ASSISTANT.search(phrase):
        return False
    return not (_VAGUE_HEAD.search(phrase) and clause.asks) and not _VAGUE_HEAD.fullmatch(phrase)


def lasting(values: Values, clause: Clause) -> bool:
    """The noun is something one has or is for a while, not a matter of the moment."""
    phrase = re.split(
        r",|\b(?:that|which|who|whose|with|for|on|at|in|from|of|to|and|called|named|since|because|when|tomorrow|"
        r"today|tonight|next|this|coming|scheduled|due|later|soon)\b",
        values.get("object", ""), maxsplit=1,
    )[0].strip()  # fmt: skip
    counted = _MERE_NUMBER.fullmatch(phrase) is not None
    return bool(phrase) and not counted and _BAD_NOUNS.search(phrase) is None and solid(values, clause)


def named(values: Values, clause: Clause) -> bool:
    """The word is one a person may be called by."""
    parts = values.get("name", "").lower().split()
    return bool(parts) and len(parts) <= 4 and not any(part in _NO_NAME for part in parts[:2])


def spelled_as_name(values: Values, clause: Clause) -> bool:
    """A name by its capital (or the whole message is written without any)."""
    name = values.get("name", "")
    first = name.lower().partition(" ")[0]
    return (
        named(values, clause)
        and all(part[:1].isupper() for part in name.split())
        and first not in GROUPS
        and (first in NAMES_LIKE_FORMS or _ADJECTIVE.fullmatch(first) is None)
    )


def introduced(values: Values, clause: Clause) -> bool:
    """A name given in an introduction; a bare "I am Groot" may be anything, and replaces no name."""
    return clause.introduces and spelled_as_name(values, clause)


def a_job(values: Values, clause: Clause) -> bool:
    """The noun is an occupation people have one of."""
    words = re.split(r" (?:at|for|in|with|on|by|who|and|of) ", values.get("job", "").lower())[0].split()
    return bool(words) and len(words) <= 4 and words[-1] in JOBS


def settled(values: Values, clause: Clause) -> bool:
    """Not a mere preamble to the request that follows."""
    return not clause.asks and solid(values, clause)


def a_favorite(values: Values, clause: Clause) -> bool:
    """A favorite of the person's own, not a compliment to the assistant."""
    what = values.get("thing", "")
    return not (_ASSISTANT.search(f"{what} {values.get('value', '')}") or _OF_A_TALK.search(what))


def plausible_age(values: Values, clause: Clause) -> bool:
    """An age people reach."""
    age = values.get("age", "")
    return not age.isdigit() or 0 < int(age) <= 120


def settled_taste(values: Values, clause: Clause) -> bool:
    """A taste; "I like the idea of …" answers a suggestion, and says no more than that."""
    return solid(values, clause) and _SUGGESTED.match(values.get("object", "")) is None


def settled_lasting(values: Values, clause: Clause) -> bool:
    """Something lasting that does not merely lead up to a request."""
    return not clause.asks and lasting(values, clause)


def a_goal(values: Values, clause: Clause) -> bool:
    """A goal for a while, not the errand of the moment."""
    phrase = values.get("object", "")
    return solid(values, clause) and re.search(
        r"\b(?:today|tonight|tomorrow|right now|before (?:lunch|dinner|bed|noon|work|\d)|this (?:afternoon|evening|"
        r"weekend|"
        r"morning|section|chapter|page|paragraph|task|report|draft|round|level|game|episode)|(?:be|become) (?:able|"
        r"sure|clear|honest|there|"
        r"here|reminded|connected|told|more specific|notified|an? (?:bit|little)|the first|paired|on time|home|back|"
        r"done|alone|in|at|on|"
        r"with|as|called|safe|careful|nice|fair)\b)", phrase, re.I) is None  # fmt: skip


def heartfelt(values: Values, clause: Clause) -> bool:
    """A feeling, not a politeness ("I'm good, thanks", "I'm sorry", "I'm happy to help")."""
    words = clause.words.lower()
    polite = re.search(
        r"\b(?:sorry|happy to|glad to|afraid (?:i|that|not|so)|good(?: with| at|$)|great$|down$|better at|fine|sick of|"
        r"down (?:to|for)|worried (?:i|that)|excited to (?:hear|see|try|"
        r"learn)|(?:confused|stuck|lost|frustrated|happy|disappointed|annoyed|satisfied|upset|mad|angry) (?:by|"
        r"about|with|on|at|in) (?:this|that|your|you|the (?:answer|response|question|code|error|result))|not|mad "
        r"(?:men|max)|"
        r"good (?:morning|to)|sure|confident (?:that|in)|grateful for (?:your|the (?:help|advice))|thankful for "
        r"(?:your|the (?:help|advice)))\b", words)  # fmt: skip
    return polite is None and not _ASSISTANT.search(words)


def unasked(values: Values, clause: Clause) -> bool:
    """Told for its own sake, not as the preamble of a request."""
    return not clause.asks


def an_event(values: Values, clause: Clause) -> bool:
    """Something that happened to the person, told for its own sake."""
    phrase = values.get("object", "")
    transactional = re.search(
        r"\b(?:error|exception|code|script|card|account|transaction|charge|bill|order|package|email|message|text|"
        r"notification|code|answer|this|your|you|that (?:you|it))\b", phrase, re.I)  # fmt: skip
    return not clause.asks and transactional is None
