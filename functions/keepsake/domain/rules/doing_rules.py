"""What the person does, wants and owns: habits, skills, goals, possessions, traits."""

from __future__ import annotations

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.rules import checks
from keepsake.domain.rules.draft import rule

_GOAL = MemoryType.GOAL
_PATTERN = MemoryType.PATTERN
_HABIT = Subtype.HABIT
_ID = Subtype.IDENTITY

_ACTIVITIES = (
    r"run|jog|swim|bike|cycle|hike|walk|climb|surf|ski|skate|snowboard|row|kayak|sail|box|wrestle|lift|work out|"
    r"exercise|train|stretch|"
    r"meditate|pray|journal|garden|paint|draw|sketch|sculpt|sing|dance|act|write|blog|read|cook|bake|grill|brew|sew|"
    r"knit|crochet|quilt|craft|"
    r"play|practi[cs]e|perform|coach|teach|tutor|mentor|volunteer|donate|fundraise|collect|compete|race|fish|hunt|"
    r"camp|travel|backpack|"
    r"photograph|code|program|stream|game|vlog|podcast|drive|ride|fly|commute|sleep|wake|get up|nap|snore|smoke|"
    r"vape|drink|eat|fast|diet|"
    r"shop|thrift|save|invest|budget|recycle|compost|farm|grow|raise|breed|foster|babysit|attend|study|listen|watch|"
    r"follow|wear|speak|"
    r"build|fix|repair|restore|make|produce|compose|design|sell|own|manage|run|lead|serve|support|belong|celebrate|"
    r"observe|identify|"
    r"wrestle|juggle|birdwatch|forage|do (?:yoga|pilates|crossfit|karate|judo|ballet|improv|volunteer|live|my own|"
    r"stand-?up|crosswords|puzzles|"
    r"martial|weights|cardio|gymnastics|charity|a lot of|the (?:cooking|dishes))|go (?:to (?:the )?(?:gym|church|"
    r"mosque|temple|synagogue|mass|bed|concerts|"
    r"therapy|disney)|hiking|running|swimming|camping|fishing|skiing|dancing|bowling|hunting|surfing|on)|take "
    r"(?:\w+ ){0,3}(?:classes|lessons|walks?|baths?|care of)|"
    r"have (?:dinner|lunch|breakfast|coffee|tea)|spend (?:most|my|time|a lot|weekends?|hours|every)|buy only|suffer|"
    r"faint|struggle|dream of|fantasi[sz]e|live for|"
    r"stay (?:home|at home|up)|see .{3,40} (?:every|in concert)|visit .{3,40} every|love to|keep|"
    r"use (?:a|an|my|only|public|they)\b"
)
_SKILL_VERBS = (
    r"play|speak|cook|swim|dance|sing|code|program|draw|paint|sew|knit|drive|ski|surf|juggle|ride|bake|fly|sail|"
    r"write|read|type|touch|"
    r"move|see|hear|hold|lift|run|bench|do a|do the|solve|recite|teleport|whistle|skate|fix|build|make my own|make "
    r"the best|type"
)
_LIFE_GOALS = (
    r"be(?:come)? (?:an? |the )?[\w -]{3,60}|learn (?!something|about|more|what|why|when|where|how to (?!play|swim|"
    r"cook|sing|dance|drive|code|"
    r"program|surf|ski|paint|draw|sew|knit|speak|ride|sail|fly|skate|box|meditate)).{3,60}|run (?:an?|the|my|in) "
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
    r".{0,50}|have (?:kids|children|a family|a baby|\d+ kids|more kids).{0,40}|(?:climb|hike|finish|complete|win|"
    r"compete in|qualify for|"
    r"break|master|achieve|publish|record|adopt|foster) .{3,60}|make (?:the world|it big|a difference|partner|the "
    r"team).{0,40}|read \d+ .{3,40}|"
    r"eat (?:healthier|better|less|more).{0,40}|exercise more.{0,30}|drink (?:less|more).{0,30}|sleep (?:more|"
    r"better).{0,20}|work (?:in|as|for|on myself|abroad|"
    r"remotely).{2,50}|help (?:people|others|animals|the ).{0,50}|improve my .{3,50}|spend more time .{3,50}|have "
    r"fun with my .{2,30}|pursue .{3,60}|change careers?.{0,40}|"
    r"study (?!tips|for (?:my|an?|the|this) (?:exam|test|final|quiz)).{3,60}|live (?:in|on|abroad|off|by|to|"
    r"closer).{2,60}|pass (?:the|my) (?:bar|boards?|driving).{0,30}"
)

