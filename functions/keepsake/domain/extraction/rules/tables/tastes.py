"""What the person likes, dislikes, avoids, prefers, cannot have."""

from __future__ import annotations

from keepsake.domain.extraction.rules import checks
from keepsake.domain.extraction.rules.rule import rule
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.memory import Subtype

_P = Subtype.PREFERENCE
_LIKES = "likes|{object}"
_OBJECT = r"(?P<object>.{2,300})"
_TRULY = (
    r"(?:(?:really|so|very|quite|absolutely|truly|deeply|totally|completely|just|particularly|pretty|super|"
    r"extremely|especially|all|"
    r"big|huge|that|too|a|such|much|of|generally|also|still|always|mildly|highly|terribly|more|deathly) )*"
)
_DIETS = r"(?:vegan|vegetarian|pescatarian|pescetarian|omnivore|carnivore|flexitarian)"
_STRENGTH = (
    r"(?:(?:very|really|extremely|pretty|quite|a bit of|kind of|a|an|such|bit of|deep|strong|severe|intense|slight|"
    r"real|huge|big|"
    r"great|mild|serious|strict|deep-rooted|deep-seated|lifelong|life-threatening|terrible|irrational|major|general|"
    r"personal|"
    r"particular|secret|profound|certain|soft|bad|crippling|clear|distinct|definite|rooted|seated|small|massive|"
    r"healthy) ?)*"
)

FAVORITES = (
    rule(r"my (?:all[- ]time |absolute |personal |current |number one |new )*(?P<kind>favorite|preferred|go-to|"
        r"dream|ideal|biggest|greatest|top) "
         r"(?P<thing>[\w' /&-]{2,50}?)(?: (?:of all time|ever|right now|now|these days))? (?P<be>is|are|was|has to "
         r"be|will always be|has always been|would be|is probably) "
         r"(?:now |still |currently |definitely |always )*(?P<value>(?!that|when|how|what|not\b|to (?:ask|know)|"
         r"it\b|this\b).{1,150}?)(?: (?:now|nowadays|these days))?",
         "favorite_{thing}", _P, value="{value}", text="{kind} {thing} {be} {value}", confidence=0.8, importance=2,
         check=checks.a_favorite),
    rule(r"(?P<value>(?!what|which|who|it\b|this|that|these|those|is\b|and\b|one of|some of|your|you).{2,100}?) "
        r"(?:is|are|has always been|will always be) "
         r"(?:definitely |probably |still |always |by far |also |now |one of )*my (?:all[- ]time |absolute |"
         r"personal |number one )*"
         r"(?:favorites?|preferred|go-to) (?P<thing>[\w' -]{2,40}?)(?: (?:of all time|ever|now|too|to .*))?",
         "favorite_{thing}", _P,
         value="{value}", text="Favorite {thing} is {value}", confidence=0.8, importance=2),
    rule(r"(?P<object>(?!I\b|what|which|who|it\b|this|that|these|those|is\b|your|you).{2,100}?) (?:is|are) "
        r"(?:definitely |still |always |by far |also )*"
         r"my (?:all[- ]time |absolute )?(?:favorites?|passion|hobby|hobbies|thing|jam|guilty pleasure|obsession|"
         r"happy place|escape)", _LIKES, _P,
         value="like", text="Loves {object}", confidence=0.8, importance=2, check=checks.solid),
    rule(r"my (?P<kind>hobby|hobbies|passions?|interests?|guilty pleasure|obsession) (?P<be>is|are|include) "
         r"(?P<object>.{2,150})", _LIKES, _P, value="like", text="{kind} {be} {object}", importance=2,
         check=checks.solid),
    rule(r"my (?P<kind>biggest fear|worst fear|pet "
        r"peeve|special talent) "
         r"(?:is|are|include) (?P<object>.{2,150})", "{kind}|{object}", _P, importance=2, check=checks.solid),
    rule(r"I have (?P<value>.{2,60}) as my favorite (?P<thing>[\w' -]{2,40})", "favorite_{thing}", _P, value=
        "{value}", confidence=0.8,
         importance=2, check=checks.a_favorite),
)  # fmt: skip

LEAST = (
    rule(r"my least favorite (?P<thing>[\w' -]{2,40}?) (?:is|are) (?P<object>.{2,80})",
         "likes|{object}", _P, value="dislike",
         text="Least favorite {thing} is {object}", importance=2, check=checks.solid),
    rule(r"(?P<object>(?!what|which|who|it\b|this|that|these|those|your).{2,60}?) (?:is|are) my least favorite "
         r"(?P<thing>[\w' -]{2,40})", "likes|{object}", _P, value="dislike", text="Least favorite {thing} is {object}",
         importance=2, check=checks.solid),
    rule(r"I (?:take|have|drink|like) my (?P<thing>coffee|tea|eggs?|steak|toast|martini|"
         r"espresso)s? (?P<object>.{3,60})",
         "takes|{thing}", _P, value="{object}", text="Takes their {thing} {object}", importance=2,
         check=checks.unasked),
    rule(r"I cannot do (?P<object>gluten|dairy|lactose|nuts|spicy(?: food)?|caffeine|alcohol|meat|sugar|soy|eggs|"
         r"shellfish|"
         r"seafood|heights|crowds|cold|heat)", "avoids|{object}", _P, importance=2, text="Cannot have {object}"),
)  # fmt: skip

