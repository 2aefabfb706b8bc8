"""What the person wants: goals, plans, what they are learning and making."""

from __future__ import annotations

from keepsake.domain.extraction.rules import checks
from keepsake.domain.extraction.rules.rule import rule
from keepsake.domain.memory import MemoryType, Subtype

_GOAL = MemoryType.GOAL

_LIFE_GOALS = (
    r"start (?:uni|university|college|(?:law|med|medical|grad|graduate|art|nursing) school|a new job)\b.{0,40}|"
    r"be(?:come)? (?:an? |the )?[\w -]{3,60}|learn (?!something|about|more|what|why|when|where|how to (?!play|swim|"
    r"cook|sing|dance|drive|code|"
    r"program|surf|ski|paint|draw|sew|knit|speak|ride|sail|fly|skate|box|meditate|weld|bake|fish|hunt|garden|juggle|"
    r"crochet|sculpt|dive|row|climb|carve|whittle|type|sign|brew|forage|snowboard|kayak|do (?:calligraphy|"
    r"woodworking|pottery|ceramics|magic|yoga))).{3,60}|run (?:an?|the|my|in) "
    r".{3,60}|write (?:an?|my) "
    r"(?:[\w-]+ ){0,2}(?:book|novel|memoir|screenplay|blog|album).{0,40}|(?:start|open|launch|build|grow|found) "
    r"(?:an?|my|our)(?: own)? (?:[\w-]+ ){0,3}(?:business|company|"
    r"family|shop|restaurant|bakery|cafe|store|startup|career|farm|nonprofit|podcast|channel|blog|studio|"
    r"practice).{0,40}|"
    r"lose (?:weight|\d+|some weight|a few).{0,40}|get (?:in(?:to)? (?:shape|better shape|college|medical school|"
    r"law school|grad school)|fit|fitter|healthy|"
    r"healthier|married|a (?:degree|phd|dog|cat|puppy|kitten|promotion|tattoo)|my (?:degree|license|phd|masters?)|"
    r"out of debt|stronger|sober|pregnant).{0,50}|"
    r"(?:quit|stop|give up) (?:smoking|drinking|vaping|my job|sugar|gambling|caffeine|coffee).{0,40}|retire .{0,50}|"
    r"travel (?:the world|more|to|around|across).{0,50}|"
    r"visit (?:every|all) .{3,50}|(?:move|relocate|emigrate|immigrate) (?:to|abroad|out|back|closer|in with).{0,50}|"
    r"save (?:up|money|enough|for|\$).{0,50}|"
    r"(?:buy|own|build) (?:an?|my|our) (?:[\w-]+ ){0,3}(?:house|home|farm|boat|cabin|apartment|condo|ranch|"
    r"motorcycle|van|rv)\b.{0,40}|"
    r"graduate .{0,50}|go (?:back )?to (?:college|university|grad(?:uate)? school|law school|med(?:ical)? school|"
    r"business school|school|culinary school)"
    r".{0,50}|have (?:kids|children|a family|a baby|\d+ kids|more kids).{0,40}|(?:climb|hike|walk the|cycle (?:the|"
    r"to|across)|sail|row|finish|complete|win|"
    r"compete in|qualify for|"
    r"break|master|achieve|publish|record|adopt|foster) .{3,60}|make (?:the world|it big|a difference|partner|the "
    r"team).{0,40}|read (?:\d+|[a-z]+ty|a hundred|twenty[- ]\w+) (?:books|novels|pages).{0,40}|"
    r"eat (?:healthier|better|less|more).{0,40}|exercise more.{0,30}|drink (?:less|more).{0,30}|sleep (?:more|"
    r"better).{0,20}|work (?:in|as|for|on myself|abroad|"
    r"remotely).{2,50}|help (?:people|others|animals|the ).{0,50}|improve my .{3,50}|spend more time .{3,50}|have "
    r"fun with my .{2,30}|pursue .{3,60}|change careers?.{0,40}|"
    r"study (?!tips|for (?:my|an?|the|this) (?:exam|test|final|quiz)).{3,60}|live (?:in|on|abroad|off|by|to|"
    r"closer).{2,60}|pass (?:the|my) (?:bar|boards?|driving).{0,30}"
)

