"""What no longer holds: the person takes something back, or says what it was before."""

from __future__ import annotations

from keepsake.domain.english.word_patterns import PETS
from keepsake.domain.extraction.rules import checks, habit_checks
from keepsake.domain.extraction.rules.rule import rule
from keepsake.domain.memory import MemoryType, Subtype

_ID = Subtype.IDENTITY
_P = Subtype.PREFERENCE
_NO_MORE = r"(?:anymore|any longer|now|these days|nowadays)"

_WHEN = (
    r"(?: (?:in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|the "
    r"\w+)|last \w+|this \w+|(?:\w+|a few|a couple of) (?:days?|weeks?|months?|years?) ago|recently|altogether|"
    r"completely|"
    r"for good|entirely|cold turkey))?"
)
_STOPPED = r"(?:have )?(?:just |recently |finally )?(?:stopped|quit|gave up|given up|am done)"

_TAKING = tuple(
    rule(rf"I (?:(?:do not|don't) (?:really |even )?{verb} (?P<object>.{{2,80}}?) {_NO_MORE}|no longer {verb} "
         rf"(?P<object2>.{{2,80}})|{_STOPPED} {verb}ing (?P<object3>.{{2,80}}?)(?: {_NO_MORE})?{_WHEN})",
         "likes|{object}",
         _P, value="dislike", importance=2, text=f"No longer {verb}s {{object}}", corrects=True, check=checks.solid)
    for verb in ("eat", "drink")
)  # fmt: skip

_PARTNERS = r"wife|husband|spouse|partner|girlfriend|boyfriend|gf|bf|fianc[eé]e?"
_PARTED = r"(?:have )?(?:just |recently |finally )?(?:broke|broken|split) up"
_SINCE = r"(?:,? (?:yesterday|today|after|because|since|over|and|so|when|at|on)\b.*)?"
_SOMEBODY = r"(?P<name>(?-i:[A-Z])[\w'-]+)"
_SOMEBODY2, _SOMEBODY3, _SOMEBODY4 = (_SOMEBODY.replace("<name>", f"<name{n}>") for n in (2, 3, 4))
_DIED = (
    r"(?:has )?(?:just |recently |sadly |unfortunately )?(?:died|passed(?: away)?|was put (?:down|to sleep)|"
    r"had to be put (?:down|to sleep))"
)

ENDINGS = (
    rule(rf"(?:my|our) (?:(?:old|older|dear|beloved|sweet|poor|little) )*(?P<pet>{PETS}),?(?: (?P<name>(?-i:[A-Z])"
         rf"[\w'-]+),?)? {_DIED}{_WHEN}{_SINCE}", "lost|{animal}", Subtype.EVENT, value="{pet}", importance=2,
         text="{pet} {name} died", corrects=True, label="{name}"),
    rule(rf"(?:I {_PARTED} with my (?P<rel>{_PARTNERS})|my (?P<rel2>{_PARTNERS}) and I {_PARTED}|my "
         rf"(?P<rel3>{_PARTNERS}) (?:just |recently )?(?:left|dumped|broke up with) me)(?: [A-Z][\w'-]+)?"
         rf"{_WHEN}{_SINCE}",
         "relationship_status", _ID, value="broke_up_with_{rel}", text="Broke up with their {rel}", importance=2,
         corrects=True),
    rule(rf"(?:(?:me and )?{_SOMEBODY} and (?:I|me) {_PARTED}|me and {_SOMEBODY2} {_PARTED}|I {_PARTED} with "
         rf"{_SOMEBODY3}|{_SOMEBODY4} (?:just |recently )?(?:dumped|broke up with) me){_WHEN}{_SINCE}",
         "relationship_status", _ID, value="broke_up_with_{name}", text="Broke up with {name}", importance=2,
         corrects=True, check=checks.spelled_as_name),
    rule(rf"we {_PARTED}{_WHEN}{_SINCE}", "relationship_status", _ID, value="broke_up", text="Broke up", importance=2,
         corrects=True),
    rule(rf"(?P<name>(?-i:[A-Z])[\w'-]+) {_DIED}{_WHEN}{_SINCE}", "lost|{name}", Subtype.EVENT, importance=2,
         text="{name} died", corrects=True, label="{name}", only_if_subject_known=True, check=checks.spelled_as_name),
)  # fmt: skip