NEEDS = (
    rule(rf"I am {_TRULY}allergic to {_OBJECT}", "allergy|{object}", _P, value="yes", text="Allergic to {object}",
        importance=MAX_IMPORTANCE,
         check=checks.solid),
    rule(rf"I am (?:not|no longer) (?:actually )?allergic to {_OBJECT}", "allergy|{object}", _P, value="no",
        importance=2,
         text="Not allergic to {object}", check=checks.solid, corrects=True),
    rule(rf"I (?:have|suffer from) {_STRENGTH}allerg(?:y|ies) to {_OBJECT}", "allergy|{object}", _P, value="yes",
        text="Allergic to {object}",
         importance=MAX_IMPORTANCE, check=checks.solid),
    rule(rf"I (?:have|suffer from) {_STRENGTH}(?P<object>(?:tree )?[\w-]+) allerg(?:y|ies)\b.*", "allergy|{object}",
        _P, value="yes",
         importance=MAX_IMPORTANCE),
    rule(r"(?P<object>(?!it\b|this|that|he\b|she\b|which|what|your|you\b)[\w' -]{3,40}?) (?:always )?(?:makes?|"
        r"made) me (?:gag|ill|sick|"
         r"queasy|itch|throw up|break out)\b.*", "likes|{object}", _P, value="dislike", importance=2,
         text="Cannot stand {object}", check=checks.settled),
    rule(r"I am (?P<object>[\w-]+)[ -]intolerant", "intolerance|{object}", _P, importance=MAX_IMPORTANCE),
    rule(rf"I (?:am|have been) (?:an? )?{_DIETS}\b.*?,? (?:well|or rather|or actually|i mean),? (?:more |actually )?"
         rf"(?:an? )?(?P<diet>{_DIETS})", "diet", _P, text="Is {diet}", value="{diet}", importance=MAX_IMPORTANCE),
    rule(r"I (?:am|have been) (?:now |currently |also |actually |mostly |an? |very |strict |strictly |committed |"
         r"devout |avid |"
        r"lifelong |proud )*"
         r"(?P<diet>vegan|vegetarian|pescatarian|pescetarian|omnivore|carnivore|meat[- ]eater|flexitarian)\b(?! and "
         r"(?:gluten))(?:,? .*)?", "diet", _P, text="Is {diet}",
         value="{diet}", importance=MAX_IMPORTANCE),
    rule(r"I am not (?:an? )?(?P<diet>vegan|vegetarian|pescatarian|omnivore|carnivore|meat[- ]eater)(?: anymore)?",
        "diet", _P,
         value="not_{diet}", importance=MAX_IMPORTANCE, corrects=True),
    rule(r"I (?:follow|am on|am committed to|adhere to|stick to|maintain|have|eat|keep to|practice|am following|"
        r"observe|require|need) "
         rf"{_STRENGTH}(?P<object>(?:[\w-]+ ){{0,5}}(?:diet|regimen|lifestyle|cuisine))\b(?P<rest>.*)",
         "diet|{object}", _P, importance=MAX_IMPORTANCE),
    rule(r"I (?:eat|keep) (?P<object>(?:only )?(?:kosher|halal|gluten[- ]free|plant[- ]based|vegan|vegetarian|keto|"
        r"paleo|organic)\b.*)", "diet|{object}",
         _P, importance=MAX_IMPORTANCE),
    rule(r"I am (?P<object>(?:strictly )?(?:gluten[- ]free|dairy[- ]free|sugar[- ]free|kosher|halal|keto|plant[- "
        r"]based|paleo)\b.*)", "diet|{object}", _P,
         importance=MAX_IMPORTANCE),
)  # fmt: skip

