"""Where and how the person lives: home, work, studies."""

from __future__ import annotations

from keepsake.domain.extraction.rules import checks
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.rule import Values, rule
from keepsake.domain.memory import MemoryType, Subtype

_ID = Subtype.IDENTITY
_PLACE = (
    r"(?P<place>(?!an? |my |our |this |what|which|where|fear|denial|hope|poverty|peace|it\b|there|here\b)[^;]{2,60}?)"
)
_TAIL = (
    r"(?:,? (?:with (?:my|our|two|three|a|an|\d|his|her)\b.*|for (?:(?:the|about|over|almost|nearly|more) )*(?:\d+|"
    r"\w+) (?:years?|"
    r"months?|weeks?|decades?|now)\b.*|since .*|now|right now|at the moment|these days|currently|and .*|all my life|"
    r"(?:last|this) (?:week|month|year|summer|spring|fall|winter).*|in \d{4}|from .*|to (?:be|go|work|study|start|"
    r"pursue|live|take)\b.*|moved from .*|"
    r"(?:(?:about|over|almost|nearly) )?\w+ (?:years?|months?|weeks?|days?) ago|"
    r"a (?:few|couple of|year|month|week)\b.*ago|recently|yesterday|today|for "
    r"(?:work|school|"
    r"college|university|a job|my (?:job|work|studies))|if .*|where .*|when .*|so .*)){0,2}"
)
_SETTLED = r"(?:now|for good|permanently|these days)"


def _a_place(values: Values, clause: Clause) -> bool:
    """A place by its capital, and no mood ("home is where the heart is")."""
    return values.get("place", "")[:1].isupper()


HOME = (
    rule(rf"(?:I|we) (?:live|reside|am living|am residing|am based|are based|am located|am staying) in {_PLACE}{_TAIL}",
         "home", _ID, value="{place}", text="Lives in {place}", importance=2, also=True),
    rule(r"(?:I|we) (?:live|am living) (?P<object>(?:in (?:an?|my|our)|on|at|near|by|close to|next to|outside|with|"
        r"alone|together|"
         r"off|between|above|downtown|abroad|overseas)\b.*)", "living|{object}", _ID, check=checks.solid),
    rule(r"(?:I|we) (?:just |recently |finally |have (?:just |recently |finally )?)?(?:moved|relocated) (?:from "
        r"(?P<old>[^,;]{2,40}?) )?(?:back |here |out )?to "
         rf"(?P<place>(?!an? |my |our |this|the next|another|it\b|there|here\b)[^;]{{2,60}}?){_TAIL}", "home", _ID,
         value="{place}", text="Lives in {place}{moved}", importance=2, corrects=True),
    rule(rf"(?:I am (?:finally |now )?back (?:home )?in (?P<place>(?-i:[A-Z])[^;]{{2,60}}?) {_SETTLED}|now I am "
         rf"(?:back )?(?:living )?in (?P<place2>(?-i:[A-Z])[^;]{{2,60}}?)(?: {_SETTLED})?)", "home", _ID,
         value="{place}", text="Lives in {place}", importance=2, corrects=True),
    rule(r"(?:I|we) (?:moved|relocated) (?:here |back |over )?from (?P<place>(?-i:[A-Z])[^,;]{1,40}?) (?:(?:back )?in "
         r"\d{4}|(?:\w+ ){1,3}years ago|as a (?:kid|child|teen|teenager))", "moved_from|{place}", _ID),
    rule(r"(?:I|we) (?:just |recently |finally |have just )?(?:moved|relocated) (?P<object>.{3,60})", "move|{object}"
        , Subtype.EVENT),
    rule(r"(?:I|we) (?:am|are) (?:moving|relocating) (?P<object>(?:to|into|out of|back|in with|from|away)\b.{2,60})",
         "goal|move_{object}", _ID, type=MemoryType.GOAL),
    rule(r"(?:I|we) will (?:move|be moving|relocate) (?P<object>.{3,60})", "goal|move_{object}", _ID, type=MemoryType
        .GOAL),
    rule(rf"(?:my |our )?home (?:is|has been) (?:now )?{_PLACE}{_TAIL}", "home", _ID, value="{place}",
         text="Lives in {place}", importance=2, check=_a_place),
    rule(r"(?:I|we) (?P<object>share an? (?:house|flat|apartment|room|place|home|studio) with\b.{3,80})",
         "living|{object}", _ID),
    rule(r"my (?:current )?(?:home|address|house|apartment|flat|place) is (?:in|on) (?P<place>(?-i:[A-Z])[^;]{2,60})"
        , "home", _ID,
         value="{place}", importance=2),
    rule(r"my (?P<thing>house|home|apartment|flat|place|bedroom|room|kitchen|garden|yard|car|truck|bike|motorcycle|"
        r"boat|phone|laptop) "
         r"(?P<object>(?:is|has)(?: an?)? (?!(?:broken|dead|lost|missing|dirty|due|being|not|at|out|ready|late|down|"
         r"running|making|"
         r"so|too|very|really|acting|here|on fire|gone|about|in need|still|stuck|fine|ok|back|low|leaking|"
         r"overheating|slow)\b)"
         r"[^;]{3,60})", "owns|{thing}|{object}", Subtype.POSSESSION, check=checks.settled),
    rule(r"I (?P<object>lived (?:in|on|near|abroad)\b.{2,60})", "lived|{object}", _ID),
    rule(r"I (?:own|have|bought|just bought|rent) (?P<object>(?:my first |our first |an? )?(?:\w+ ){0,2}(?:house|"
        r"home|apartment|condo|farm|"
         r"cabin|flat|cottage|townhouse|ranch)\b.{0,60})", "owns|{object}", Subtype.POSSESSION, importance=2),
)  # fmt: skip

