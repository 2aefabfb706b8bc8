"""How a clause is worded: contractions written out, fillers taken off, and whether it asks, hedges or supposes."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plain:
    """A clause in canonical words, and what was taken off it."""

    words: str
    front: str = ""
    corrects: bool = False
    also: bool = False


_CONTRACTIONS = {
    "i'm": "I am", "im": "I am", "i've": "I have", "ive": "I have", "i'll": "I will", "i'd": "I would", "i": "I",
    "don't": "do not", "dont": "do not", "can't": "cannot", "cant": "cannot", "can not": "cannot", "won't": "will not",
    "wont": "will not", "isn't": "is not", "isnt": "is not", "aren't": "are not", "arent": "are not", "ain't": "am not",
    "doesn't": "does not", "doesnt": "does not", "didn't": "did not", "didnt": "did not", "haven't": "have not",
    "havent": "have not", "hasn't": "has not", "hadn't": "had not", "wasn't": "was not", "wasnt": "was not",
    "weren't": "were not", "couldn't": "could not", "couldnt": "could not", "wouldn't": "would not",
    "shouldn't": "should not", "it's": "it is", "that's": "that is", "thats": "that is", "there's": "there is",
    "he's": "he is", "she's": "she is", "they're": "they are", "we're": "we are", "we've": "we have", "name's":
    "name is",
    "you're": "you are", "what's": "what is", "whats": "what is", "gonna": "going to", "wanna": "want to",
    "gotta": "have to", "favourite": "favorite", "favourites": "favorites", "fav": "favorite", "fave": "favorite",
    "any more": "anymore", "yrs": "years", "hafta": "have to", "luv": "love",
}  # fmt: skip
_CONTRACTED = re.compile(
    r"(?<![\w'])(?:" + "|".join(map(re.escape, sorted(_CONTRACTIONS, key=len, reverse=True))) + r")(?![\w'])", re.I
)
_FILLER = re.compile(
    r"(?:(?:well|so|and|but|oh|ah|um+|uh+|hmm+|(?:hey|hi|hello|hiya|howdy|yo|greetings)(?: there| everyone| all| "
    r"guys)?|thanks|thank you|thx|"
    r"yeah|yes|yep|yup|nope|ok|okay|alright|right|sure|great|cool|nice|wow|omg|honestly|frankly|to be honest|tbh|"
    r"truthfully|"
    r"plus|btw|by the way|fyi|anyways?|besides|personally|in fact|as a matter of fact|in general|for context|for "
    r"reference|"
    r"for the record|just so you know|for your information|as (?:i|you) (?:said|mentioned|know)|like i (?:said|"
    r"mentioned)|"
    r"i (?:should|forgot to|have to|must) (?:mention|say|add|admit|tell you)(?: that)?|(?:please )?remember(?: "
    r"that)?|note that|"
    r"(?:please )?keep in mind(?: that)?|fun fact|first(?:ly)?|second(?:ly)?|also|unfortunately|luckily|sadly|"
    r"fortunately|"
    r"thankfully|you know|you see|look|listen|see|the thing is|the truth is|speaking of [\w' -]{1,40}|speaking of "
    r"which|"
    r"on an? \w+ note|on top of that|nowadays|these days|at the moment|at present|for (?:some|what it's) \w+|good "
    r"(?:morning|afternoon|evening|night)|what is up|sup|whats up|nice to meet you|because|since|though|although|"
    r"however|"
    r"whereas|while(?= I )|then|or|that|just to (?:let you know|clarify)|let me (?:tell you|introduce myself)|about me|"
    r"a (?:little|bit) about me|me|man|dude|bro|i am (?:happy|glad|proud|afraid|sorry) to say(?: that)?|it is true "
    r"that|"
    r"i (?:would|must|have to|can) (?:say|admit|confess)(?: that)?(?= I am)|i want you to know(?: that)?|"
    r"(?:you should|just) know(?: that)?|did i mention|ai|siri|alexa|assistant|bot)\b[\s,.:!]*)",
    re.I,
)
_CORRECTION = re.compile(
    r"(?:(?:actually|no|nah|sorry|correction|wait|wait no|scratch that|oops|my bad|i mean|i meant(?: to say)?|on "
    r"second thought|"
    r"i changed my mind|update|edit|i was wrong|let me correct (?:that|myself)|i misspoke)\b[\s,.:!]*)",
    re.I,
)
_LEAD = re.compile(
    r"^\W*(?:(?:well|no|oh|ok|okay|so|and|but|sorry|wait|yes|yeah|hey|hi|hello|actually|also|by the way|btw|"
    r"correction)\W*)+$",
    re.I,
)
_TOGETHER = re.compile(
    r"^(?P<who>my (?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|family|roommate|sister|brother)) "
    r"and I (?P<verb>\w+) "
    r"(?P<rest>.+)$",
    re.I,
)
_SINGULAR = {"are": "am", "were": "was"}
_TRAILING = re.compile(
    r"[\s,]+(?:though|too|as well|anyways?|you know|btw|by the way|lol|haha+|lmao|tbh|to be honest|honestly|please|"
    r"thanks|"
    r"thank you|actually|if that helps|just so you know|fyi|in case you (?:are|were) wondering|for (?:now|sure)|"
    r"right now|"
    r"i (?:must|have to) say|xd|:\)|:d|:\(|as i said|after all|nice to meet you|and all that|and stuff)$",
    re.I,
)
_FRONT = re.compile(
    r"^(?P<front>(?:when|whenever|while|after|before|until|ever since|since|as soon as)\s+(?:I|my|we|our|they|he|"
    r"she|it|the|an?|people|\w+ing)"
    r"\b[^,]{2,90}?),?\s+(?P<main>I\s.*)$"
    r"|^(?P<front2>(?:in|on|at|for|during|after|before|every|each|over|with|most|twice|once|due to|because of|given|"
    r"despite|throughout|"
    r"as an?|lately|recently|usually|sometimes|often|typically|generally|normally|mostly|today|tonight|yesterday|"
    r"last|this|next|since|"
    r"growing up|back in|outside of|apart from|tomorrow|two|three|four|five|six|"
    r"by)\b[^,]{0,90}?)(?:,?\s+(?P<main2>I\s.*)|,\s*(?P<main3>my\s.*))$",
    re.I,
)
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
    r"tomorrow|today)[\w'-]+(?: from now on| instead| please)*\W*$",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"^\W*(?:(?:haha+|lol|no|nah|wait|actually|i'm|im|i am|i was)[\s,]+)*(?:just kidding|kidding|jk|j/k|joking|just "
    r"joking|not really|/s|sike|psych)\b",
    re.I,
)
_AFTERTHOUGHT = re.compile(
    r"^\W*(?:(?:or|at least|but|well)\s+)*(?:i (?:think|guess|suppose|believe|reckon|might be wrong|am not sure|do "
    r"not know|don't know)|i'm not sure|maybe|perhaps|probably|"
    r"not sure|who knows|or not|maybe not|i may be wrong|just kidding|jk)(?: though| anyway)?\W*$",
    re.I,
)
_HYPOTHESIS = re.compile(
    r"^\s*(?:(?:and|but|so|well|ok|okay|like|hey)[\s,]+)?(?:if|unless|suppose|supposing|imagine|assuming|what if|in "
    r"case|even if|"
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
_UNSERIOUS = re.compile(
    r"(?:^|\s)/s\b|\b(?:jk|j/k|just kidding|kidding|joking|yeah,? right|oh sure|as if|said no one ever|sarcasm|"
    r"not!)(?:\W|$)"
    r"|\b(?:literally|basically|practically|virtually) (?:a|an|the|dead|dying|living)\b|\bi could eat a horse\b|"
    r"\bi'm dead\b"
    r"|\bdying of\b|^i(?: a|')m an? .*\b(?:lol|lmao|rofl|haha+)\b",
    re.I,
)
_BARE_SUBJECT = re.compile(r"^\s*(?:(?:and|but|so|well),? )?(?:my|the|our)?\s*[\w'-]+(?:\s[\w'-]+)?\s*$", re.I)
_VERBISH = re.compile(r"\b(?:is|are|am|was|were|has|have|had|i|i'm|i've|im)\b", re.I)


def canonical(clause: str) -> Plain:
    """The clause with contractions written out, fillers and fronted phrases taken off."""
    words = _CONTRACTED.sub(lambda match: _CONTRACTIONS[match[0].lower()], " ".join(clause.split()))
    corrects = also = False
    for _ in range(8):
        filler = _CORRECTION.match(words) or _FILLER.match(words)
        if filler is None or filler.end() == len(words):
            break
        corrects = corrects or filler.re is _CORRECTION
        also = also or filler[0].strip(" ,.:!").lower() in ("also", "plus", "besides")
        words = words[filler.end() :]
    while trailing := _TRAILING.search(words):
        words = words[: trailing.start()]
    front = ""
    if fronted := _FRONT.match(words):
        front = fronted["front"] or fronted["front2"]
        words = fronted["main"] or fronted["main2"] or fronted["main3"]
    if together := _TOGETHER.match(words):
        front, words = (
            f"with {together['who'].lower()}",
            f"I {_SINGULAR.get(together['verb'], together['verb'])} {together['rest']}",
        )
    words = re.sub(r"^(?:i|I) have got\b", "I have", words)
    words = re.sub(r"^I do (?=(?:like|love|enjoy|prefer|want|have|own)\b)", "I ", words)
    words = re.sub(
        r"^I got (?=(?:a|an|two|three|\d+) (?:pet|dog|cat|kid|son|daughter|brother|sister)s?\b)", "I have ", words
    )
    if re.match(r"I also\b", words):
        words, also = "I" + words[len("I also") :], True
    return Plain(words.strip(" ,.!"), front.strip(" ,"), corrects, also)


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
    return _LEAD.match(piece) is not None


def starts_with_i(piece: str) -> bool:
    """True where the person is the clause's subject."""
    return re.match(r"\s*(?:(?:and|but|so|also|well|yes|hey|hi)[\s,]+)*I(?:\b|')|\s*im\b", piece, re.I) is not None


def is_hedged(words: str) -> bool:
    """True where the person does not quite say it: might, maybe, I think, I wish."""
    return _HEDGE.search(words) is not None


def is_unserious(words: str) -> bool:
    """True where the person marks it as a joke, or as not meant."""
    return _UNSERIOUS.search(words) is not None
