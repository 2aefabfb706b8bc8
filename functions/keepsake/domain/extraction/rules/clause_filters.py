"""What keeps a clause from counting: it asks, supposes, hedges, jokes, or is only half a clause."""

from __future__ import annotations

import re

_OPENS_FRONT = re.compile(
    r"^\s*(?:\w+, )?(?:in|on|at|for|during|after|before|every|each|over|until|when|whenever|with|most|due to|"
    r"because of|given|"
    r"despite|throughout|as an?|as someone|lately|recently|currently|usually|sometimes|often|ever since|growing up|"
    r"back in|"
    r"last|this|next|yesterday|today|tonight)\b",
    re.I,
)
_ASKS = re.compile(
    r"^(?:(?:and|but|so|also|well|hey|hi|ok|okay|please|then|or|yes|no|thanks|hello)[\s,]+){0,3}"
    r"(?:what|how|when(?! i\b|ever)|where|why|who|whom|whose|which|can|could|would|will|shall|should|may|might|"
    r"do(?! not)|"
    r"does|did|is|are|am|was|were|have (?:you|i|we|they)|has|had (?:you|i)|any|got any|isn't|aren't|don't you|won't "
    r"you|tell|"
    r"show|give|list|find|help|explain|describe|write|make|create|generate|suggest|recommend|remind|set|add|remove|"
    r"delete|"
    r"book|order|play|turn|open|call(?! me)|text|send|email|check|look|search|schedule|cancel|pay|transfer|translate|"
    r"summari[sz]e|compare|calculate|convert|let me know|let us|i (?:was|am|have been) (?:just )?(?:wondering|"
    r"curious)|i wonder|"
    r"i need (?:you|help|to know|some (?:help|advice|ideas|suggestions)|advice|ideas|recommendations|suggestions)|"
    r"i (?:want|would like|would love) (?:you )?to (?:know|ask|hear|learn (?:about|more)|see)|i (?:want|would like) "
    r"you|"
    r"what is|how about|what about|read|update|put|take|change(?! my name)|switch(?! my name)|move|copy|freeze|"
    r"block|stop|start|"
    r"increase|locate|confirm|track|report|rent|reserve|draw|solve|finish|organi[sz]e|request|restart|clear|share|"
    r"sync|connect)"
    r"\b",
    re.I,
)
_NAMING = re.compile(
    r"(?:can|could|would|will) you (?:please )?(?:start |just )?(?:call|calling|address|refer to) me (?:as |by "
    r")?(?!back|later|when|at|on|by|a\b|an\b|"
    r"tomorrow|today)[\w'-]++(?: from now on| instead| please)*+\W*+$",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"^\W{0,20}(?:(?:haha+|lol|no|nah|wait|actually|i'm|im|i am|i was)[\s,]+)*(?:just kidding|kidding|jk|j/k|"
    r"joking|just "
    r"joking|not really|/s|sike|psych)\b",
    re.I,
)
_AFTERTHOUGHT = re.compile(
    r"^\W{0,20}(?:(?:or|at least|but|well)\s+)*(?:i (?:think|guess|suppose|believe|reckon|might be wrong|am not "
    r"sure|do "
    r"not know|don't know)|i'm not sure|maybe|perhaps|probably|"
    r"not sure|who knows|or not|maybe not|i may be wrong|just kidding|jk)(?: though| anyway)?\W*$",
    re.I,
)
_HYPOTHESIS = re.compile(
    r"^\s*(?:(?:and|but|so|well|ok|okay|like|hey)[\s,]+)?(?:if|unless|suppose|supposing|imagine|in (?:another|"
    r"a past|a previous|my next) life|in my (?:dreams|"
    r"imagination|head)|in (?:a parallel|an alternate|another) (?:universe|world|reality|timeline)|assuming|what if|in "
    r"case|even if|as a joke\b(?=[:,])|jokingly\b|in jest\b|hypothetically|"
    r"as if|were i|had i|let's say|lets say|say i|provided)\b",
    re.I,
)
_MODAL = r"(?:might|may|could|would|should|shall|must|ought|probably|possibly|maybe|perhaps|supposedly|potentially)"
_HEDGE = re.compile(
    r"^(?:maybe|perhaps|probably|possibly|apparently|supposedly|presumably|hopefully|in theory|theoretically|"
    rf"{_MODAL})\b"
    r"|^I (?:\w+ly )?(?:think|guess|suppose|believe|doubt|wonder|wish|assume|imagine|bet|feel like|heard|thought|"
    r"wondered|"
    r"figured?|reckon|fear|pretend|dreamed|dreamt)\b(?! in\b)"
    r"|^I am (?:not (?:really |quite |entirely |totally |too )?(?:sure|certain)|unsure|thinking|considering|"
    r"wondering|pretending|"
    r"joking|kidding|tempted|leaning|debating|deciding|curious|guessing|assuming|supposed)\b"
    r"|^I have (?:been )?(?:thinking|considering|wondering|debating|heard|thought)\b"
    rf"|^(?:I|we|my(?: (?!is\b|are\b|was\b|has\b)[\w']+){{1,4}}?)(?: \w+ly)? {_MODAL}\b(?! \d)|^(?:I|my \w+)(?: "
    r"\w+)? (?:probably|possibly|maybe|perhaps|"
    r"supposedly|apparently|allegedly)\b|^I (?:am )?(?:kinda|sorta|sort of|kind of)\b"
    r"|\b(?:i think|i guess|i suppose|maybe|perhaps|probably|or something|not sure|i wish|or not|or maybe not|i "
    r"believe|"
    r"if i (?:had|were|could|was)|as if)$|, (?:maybe|perhaps|probably|i think|i guess)\b|\bi would (?:be|have)\b|"
    r"\bor maybe\b",
    re.I,
)
_SOMEDAY = re.compile(
    r"^I would (?:really |absolutely )?(?:love|like) to (?!.*\b(?:maybe|perhaps|probably|i think|i guess|not sure)\b)"
    r".{3,100}\b(?:some ?day|one day)$",
    re.I,
)
_TO_LEARN = re.compile(
    r"^I would (?:really |absolutely )?(?:love|like) to learn (?!about\b|more\b|what\b|why\b)\w", re.I
)
_UNSERIOUS = re.compile(
    r"(?:^|\s)/s\b|\b(?:jk|j/k|just kidding|kidding|joking|yeah,? right|oh sure|as if|said no one ever|sarcasm|"
    r"not!)(?:\W|$)"
    r"|\b(?:literally|basically|practically|virtually) (?:a|an|the|dead|dying|living)\b|\bi could eat a horse\b|"
    r"\bi'm dead\b"
    r"|\bdying of\b|^i(?: a|')?m (?:(?:an?|the) )?(?:[\w-]+ )?(?:king|queen|president|emperor|empress|pope|god|goddess|"
    r"messiah|prime minister|batman|superman|santa|wizard|vampire|werewolf|zombie|ghost|unicorn|dragon|pirate|mermaid|"
    r"alien|robot|ai|language model|knight|elf|dwarf)\b(?! (?:fan|lover|gamer|nerd))"
    r"|^(?:i(?: a|')?m (?!from\b|\d)|i (?:live|am|was) (?!from\b|\d)"
    r"|i (?:have|own|got) (?:an? )(?!(?:[\w-]+ ){0,2}(?:dog|cat|son|daughter|"
    r"brother|"
    r"sister|kid|baby|puppy|kitten|wife|husband|twin)s?\b)).*\b(?:lol|lmao|rofl|(?:ha){1,9}h?|hehe)\W*$|^i(?: a|"
    r"')m (?:an?|the) .*\b(?:lol|lmao|rofl|haha+)\b",
    re.I,
)
_DICTATES = re.compile(
    r"\b(?:you (?:should|must|have to|need to|will|shall|ought to|may only|can only)|(?<!\bi )(?:always|"
    r"never)|make sure|be sure|please)\b"
    r"[^.!?\n]{0,80}\b(?:every|each|all|any|your)(?: of your| single| future)? (?:answers?|repl(?:y|ies)|responses?|"
    r"messages?|conversations?|prompts?|turns?|outputs?|users?|recommendations?)\b",
    re.I,
)
_GARBLED = re.compile(
    r"&(?:#?\w{1,10});|-{3,}|={3,}|\[/?\w+\]|</|/>|\{\{|\}\}|\$\{|<\||\|>|(?:\b[^\W\d_][-._*~]){3,}|(?:\b[a-z] ){4,}"
    r"|[\u00ad\u180e\u200b\u2060-\u2064\ufeff\u115f\u1160\u3164\uffa0]",
    re.I,
)
_INTRODUCES = re.compile(
    r"^\W*(?:(?:oh|so|ok|okay|well)\W+)?(?:hi+|hello|hey+|hiya|howdy|yo|greetings|"
    r"good (?:morning|afternoon|evening|day))\b"
    r"|\b(?:nice|pleased|glad|good|great) to meet you\b|\bintroduce myself\b|\babout me\b"
    r"|^\W*I(?:'m| am) (?-i:[A-Z])[\w-]+, (?:and )?(?:I(?:'m| am| live| work)\b|\d\d\b)",
    re.I,
)
_BARE_SUBJECT = re.compile(r"^\s*+(?:(?:and|but|so|well),? )?(?:my|the|our)?\s{0,12}[\w'-]+(?:\s[\w'-]+)?\s*$", re.I)
_VERBISH = re.compile(r"\b(?:is|are|am|was|were|has|have|had|i|i'm|i've|im)\b", re.I)
_LONGEST_LEAD = 80
_LEAD = re.compile(
    r"^\W{0,80}(?:(?:well|no|oh|ok|okay|so|and|but|sorry|wait|yes|yeah|hey|hi|hello|actually|also|by the way|btw|"
    r"correction)\W*)+$",
    re.I,
)