WORK = (
    rule(r"I (?:currently )?(?:work|am working|am employed|got a job|have a job|started(?: a new job| working)?|"
        r"start) (?:part[- ]time |full[- ]time |"
         r"remotely |nights |days )?(?:as (?P<job>an? [^;,]{3,40}?) )?(?:at|for|with|by|in) "
         r"(?P<place>(?!home|night|the moment|least|school|times|my |your |it\b|this |that |these |those |peace|"
         r"progress|person\b|general|"
         r"hours|improving|getting|making|a (?:while|few|bit|team|group)|fields?|shifts|mornings?|evenings?|"
         r"weekends?)[^;]{2,60}?)"
         r"(?:,? (?:as (?:an?|the) .*|since .*|for (?:\w+ )*(?:years?|months?)\b.*|now|to (?:pay|support|save)\b.*|"
         r"and .*|where .*|"
         r"at (?:night|nights)\b.*|in my town|near .*|these days|right now|on (?:the )?weekends?|during .*|because "
         r".*|part[- ]time|"
         r"full[- ]time|(?:mostly|mainly|usually|currently|often) .*|on \w+days?))?",
         "employer", _ID, value="{place}", importance=2, check=checks.settled, also=True),
    rule(r"I (?:work|am working|am employed|freelance|got a job|have a job|started) (?:part[- ]time |full[- ]time "
        r")?as (?P<job>(?:an? |the )?"
         r"[^;]{3,60}?)(?: (?:now|these days|right now|and .*))?", "occupation", _ID, value="{job}", importance=3,
         check=checks.a_job,
         also=True),
    rule(r"I (?:work|am working|freelance|volunteer|moonlight) (?P<object>(?:as|with|on (?!an? |the |my |this |that "
        r"|it\b|our )|from|nights|days|mornings|evenings|remotely|part|full|"
         r"night|two|three|long|overtime|in|at|for|the|a lot|weekends|\d)\b.*)", "work|{object}", _ID, check=checks.
         settled),
    rule(r"I am (?:now |currently |still |also )?(?:an? |the )(?P<job>(?:[\w-]+ ){0,3}?[\w-]+)(?: (?:by (?:trade|"
        r"profession)|now|for a living|"
         r"these days|(?:at|for|in|with) .*|who .*|and .*))?", "occupation", _ID, value="{job}", importance=3,
         check=checks.a_job, also=True),
    rule(r"I (?:just |recently |finally )?(?:became|have become) (?:an? )(?P<job>[\w -]{3,40})", "occupation", _ID,
         value="{job}", text="Is a {job}", importance=3, check=checks.a_job, corrects=True),
    rule(r"I have been an? (?P<job>[\w -]{3,40}?) (?:for|since) .*", "occupation", _ID, value="{job}", importance=3,
         check=checks.a_job),
    rule(r"my (?:job|occupation|profession|day job|current job|role|position|title|job title) is (?:an? |being an? |"
        r"to be an? |as an? )?"
         r"(?P<job>(?!so|very|really|too|great|good|hard|fun|boring|stressful|killing|not|in|at|ok|okay|going|"
         r"driving (?!the |an? |for )|making|the)"
         r"[^;]{3,60})", "occupation", _ID, value="{job}", importance=3),
    rule(r"I (?:currently )?(?P<object>(?:own|run|started|founded|co-?founded|manage|lead|operate|have) (?:an?|my "
        r"own|the|several|two|rental)\b"
         r"(?: [\w'&-]+){0,4} (?:business|company|startup|shop|store|restaurant|cafe|café|bakery|agency|firm|farm|"
         r"salon|studio|team|gym|"
         r"franchise|practice|clinic|properties|nonprofit|school|bar|blog|podcast|channel|bookstore)\b.*)",
         "business|{object}", _ID,
         importance=2, check=checks.settled),
    rule(r"I am (?P<object>(?:semi-?)?retired\b.*|unemployed\b.*|self[- ]employed\b.*|a freelancer\b.*|between "
        r"jobs\b.*|out of work\b.*|"
         r"laid off\b.*|on (?:maternity|paternity|parental|sick) leave\b.*|an intern\b.*|freelancing\b.*)",
         "work_status", _ID,
         value="{object}", importance=2),
    rule(r"I have been (?P<object>(?:retired|unemployed|self[- ]employed|working|a \w+)\b.{0,60})", "work|{object}",
        _ID,
         check=checks.settled),
    rule(r"I (?P<object>(?:recently |just |finally )?(?:retired|quit my job|left my job|lost my job|got (?:laid off|"
        r"fired|promoted|a promotion|"
         r"a new job|hired)|changed (?:jobs|careers)|switched (?:jobs|careers)|was (?:laid off|fired|promoted))\b.*)"
         , "work_change|{object}",
         Subtype.IDENTITY, corrects=True),
    rule(r"my (?:new |current )?job is (?:at|with) (?P<place>[^;]{2,40})", "employer", _ID, value="{place}", text=
        "Works at {place}",
         importance=2),
    rule(r"my (?:company|employer|workplace) is (?P<place>(?-i:[A-Z])[\w&' -]{1,40})", "employer", _ID, value=
        "{place}", importance=2),
    rule(r"I (?P<object>commute\b.{3,80}|(?:walk|bike|drive|cycle|take the (?:bus|train|subway|metro)|ride .{3,20}) "
        r"to (?:work|school)\b.*)",
         "commute|{object}", Subtype.HABIT, type=MemoryType.PATTERN),
)  # fmt: skip