RULES = (
    rule(r"I would (?:really |absolutely )?(?:love|like) to (?:one day |someday )?(?P<object>.{3,100}?) (?:some ?day|"
         r"one day)", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2, text="Wants to {object} one day",
         check=checks.solid),
    rule(r"(?:when I grow up |one day |someday )?I (?:just )?(?:want|would like(?= to learn)|hope|aspire|aim|plan|"
         r"intend|have decided|"
        r"decided|am planning|am hoping|am determined|am trying|am working|have always wanted|would love|am "
         r"going|wish|dream|am saving up|am saving|am aiming|am preparing|strive) (?:one day |someday |to one day |"
         r"eventually |very much |really )?to (?:eventually |finally |one day |someday |really |some day )?"
         rf"(?P<object>{_LIFE_GOALS})", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2, check=checks.a_goal),
    rule(r"I (?:am|have been) (?:training|preparing) (?:for|to run|to do|to climb|to compete in) (?P<object>(?!my "
        r"(?:exam|test|final|interview)|an? (?:exam|test|interview)|the (?:exam|test|"
         r"interview)).{3,80})", "goal|train_{object}", Subtype.OTHER, type=_GOAL, importance=2),
    rule(r"my (?:\w+ )?(?:goal|dream|ambition|aim|plan|resolution|new year'?s resolution|bucket list|life goal|"
        r"dream job)s?(?: for [\w' ]{2,30})?(?: in life)? is (?:to |being |becoming )?"
         r"(?P<object>(?!over|crushed|dead|not).{3,120})", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2,
         check=checks.solid),
    rule(r"I (?:dream of|dream about|have a dream of|have dreams of|am dreaming of|look forward to|have my heart "
        r"set on|aspire to be|aspire to become) (?P<object>(?!hearing|your|seeing you|"
         r"chatting|it\b|working with you).{3,120})", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2,
         check=checks.solid),
    rule(r"I am (?:currently |now |also |slowly |still )?(?:learning|teaching myself|taking (?:lessons|classes|a "
        r"course) in|studying up on|getting into|practicing|working toward|working towards) "
         r"(?P<object>(?!about|that|more|a lot|so much|how to (?:use|do|get|fix|write|make|set)|the (?:basics|"
         r"ropes)).{2,80})", "learning|{object}", Subtype.OTHER, type=_GOAL,
         importance=2, check=checks.solid),
    rule(r"I am (?:currently |now |also )?(?:writing|working on|building|developing|creating|making|recording|"
        r"composing|restoring|renovating) (?P<object>(?:an?|my(?: own)?|our) (?:[\w-]+ ){0,4}"
         r"(?:book|novel|memoir|screenplay|album|startup|app|game|business|phd|thesis|dissertation|degree|masters?|"
         r"boat|house|car|documentary|film|"
         r"podcast|website|blog|company|masterpiece|trilogy|side project|open[- ]source project|cookbook|"
         r"dashboard(?: redesign)?|redesign))\b(?P<rest>.{0,80})", "goal|project_{object}",
         Subtype.OTHER, type=_GOAL, importance=2, entity_type="project", check=checks.settled),
    rule(r"I am (?:getting|planning on getting|planning to get|ready to get) (?P<object>(?:married|divorced|engaged|"
        r"a divorce|my (?:phd|degree|masters?))\b.{0,60})",
         "goal|get_{object}", Subtype.OTHER, type=_GOAL, importance=2),
    rule(r"I am (?:planning|saving(?: up)?|hoping|getting ready|ready|aiming|applying) (?:for |on |to "
        r")?(?P<object>(?!attend|visit|explore|go\b|start|use|buy|purchase|book|cook|make|do\b|host|invite|watch|"
        r"see|"
         r"eat|try|travel|take a trip|a trip|my trip|a (?:family |weekend )?(?:vacation|trip|party|dinner|birthday|"
         r"hiking)|an important|your|it\b|you|this|that|leave|hear|learn more|get\b|order).{3,100})",
         "goal|{object}", Subtype.OTHER, type=_GOAL, check=checks.settled),
    rule(r"(?:I|we) (?:am|are) (?:planning|going on|taking|organi[sz]ing|hosting) (?P<object>(?:an?|our|my) "
        r"(?:[\w'-]+ ){0,4}(?:trip|vacation|holiday|honeymoon|wedding|reunion|road trip|cruise|getaway|"
         r"retreat|expedition|baby shower)\b.{0,100})", "plan|{object}", Subtype.EVENT, check=checks.settled),
    rule(r"(?:I|we) (?:am|are) (?:going|travel+ing|flying|heading|visiting) (?P<object>(?!(?:to )?(?:bed|sleep|work|"
        r"the (?:store|gym|bathroom|shop|mall|bank)|be|get|do|make|try|need|have|ask|say|use|go|take|rent|see|call|"
        r"buy|give|pay|cook|eat|order|start|write|tell|put|keep|check)\b)(?!on\b|for\b|"
        r"through|with\b|crazy|back|home|out\b|now\b|in (?:circles|to)|well|great|good|ok|fine|down|up\b|over|nuts|"
        r"insane|straight|off).{3,80})", "plan|{object}", Subtype.EVENT, check=checks.settled),
    rule(r"(?:I|we) will be (?P<object>(?:visiting|travel+ing|going|moving|taking|starting|attending|graduating|"
        r"studying|working|living)\b.{3,80})", "plan|{object}",
         Subtype.EVENT, check=checks.settled),
    rule(r"I will (?P<object>(?:graduate|start|retire|turn|move|finish|be \d+|get married|become)\b.{3,80})",
        "plan|{object}", Subtype.OTHER, type=_GOAL,
         check=checks.settled),
    rule(r"I plan (?:to|on) (?P<object>(?!use|ask|try|buy|order|cook|watch|book).{3,100})", "goal|{object}", Subtype.
        OTHER, type=_GOAL, importance=2, check=checks.settled),
)  # fmt: skip