LIKES = (
    rule(r"I (?:love|like|enjoy|adore|am enjoying|love love|heart|appreciate|relish|cherish|dig|fancy|favor|savor|"
        rf"admire) {_OBJECT}", _LIKES, _P,
         value="like", importance=2, check=checks.settled_taste),
    rule(rf"I am {_TRULY}(?:into|fond of|keen on|obsessed with|addicted to|crazy about|passionate about|fascinated "
        r"by|mad about|"
         r"hooked on|in love with|intrigued by|drawn to|enthusiastic about|partial to|enamored with|all about|"
         rf"excited by) {_OBJECT}", _LIKES, _P, value="like", importance=2,
         check=checks.settled_taste),
    rule(rf"I am (?:an? )?{_TRULY}(?:big |huge |massive |avid |major |lifelong |total |true |great |real |diehard |"
        rf"die-hard )*(?:fan|lover) of {_OBJECT}", _LIKES, _P, value="like",
         importance=2, check=checks.settled_taste),
    rule(r"I am not (?:really |exactly |much of |at all |such )*(?:an? )?(?P<object>[\w' -]{3,40}?)[ -]person",
         "{object}_person", _P, value="no", importance=2, check=checks.solid),
    rule(r"I am (?:an? )?(?:very |really |big |huge |massive |avid |total |true |real |major |serious |bit of an? |"
        r"such an? |complete |self-confessed )*(?P<object>[\w' -]{3,40}?)[ -]"
         r"(?:fan|lover|enthusiast|buff|nerd|junkie|addict|aficionado|fanatic|freak|geek|nut)",
         _LIKES, _P, value="like", importance=2, check=checks.solid),
    rule(r"I am (?:an? )?(?:very |really |big |real |major |serious )*(?P<object>[\w' -]{3,40}?)[ -]hater", _LIKES, _P,
         value="dislike", importance=2, check=checks.solid),
    rule(r"I am (?:an? )?(?:very |really |big |huge |massive |total |true |real |major |serious |bit of an? |"
        r"such an? |complete |self-confessed )*(?P<object>[\w' -]{3,40}?)[ -]person", "{object}_person", _P,
         importance=2, check=checks.solid),
    rule(rf"I have {_STRENGTH}(?:passion|love|weakness|soft spot|sweet spot|obsession|thing|fondness|appreciation|"
        rf"crush|enthusiasm|affinity|taste|fascination) (?:for|with|on|of) {_OBJECT}",
         _LIKES, _P, value="like", importance=2, check=checks.solid),
    rule(r"I am (?:really |very |quite |deeply |always |highly |super |particularly |also |most )*interested in "
        r"(?P<object>(?!trying|exploring|learning (?:more|about)|finding|getting|buying|"
         r"starting|setting|booking|knowing|hearing|your|the possibility|incorporating|experiencing).{3,150})",
         _LIKES, _P, value="like", check=checks.settled),
    rule(r"I have (?:a )?(?P<object>sweet tooth|green thumb|photographic memory)", "trait|{object}", _P),
    rule(r"I (?:cannot|could not) (?:live|function|start my day|go a day|survive) without (?P<object>.{2,80})",
        _LIKES, _P, value="like",
         check=checks.solid),
)  # fmt: skip

DISLIKES = (
    rule(rf"I (?:(?:do not|don't|never|didn't) (?:{_TRULY})?(?:like|enjoy|love|care for|appreciate|fancy)|am not "
        rf"{_TRULY}(?:into|fond of|keen on|"
         r"interested in|comfortable with|an? (?:big |huge |massive )*fan of|crazy about|big on|fan of|open to|"
         r"okay with|ok with|good with)|"
         r"have (?:absolutely |really )?(?:no|zero|little|never had any|never been (?:one|a fan|into))\b(?! "
         r"(?:idea|clue|question|problem|doubt|choice|issue|way)) ?(?:real |great )*(?:interest in|desire (?:to|"
         r"for)|patience for|tolerance for|love for|time for|"
         rf"for|of|)) ?{_OBJECT}",
         _LIKES, _P, value="dislike", importance=2, check=checks.solid),
    rule(r"I (?:dislike|hate|detest|despise|loathe|abhor|cannot (?:stand|bear|handle|tolerate|abide|stomach)|"
        r"resent|disapprove of|"
         rf"strongly dislike) {_OBJECT}", _LIKES, _P, value="dislike", importance=2, check=checks.solid),
    rule(r"I (?:avoid|steer clear of|stay away from|shy away from|refrain from|abstain from|refuse|boycott|reject|"
        r"opt out of|gave up|have given up|do without|"
         rf"skip|limit|cut out|have cut out) {_OBJECT}", _LIKES, _P, value="dislike", importance=2, check=checks.solid),
    rule(rf"I am {_TRULY}(?:against|opposed to|averse to|uncomfortable (?:with|around|in|using|being)|scared of|"
        r"afraid of|terrified of|"
         r"sensitive to|bothered by|disgusted by|grossed out by|skeptical of|wary of|sick of|bored by|turned off "
         rf"by|put off by|frightened of|phobic of|claustrophobic in) {_OBJECT}", _LIKES, _P,
         value="dislike", importance=2, check=checks.solid),
    rule(rf"I have (?:always (?:had|been) )?{_STRENGTH}(?:aversions?|dislike|distaste|hatred|phobia|fear|bias|"
        r"disdain|intolerance|sensitivity|sensitivities|disinterest|objection|repulsion|aversive reaction|issue|"
        r"loathing) "
         rf"(?:to|towards?|of|for|against|in|with) {_OBJECT}", _LIKES, _P, value="dislike", importance=2, check=
         checks.solid),
    rule(r"I find (?P<object>.{3,100}?) (?:(?:to be|too|very|quite|so|extremely|really|a bit|overly|rather|"
        r"incredibly|pretty) )*(?P<how>boring|annoying|"
         r"unsettling|disturbing|overwhelming|stressful|uncomfortable|unappealing|distracting|off-?putting|"
         r"disgusting|tedious|slow|gross|exhausting|"
         r"frustrating|scary|repulsive|overrated|impractical|intimidating|depressing|unpleasant|confusing|tiring|"
         r"difficult|hard|intrusive)\b.*", _LIKES, _P, value="dislike",
         check=checks.solid),
    rule(r"I find (?P<object>.{3,100}?) (?:(?:to be|very|quite|so|extremely|really|rather|incredibly|pretty|more) "
        r")*(?P<how>relaxing|soothing|calming|"
         r"fascinating|engaging|enjoyable|comforting|interesting|fun|therapeutic|inspiring|rewarding|refreshing)\b.*"
         , _LIKES, _P, value="like",
         check=checks.settled),
)  # fmt: skip