STUDIES = (
    rule(r"I (?:am studying|study|am in (?:college|school|university)|am training|am going to school|went to school|"
        r"am taking classes) to "
         r"(?:be|become) (?P<object>[^;]{3,60})", "goal|become_{object}", _ID, type=MemoryType.GOAL, importance=2),
    rule(r"I (?:study|am studying|major in|am majoring in|majored in|minored in|have an? (?:\w+ )?(?:degree|"
        r"masters?|bachelors?|phd|doctorate|"
         r"master's|bachelor's) in|got my degree in) (?P<object>(?!for\b|a lot|hard|every|best|better|how|what|on|"
         r"at)[^;]{3,60})",
         "studies|{object}", _ID, importance=2, check=checks.solid),
    rule(r"I (?P<object>(?:go to|attend|graduated from|dropped out of|went to|am (?:attending|enrolled)|study at|am "
        r"a student at) (?:[\w'.-]+ ){0,5}?"
         r"(?:college|university|school|highschool|academy|institute|(?-i:[A-Z]{2,5}))\b.*)", "school|{object}", _ID,
         importance=2),
    rule(r"I am (?P<object>(?:an? |the )?(?:[\w-]+ ){0,4}(?:student|major|freshman|sophomore|junior|senior|"
        r"undergrad(?:uate)?|grad(?:uate)?|"
         r"phd candidate|dropout|valedictorian|alumn\w+)\b.*)", "student", _ID, value="{object}", importance=2),
    rule(r"I am (?P<object>(?:still |currently )?in (?:college|high ?school|middle school|grad(?:uate)? school|law "
        r"school|medical school|med school|"
         r"university|the \w+ grade|my (?:first|second|third|fourth|final|last|senior|junior) year|\w+ grade)\b.*)",
         "student", _ID,
         value="{object}", importance=2),
    rule(r"I (?:have )?(?:just |recently |finally )?(?P<object>(?:graduated|finished (?:college|school|high school|"
        r"university|my \w+)|got my (?:degree|"
         r"diploma|phd|master'?s|bachelor'?s))\b.*)", "graduated|{object}", _ID),
    rule(r"I have (?P<object>an? (?:\w+ )?(?:degree|phd|ph\.d|mba|doctorate|master'?s|bachelor'?s|diploma)\b.*)",
        "degree|{object}", _ID),
)  # fmt: skip

RULES = (*HOME, *WORK, *STUDIES)