RULES = (
    *ENDINGS,
    *_TAKING,
    rule(rf"I {_STOPPED} (?:training|preparing) for (?P<object>.{{3,60}}?)(?: {_NO_MORE})?{_WHEN}",
         "goal|train_{object}",
         Subtype.OTHER, type=MemoryType.GOAL, text="No longer trains for {object}", retracts=True, corrects=True),
    rule(rf"I {_STOPPED} learning (?P<object>.{{2,60}}?)(?: {_NO_MORE})?{_WHEN}", "learning|{object}",
         Subtype.OTHER, type=MemoryType.GOAL, text="No longer learns {object}", retracts=True, corrects=True),
    rule(rf"I (?:do not|no longer) (?:really )?(?:want|plan|hope) to (?P<object>.{{3,80}}?) {_NO_MORE}",
         "goal|{object}",
         Subtype.OTHER, type=MemoryType.GOAL, text="No longer wants to {object}", retracts=True, corrects=True),
    rule(r"I no longer (?:want|plan|hope) to (?P<object>.{3,80})", "goal|{object}",
         Subtype.OTHER, type=MemoryType.GOAL, text="No longer wants to {object}", retracts=True, corrects=True),
    rule(rf"I {_STOPPED} (?!eating|drinking|liking|loving|enjoying)(?P<doing>[a-z]{{2,12}}ing\b.{{0,60}}?)"
         rf"(?: {_NO_MORE})?{_WHEN}",
         "habit|{doing}", Subtype.HABIT, value="no", type=MemoryType.PATTERN, text="Stopped {doing}", corrects=True,
         check=habit_checks.a_habit_given_up),
    rule(r"(?:nobody|no one|people do not|they do not|no[- ]one) (?:calls?|ever calls?) me (?P<name>[^\W\d][\w'-]*) "
         rf"{_NO_MORE}", "nickname", _ID, value="{name}", text="Is no longer called {name}", retracts=True,
         corrects=True, check=checks.named),
    rule(r"(?:I|we) (?:have )?(?:just |recently |finally )?sold (?:the|my|our) "
         r"(?P<object>(?!ideas?\b|tickets?\b|plan\b|story\b)[\w'-]+"
         r"(?: (?!to\b|on\b|for\b|last\b|in\b|at\b)[\w'-]+){0,2})"
         r"(?: (?:to|on|for|last|in|at) .*)?",
         "has|{object}",
         Subtype.POSSESSION, value="no", text="No longer has {object}", corrects=True),
    rule(r"I (?:have )?(?:just |recently |finally )?switched (?:from (?P<old>[\w' -]{2,40}?) )?to "
         r"(?P<object>[\w' -]{2,40})", "switched|{object}", _P, corrects=True, check=checks.solid),
    rule(r"I (?:do not|don't) (?:really |even )?(?:like|love|enjoy|eat|drink|care for) (?P<object>.{2,80}?) "
        rf"{_NO_MORE}", "likes|{object}", _P,
         value="dislike", importance=2, text="Does not like {object} any more", corrects=True, check=checks.solid),
    rule(r"I no longer (?:like|love|enjoy|eat|drink|care for) (?P<object>.{2,80})", "likes|{object}", _P, value=
        "dislike", importance=2,
         text="Does not like {object} any more", corrects=True, check=checks.solid),
    rule(r"I (?:used to|once) (?:like|love|enjoy|eat|be into) (?P<object>.{2,80})", "likes|{object}", _P, value=
        "like", retracts=True, corrects=True,
         check=checks.solid),
    rule(r"I (?:stopped|quit|gave up) (?:liking|eating|drinking|loving|enjoying) (?P<object>.{2,80}?)(?: "
        rf"{_NO_MORE})?{_WHEN}", "likes|{object}", _P, value="dislike", importance=2,
         text="Does not like {object} any more", corrects=True, check=checks.solid),
    rule(rf"I (?:do not (?:work|live) (?:at|for|with) (?P<place>.{{2,60}}?) {_NO_MORE}|no longer work (?:at|for|"
        r"with) (?P<place2>.{2,60})|(?:just |recently )?(?:quit|left)"
         r" (?!my\b|the (?:house|office|room|party|app)|work\b|home\b|smoking|drinking|school|"
         r"early)(?P<place3>(?-i:[A-Z])[\w&' -]{1,40}))", "employer", _ID, value="{place}",
         text="No longer works at {place}", retracts=True, corrects=True),
    rule(r"I used to work (?:at|for|with|in) (?P<place>.{2,60})", "employer", _ID, value="{place}", text=
        "Used to work at {place}", retracts=True,
         corrects=True),
    rule(r"I used to (?:work as|be) (?P<job>an? .{3,60})", "occupation", _ID, value="{job}", text="Used to be {job}",
        retracts=True, corrects=True),
    rule(rf"I (?:do not live in (?P<place>.{{2,60}}?) {_NO_MORE}|no longer live in (?P<place2>.{{2,60}}))", "home",
        _ID, value="{place}",
         text="No longer lives in {place}", retracts=True, corrects=True),
    rule(r"I used to live in (?P<place>[^,;]{2,60})", "home", _ID, value="{place}", text="Used to live in {place}",
        retracts=True, corrects=True),
    rule(rf"I (?:am (?:no longer|not)|{_STOPPED} being) (?:an? )?(?P<diet>vegan|vegetarian|pescatarian)"
         rf"(?: anymore)?{_WHEN}", "diet", _P, value="{diet}", retracts=True, corrects=True,
         text="No longer {diet}"),
    rule(rf"I am (?:no longer (?P<job>(?:an? )?(?:[\w-]+ ){{0,3}}?[\w-]+)|not (?P<job2>(?:an? )?(?:[\w-]+ ){{0,3}}?"
         rf"[\w-]+) {_NO_MORE})", "occupation", _ID, value="{job}", text="No longer {job}", retracts=True,
         corrects=True, check=checks.a_job),
    rule(rf"I (?:have )?(?:just |recently |finally )?(?:gave|given) up on (?P<object>(?:the |my )?(?!you\b|it\b|this\b|"
         rf"that\b|him\b|her\b|them\b)[\w' -]{{2,40}}?){_WHEN}", "likes|{object}", _P, value="dislike",
         text="Gave up on {object}", corrects=True, check=checks.solid),
    rule(r"I am (?:no longer (?P<status>married|single|engaged|divorced|in a relationship)\b.*|not "
         r"(?P<status2>married|single|engaged|divorced)(?: anymore| at all)?)", "relationship_status",
        _ID, value="{status}", retracts=True,
         corrects=True),
    rule(rf"my favorite (?P<thing>[\w' -]{{2,40}}?) (?:is not|is no longer) (?P<value>.{{2,60}}?)(?: {_NO_MORE})?",
        "favorite_{thing}", _P, value="{value}",
         retracts=True, corrects=True),
    rule(r"(?:please )?(?:do not|stop|never) (?:call|calling) me (?P<name>[^\W\d][\w'-]*)(?: (?:anymore|again|"
        r"please|ever|any longer))*", "nickname", _ID, value="{name}",
         text="Does not want to be called {name}", retracts=True, corrects=True, importance=2, check=checks.named),
    rule(rf"my name is not (?P<name>[^\W\d][\w'-]*)(?: {_NO_MORE})?", "name", _ID, value="{name}",
         silent=True, retracts=True, corrects=True, check=checks.named),
    rule(rf"I (?:do not have (?:an? |my |any )?(?P<object>[\w' -]{{2,40}}?) {_NO_MORE}|no longer have (?:an? |my |"
        r"any )?"
         r"(?P<object2>[\w' -]{2,40}))", "has|{object}", Subtype.POSSESSION, value="no", corrects=True, check=checks.
         lasting),
    rule(r"I (?:do not|no longer) (?P<object>(?:run|smoke|drive|swim|play|go to|drink|work out|exercise|meditate|"
        r"date|travel|practice)\b.*?)(?: (?:anymore|any longer))", "habit|{object}",
         Subtype.HABIT, value="no", corrects=True, type=MemoryType.PATTERN),
    rule(r"I (?:used to) (?P<object>.{3,100})", "used_to|{object}", _ID, check=checks.settled),
)  # fmt: skip