PREFERENCES = (
    rule(r"I (?:would )?prefer not (?:to )?(?P<object>.{3,250})", _LIKES, _P, value="dislike", importance=2, check=
        checks.solid),
    rule(r"I (?:prefer to avoid|prefer to stay away from|prefer to steer clear of) (?P<object>.{3,250})", _LIKES, _P,
        value="dislike", importance=2,
         check=checks.solid),
    rule(r"I (?:prefer|favor|gravitate towards?|lean towards?|opt for|go for|stick to|stick with|choose|rely on|"
        r"insist on|value|prioriti[sz]e|"
         r"swear by) (?P<object>(?!heads|tails|that one|the \w+ one|this one|for)[^;]{3,250})", "prefers|{object}",
         _P, importance=2, check=checks.settled_taste),
    rule(rf"I have {_STRENGTH}preference (?:for|towards?) {_OBJECT}", "prefers|{object}", _P, importance=2,
         check=checks.solid),
    rule(r"my preference is (?:for )?(?P<object>.{3,250})", "prefers|{object}", _P, importance=2, check=checks.solid),
    rule(r"I (?:cannot|can not|do not|never|will not|refuse to|will never|no longer|rarely|hardly ever) (?:ever |"
        r"even |currently )*(?P<object>(?!.*\b(?:my|the|this|that) (?:card|phone|account|computer|laptop|car|key|"
        r"password|debit|credit|app|site|website|link|file|code)\b)(?:eat|drink|consume|wear|use|"
         r"watch|read|play|listen to|buy|purchase|own|support|drive|fly|smoke|vape|cook|shop|dine|stay|travel|visit|"
         r"participate|attend|engage|"
         r"believe|trust|do well|work out|exercise|celebrate|consider|tolerate|date|swim|dance|sing|gamble|follow|"
         r"want (?:kids|children|any pets)|keep|feed|go to|have (?:a|any) "
         r"(?:car|smartphone|phone|tv|television|license|degree))\b.*)", "avoids|{object}", _P, importance=2, check=
         checks.solid),
    rule(r"I (?P<object>(?:will )?only (?:eat|drink|wear|use|watch|read|play|listen|buy|purchase|shop|dine|stay|"
        r"travel|drive|book|date|support|"
         r"consume|own|work|consider|adopt|cook|take|choose|fly|live|go|want|feed|rent|like|enjoy|trust|invest)\b.*)"
         , "only|{object}", _P, importance=2,
         check=checks.solid),
    rule(r"(?:I am )?(?:team) (?P<object>[\w ]{2,40})", "prefers|{object}", _P),
    rule(r"I (?:believe in|do not believe in|believe strongly in|support|care (?:a lot )?about|am committed to|am "
        r"dedicated to|stand for|am "
         r"passionate about) (?P<object>.{3,200})", "values|{object}", _P, check=checks.solid),
    rule(r"I (?:require|need) (?P<object>.{3,200}? (?:due to|because of|when choosing|in (?:a|any|my|all)|to be "
        r"considered)\b.{3,200})", "needs|{object}", _P,
         check=checks.settled),
)  # fmt: skip

RULES = (*LEAST, *FAVORITES, *NEEDS, *PREFERENCES[:2], *DISLIKES, *LIKES, *PREFERENCES[2:])