GOALS = (
    rule(r"(?:when I grow up |one day |someday )?I (?:just )?(?:want|hope|aspire|aim|plan|intend|have decided|"
        r"decided|am planning|am hoping|am determined|am trying|am working|have always wanted|would love|am "
         r"going|wish|dream|am saving up|am saving|am aiming|am preparing|strive) (?:one day |someday |to one day |"
         r"eventually |very much |really )?to (?:eventually |finally |one day |someday |really |some day )?"
         rf"(?P<object>{_LIFE_GOALS})", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2, check=checks.a_goal),
    rule(r"I (?:am|have been) (?:training|preparing) (?:for|to run|to do|to climb|to compete in) (?P<object>(?!my "
        r"(?:exam|test|final|interview)|an? (?:exam|test|interview)|the (?:exam|test|"
         r"interview)).{3,80})", "goal|train_{object}", Subtype.OTHER, type=_GOAL, importance=2),
    rule(r"my (?:\w+ )?(?:goal|dream|ambition|aim|plan|resolution|new year'?s resolution|bucket list|life goal|"
        r"dream job)s?(?: for [\w' ]{2,30})?(?: in life)? is (?:to |being |becoming )?"
         r"(?P<object>(?!over|crushed|dead|not).{3,120})", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2),
    rule(r"I (?:dream of|dream about|have a dream of|have dreams of|am dreaming of|look forward to|have my heart "
        r"set on|aspire to be|aspire to become) (?P<object>(?!hearing|your|seeing you|"
         r"chatting|it\b|working with you).{3,120})", "goal|{object}", Subtype.OTHER, type=_GOAL, importance=2),
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

HABITS = (
    rule(rf"I (?P<object>(?:{_ACTIVITIES})(?:\b.*)?)", "habit|{object}", _HABIT, type=_PATTERN, check=checks.a_habit),
    rule(r"I (?P<object>(?:never|always) (?!understood|understand|knew|know|thought|said|heard|mind|got|forget|ask|"
        r"wondered|saw|told|mentioned|liked|ordered|received|asked|had|made|gave|wanted|"
         r"get (?:this|it|the|that)|have (?:to|trouble|issues|problems)).{3,150})", "habit|{object}", _HABIT, type=
         _PATTERN, check=checks.solid),
    rule(rf"I (?P<object>(?:can|am able to) (?:{_SKILL_VERBS})\b.*)", "can|{object}", _ID, check=checks.a_skill),
    rule(r"I (?P<object>cannot (?:swim|drive|cook|dance|sing|ski|ride|read|see|hear|walk|eat|drink|have (?:gluten|"
        r"dairy|alcohol|kids|children)|digest|whistle|draw|fly)\b.*)", "cannot|{object}", _ID,
         importance=2, check=checks.a_skill),
    rule(r"I am (?P<object>(?:not )?(?:very |really |pretty |quite |so |a )*(?:good|great|bad|terrible|awful|"
        r"excellent|skilled|talented|experienced|horrible|decent|amazing) (?:at|with|in) "
         r"(?!this|that|it|what|the moment).{3,80})", "skill|{object}", _ID),
    rule(r"I know how to (?P<object>(?!do (?:it|this|that)|use (?:it|this)|fix (?:it|this)).{3,60})", "can|{object}",
        _ID, check=checks.settled),
    rule(r"I have (?P<object>(?:been|played|worked|lived|studied|practiced|taught|done|run|owned|had|sung|danced|"
        r"volunteered|coached|raised|been \w+ing) .{3,100}? (?:for|since) "
         r"(?:(?:about|over|almost|nearly|more than|the (?:last|past)|like|at least|around|well over|a|an|i was|i|"
         r"my) )*(?:\d+|\w+)\b.*)", "history|{object}", _ID, check=checks.settled),
    rule(r"I have (?P<object>(?:been to|visited|traveled to|never been (?:to|out of|in)|never had|never (?:\w+ed)|"
        r"not been to|not visited|not spoken|run in|won|completed|written|published|climbed|fostered|hiked) "
        r".{3,100})",
         "history|{object}", _ID, check=checks.settled),
    rule(r"I (?P<object>(?:won|earned|published|invented|founded|served in|was in the|joined the|competed in|helped "
        r"found|spent \w+ \w+) .{3,100})", "history|{object}", _ID, check=checks.settled),
    rule(r"(?P<object>(?:reading|running|cooking|hiking|gaming|painting|writing|music|gardening|yoga|dancing|"
        r"singing|photography|swimming|knitting|baking|traveling|fishing)\b[^;]{0,40}) (?:helps me|relaxes me|"
         r"calms me|makes me happy|keeps me sane|keeps me going|is how I)\b.*", "likes|{object}", Subtype.PREFERENCE,
         value="like"),
    rule(r"my (?P<object>(?:\w+ )?(?:morning |daily |evening |weekly |nightly |workout |skincare )?(?:routine|"
        r"ritual|schedule|bedtime) (?:is|includes|starts|consists)\b.{3,120})", "routine|{object}", _HABIT,
         type=_PATTERN, check=checks.settled),
)  # fmt: skip

OWNS = (
    rule(r"I (?:have|own|drive|collect|possess) (?P<object>(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|"
        r"ten|my own|several|some|many|over|around|about|more than|lots of|a lot of|\d[\d,]*|no|a few|a couple of|"
        r"multiple|the|"
         r"rental|solar|natural|naturally|very|long|short|curly|straight|blonde?|red|brown|black|blue|green|hazel|"
         r"grey|gray|rainbow|dark|light|super|magical|strange|sensitive|extremely|severe|chronic|bad|poor|perfect|"
         r"type)\b).{2,120})",
         "has|{object}", Subtype.POSSESSION, check=checks.lasting),
    rule(r"I have (?P<object>superpowers|tattoos|freckles|braces|dreadlocks|diabetes|asthma|adhd|autism|anxiety|"
        r"depression|celiac(?: disease)?|epilepsy|arthritis|ocd|ptsd|dyslexia|insomnia|children|kids|roommates|"
        r"siblings)\b.*", "has|{object}",
         Subtype.POSSESSION),
    rule(r"I (?:just |recently |finally )?(?:bought|purchased|inherited|adopted|acquired|built) (?P<object>(?:an?|"
        r"my|our|two|three) .{3,80})", "got|{object}", Subtype.EVENT,
         check=checks.settled_lasting),
    rule(r"I do not (?:have|own) (?P<object>(?:an? |any |much |many )?(?!idea|clue|time|questions?|access|enough|"
        r"preference|problem|the|it|that|this|your|to|anything).{3,60})",
         "has|{object}", Subtype.POSSESSION, value="no", check=checks.settled_lasting),
    rule(r"my (?P<object>(?:hair|eyes|skin|height|weight|blood type|shoe size|first car|car|dream \w+|accent) (?:is|"
        r"are|was) (?!(?:on fire|dirty|wet|a mess|broken|dead|killing|dry|itchy|watering|burning|stuck|missing|lost|"
         r"in|at|not|being|making|acting|low|due|tired|red and|sore)\b).{2,60})", "body|{object}", _ID, check=checks.
         settled),
)  # fmt: skip

TRAITS = (
    rule(r"I (?:am|was) (?P<object>(?:(?:an?|the|also a|very|really|pretty|quite|rather|fairly|relatively|extremely|"
        r"partly|partially|legally|completely|kind of|super|so|too|naturally|deathly|not a|not|no longer|high|"
        r"always|a very) )*"
         r"(?:shy|introvert(?:ed)?|extrovert(?:ed)?|ambivert|outgoing|quiet|tall|short|skinny|thin|overweight|"
         r"athletic|left-handed|right-handed|ambidextrous|deaf|blind|colou?r-?blind|dyslexic|autistic|disabled|"
         r"strong|competitive|creative|"
         r"organi[sz]ed|disorgani[sz]ed|clumsy|lazy|ambitious|religious|spiritual|maintenance|a morning person|"
         r"morning person|night owl|early bird|homebody|recluse|workaholic|perfectionist|minimalist|optimist|"
         r"pessimist|activist|feminist|"
         r"liberal|conservative|democrat|republican|libertarian|socialist|veteran|survivor|immigrant|expat|native|"
         r"local|nerd|geek|gamer|foodie|bookworm|dreamer|blonde|brunette|redhead|ginger|bald|adopted|diabetic|"
         r"asthmatic|celiac|"
         r"pregnant|retired|gay|lesbian|bisexual|transgender|nonbinary|non-binary|queer|asexual|straight|sober|"
         r"clean|male|female|man|woman|boy|girl|guy|lady|vegan|claustrophobic|superstitious|picky eater|light "
         r"sleeper|heavy sleeper|frugal|"
         r"health-conscious|health conscious|environmentally conscious|free spirited|easy ?going|easy going|family "
         r"oriented|old[- ]fashioned|tech[- ]savvy|hard ?working|hardworking)\b(?! (?:about|because|today|right now|"
         r"to|that|if|with|of you|when)).*)",
         "is|{object}", _ID, check=checks.settled_lasting),
    rule(r"I am (?:now |currently |also |actually |still )*(?P<object>(?:an?|the|one of(?: the)?) (?!bit|little|lot|"
        r"few|mess|wreck|fool|idiot|big (?:mess|fool)|student of|horrible person|language model|loss|while|minute|"
        r"hurry|rush|dead|"
         r"horse|fraud|failure|loser|joke|user|customer|beginner|newbie|noob|king of|million|good point|day late|"
         r"fan of (?:your|that|this)).{2,120})", "is|{object}", _ID, check=checks.lasting),
    rule(r"I am (?P<object>(?:on|in|part of|a part of) (?:the|an?|my) (?:[\w'-]+ ){0,4}(?:team|band|army|navy|"
        r"marines|air force|military|choir|orchestra|club|league|committee|board|union|fraternity|sorority|reserves|"
        r"coast guard|police)\b.*)",
         "member|{object}", _ID, check=checks.settled),
    rule(r"I am (?P<object>always .{3,80})", "habit|{object}", _HABIT, type=_PATTERN, check=checks.settled),
    rule(r"I (?:used to be|was once) (?P<object>(?:an? |in ).{3,80})", "was|{object}", _ID),
    rule(r"I was (?P<object>(?:an?|the|born with|a former|in the (?:army|navy|military|marines|air force)|"
        r"homeschooled|bullied|diagnosed)\b.{3,80})", "was|{object}", _ID, check=checks.settled_lasting),
)  # fmt: skip

RULES = (*GOALS, *OWNS, *TRAITS, *HABITS)
