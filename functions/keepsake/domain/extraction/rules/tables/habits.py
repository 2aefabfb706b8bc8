"""What the person does, has and is: habits, skills, possessions, traits."""

from __future__ import annotations

from keepsake.domain.extraction.rules import checks, habit_checks
from keepsake.domain.extraction.rules.rule import rule
from keepsake.domain.memory import MemoryType, Subtype

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
    r"wrestle|juggle|birdwatch|forage|do (?:yoga|pottery|ceramics|woodworking|calligraphy|archery|parkour|judo|"
    r"taekwondo|boxing|climbing|origami|pilates|crossfit|karate|judo|ballet|improv|volunteer|live|my own|"
    r"stand-?up|crosswords|puzzles|"
    r"martial|weights|cardio|gymnastics|charity|a lot of|the (?:cooking|dishes))|go (?:to (?:the )?(?:gym|church|"
    r"mosque|temple|synagogue|mass|bed|concerts|"
    r"therapy|disney)|hiking|running|swimming|camping|fishing|skiing|dancing|bowling|hunting|surfing|on)|take "
    r"(?:\w+ ){0,3}(?:classes|lessons|walks?|baths?|care of)|"
    r"have (?:(?:a|an|my) )?(?:dinner|lunch|breakfast|coffee|tea|nap|lie-in|snack)|spend (?:most|my|time|a lot|"
    r"weekends?|hours|every)|buy only|suffer|"
    r"faint|struggle|dream of|fantasi[sz]e|live for|"
    r"stay (?:home|at home|up)|see .{3,40} (?:every|in concert)|visit .{3,40} every|love to|keep|"
    r"use (?:an?\b|my\b|only\b|public\b|they\b|(?-i:[A-Z][\w-]*))"
)
_SKILL_VERBS = (
    r"play|speak|cook|swim|dance|sing|code|program|draw|paint|sew|knit|drive|ski|surf|juggle|ride|bake|fly|sail|"
    r"write|read|type|touch|"
    r"move|see|hear|hold|lift|run|bench|do a|do the|solve|recite|teleport|whistle|skate|fix|build|make my own|make "
    r"the best|type"
)
HABITS = (
    rule(rf"I (?P<object>(?:{_ACTIVITIES})(?:\b.*)?)",
         "habit|{object}", _HABIT, type=_PATTERN, check=habit_checks.a_habit),
    rule(r"I (?P<object>(?:never|always) (?!understood|understand|knew|know|thought|said|heard|mind|got|forget|ask|"
        r"wondered|saw|told|mentioned|liked|ordered|received|asked|had|made|gave|wanted|"
         r"get (?:this|it|the|that)|have (?:to|trouble|issues|problems)).{3,150})", "habit|{object}", _HABIT, type=
         _PATTERN, check=checks.solid),
    rule(rf"I (?P<object>(?:can|am able to) (?:{_SKILL_VERBS})\b.*)", "can|{object}", _ID, check=habit_checks.a_skill),
    rule(r"I (?P<object>cannot (?:swim|drive|cook|dance|sing|ski|ride|read|see|hear|walk|eat|drink|have (?:gluten|"
        r"dairy|alcohol|kids|children)|digest|whistle|draw|fly)\b.*)", "cannot|{object}", _ID,
         importance=2, check=habit_checks.a_skill),
    rule(r"I am (?P<object>(?:not )?(?:very |really |pretty |quite |so |a )*(?:good|great|bad|terrible|awful|"
        r"excellent|skilled|talented|experienced|horrible|decent|amazing) (?:at|with|in) "
         r"(?!this|that|it|what|the moment).{3,80})", "skill|{object}", _ID),
    rule(r"I (?P<object>tend to (?!be\b|agree|think|forget|ask|use|get)[a-z]+ .{3,80})", "habit|{object}", _HABIT,
         type=_PATTERN, check=checks.settled),
    rule(r"I (?P<object>[a-z]+ .{3,80})", "habit|{object}", _HABIT, type=_PATTERN, check=habit_checks.a_regular_habit),
    rule(r"I know how to (?P<object>(?!do (?:it|this|that)|use (?:it|this)|fix (?:it|this)).{3,60})", "can|{object}",
        _ID, check=checks.settled),
    rule(r"I have (?P<object>(?:been (?:an?|in|on|with|sober|vegan|vegetarian|clean)\b|played|worked|lived|studied|"
        r"practiced|taught|done|run|owned|had|sung|danced|"
        r"volunteered|coached|raised|been (?!waiting|trying|looking|having|meaning|wanting|asking|feeling|"
        r"getting)\w+ing) .{3,100}? (?:for|since) "
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
         r"local|nerd|geek|gamer|foodie|bookworm|dreamer|blonde|brunette|redhead|ginger|bald|adopted|diabetic|coeliac|"
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

RULES = (*OWNS, *TRAITS, *HABITS)