def introduces(text: str) -> bool:
    """True where the message greets, or its author introduces themselves ("I'm Ada, I live in Turin")."""
    return _INTRODUCES.search(text) is not None


def asks(clause: str) -> bool:
    """True where the clause is worded as a question or a request."""
    plain = clause.strip()
    return _ASKS.match(plain) is not None and _NAMING.match(plain) is None


def asks_for_a_name(sentence: str) -> bool:
    """True where the question is how the person wants to be called ("can you call me Ash?")."""
    return _NAMING.match(sentence.strip()) is not None


def takes_back(sentence: str) -> bool:
    """True where the person says that what they just said was not meant."""
    return _TAKEN_BACK.match(sentence) is not None


def doubts(piece: str) -> bool:
    """True where the piece only casts doubt on what stands before it (", I think")."""
    return _AFTERTHOUGHT.match(piece) is not None


def opens_hypothesis(sentence: str) -> bool:
    """True where all that follows is only supposed."""
    return _HYPOTHESIS.match(sentence) is not None


def opens_front(piece: str) -> bool:
    """True where the piece is a phrase put before its subject ("in my free time")."""
    return _OPENS_FRONT.match(piece) is not None


def is_bare_subject(piece: str) -> bool:
    """True where the piece is only half a subject ("my wife" of "my wife and I")."""
    return _BARE_SUBJECT.match(piece) is not None and not _VERBISH.search(piece)


def is_lead(piece: str) -> bool:
    """True where the piece only leads up to the statement ("actually,")."""
    return len(piece) <= _LONGEST_LEAD and _LEAD.match(piece) is not None


def starts_with_i(piece: str) -> bool:
    """True where the person is the clause's subject."""
    return re.match(r"\s*+(?:(?:and|but|so|also|well|yes|hey|hi)[\s,]++)*+I(?:\b|')|\s*+im\b", piece, re.I) is not None


def is_hedged(words: str) -> bool:
    """True where the person does not quite say it: might, maybe, I think, I wish; a wish for some day is a goal."""
    return _HEDGE.search(words) is not None and not (_SOMEDAY.search(words) or _TO_LEARN.search(words))


def is_garbled(words: str) -> bool:
    """True where markup, entities or letters set apart stand in it: nobody speaks like that about themselves."""
    return _GARBLED.search(words) is not None


def dictates(sentence: str) -> bool:
    """True where the person lays down what the assistant is to say from now on."""
    return _DICTATES.search(sentence) is not None


def is_unserious(words: str) -> bool:
    """True where the person marks it as a joke, or as not meant."""
    return _UNSERIOUS.search(words) is not None
