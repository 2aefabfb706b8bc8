"""A clause in canonical words: contractions written out, fillers and fronted phrases taken off."""

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
    "i'm": "I am", "im": "I am",
    "iam": "I am", "i've": "I have", "ive": "I have", "i'll": "I will", "i'd": "I would", "i": "I",
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
    r"(?:(?:well|so|and|but|oh|ah|ugh+|argh+|sigh|oof|um+|uh+|hmm+|(?:hey|hi|hello|hiya|howdy|yo|greetings)"
    r"(?: there| everyone| all| "
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
    r"originally|now(?= (?:i|my|we)\b(?!(?: a|')m (?:back )?(?:living )?in\b))|"
    r"fortunately|"
    r"thankfully|you know|you see|look|listen|see|the thing is|the truth is|speaking of [\w' -]{1,40}|speaking of "
    r"which|"
    r"on an? \w+ note|on top of that|nowadays|these days|at the moment|at present|for (?:some|what it's) \w+|good "
    r"(?:morning|afternoon|evening|night)|what is up|sup|whats up|nice to meet you|because|since|though|although|"
    r"however|"
    r"whereas|while(?= I )|then|or|that|just to (?:let you know|clarify)|let me (?:tell you|introduce myself)|about me|"
    r"a (?:little|bit) about me|me(?! and \w+ )|man|dude|bro|i am (?:happy|glad|proud|afraid|sorry) to say"
    r"(?: that)?|it is true that|"
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
_TOGETHER = re.compile(
    r"^(?P<who>my (?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|family|roommate|sister|brother)"
    r"(?: (?-i:[A-Z][\w'-]+))?) and I (?!(?:just |recently |finally |have )*(?:broke|broken|split)\b)(?P<verb>\w+) "
    r"(?P<rest>.+)$",
    re.I,
)
_NO_OWNER = re.compile(
    r"(?:my |our )?(?P<whose>dog|cat|pup|puppy|kitten|son|daughter|wife|husband|sister|"
    r"brother)(?P<mark>s)(?= name is \w)",
    re.I,
)
_NO_SUBJECT = re.compile(
    r"(?:(?:really|absolutely|just|still) )?(?:love|adore|hate|cannot stand|cannot do|do not do) (?!to see|to hear|"
    r"it\b|that\b|"
    r"this\b|you|your|them\b|her\b|him\b)\w",
    re.I,
)
_NO_SUBJECT_HAVE = re.compile(
    r"(?:just )?been (?:learning|playing|studying|training|living|working|"
    r"practi[cs]ing) (?!on\b|with this)\w",
    re.I,
)
_NO_SUBJECT_DID = re.compile(
    r"(?:(?:just|recently|finally) )?(?:moved to (?-i:[A-Z])|started (?:as|working)\b|got (?:married|engaged|"
    r"divorced)\b"
    r"|quit (?:smoking|drinking|my job)|turned \d\d\b)",
    re.I,
)
_NO_SUBJECT_WAS = re.compile(r"(?:born and (?:raised|bred) in|raised in|grew up (?:in|on|near)) ", re.I)
_NO_SUBJECT_AM = re.compile(
    r"(?:(?:an? )?(?:big|huge|massive|lifelong) fan of|(?:deathly |severely |also )?allergic to|obsessed with|"
    r"living in|"
    r"based in|turning \d\d\b|saving up for|trying to (?:quit|stop|give up) (?:smoking|drinking|vaping|sugar)|"
    r"training for|"
    r"studying (?!for\b)|going to (?:start|become|move|study)|fluent in) ?\w",
    re.I,
)
_MOST_FILLERS = 8
_SINGULAR = {"are": "am", "were": "was"}
_TRAILING = re.compile(
    r"(?<![\s,])[\s,]{1,12}(?:though|too|as well|anyways?|you know|btw|by the way|lol|haha{1,32}|lmao|tbh|to be "
    r"honest|honestly|please|"
    r"thanks|"
    r"thank you|actually|if that helps|just so you know|fyi|in case you (?:are|were) wondering|for (?:now|sure)|"
    r"right now|here|"
    r"i (?:must|have to) say|xd|:\)|:d|:\(|as i said|after all|nice to meet you|and all that|and stuff)$",
    re.I,
)
_IN_PASSING = re.compile(r"\s(?:though|tho),", re.I)
_LONGEST_TRAILING = 60
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


def _without_fillers(words: str) -> tuple[str, bool, bool]:
    """The words themselves, whether they came as a correction, and whether as an addition."""
    corrects = also = False
    for _ in range(_MOST_FILLERS):
        filler = _CORRECTION.match(words) or _FILLER.match(words)
        if filler is None or filler.end() == len(words):
            break
        corrects = corrects or filler.re is _CORRECTION
        also = also or filler[0].strip(" ,.:!").lower() in ("also", "plus", "besides")
        words = words[filler.end() :]
    return words, corrects, also


def _spelled_out(words: str) -> str:
    """The subject that was left out ("luv noodles"), and the people who share one ("Lars and I are divorced")."""
    if owned := _NO_OWNER.match(words):
        return f"my {owned['whose'].lower()}'s{words[owned.end('mark') :]}"
    if _NO_SUBJECT_HAVE.match(words):
        return f"I have {words[:1].lower()}{words[1:]}"
    if _NO_SUBJECT_DID.match(words):
        return f"I {words[:1].lower()}{words[1:]}"
    if (origin := _NO_SUBJECT_WAS.match(words)) is not None:
        return f"I {'' if origin[0][:1] in 'gG' else 'was '}{words[:1].lower()}{words[1:]}"
    if _NO_SUBJECT_AM.match(words):
        article = "a " if re.match(r"big|huge|massive|lifelong", words, re.I) else ""
        return f"I am {article}{words[:1].lower()}{words[1:]}"
    return f"I {words[:1].lower()}{words[1:]}" if _NO_SUBJECT.match(words) else words


def filler_length(clause: str) -> int:
    """How much of a clause only leads up to it ("and", "by the way,")."""
    length = 0
    for _ in range(_MOST_FILLERS):
        filler = _FILLER.match(clause, length)
        if filler is None or filler.end() == len(clause):
            break
        length = filler.end()
    return length


def _spelled(match: re.Match[str]) -> str:
    """A contraction written out; as it stands where it only looks like one (the Turkish letters that match "i")."""
    return _CONTRACTIONS.get(match[0].lower(), match[0])


def _without_trailing(words: str) -> str:
    """The words without what only trails after them; each step looks at their end alone, however long they are."""
    end = len(words)
    while trailing := _TRAILING.search(words, max(0, end - _LONGEST_TRAILING), end):
        end = trailing.start()
    return words[:end]


def canonical(clause: str) -> Plain:
    """The clause with contractions written out, fillers and fronted phrases taken off."""
    words = _CONTRACTED.sub(_spelled, " ".join(clause.split()))
    words, corrects, also = _without_fillers(words)
    words = _IN_PASSING.sub(",", _without_trailing(words))
    front = ""
    if fronted := _FRONT.match(words):
        front = fronted["front"] or fronted["front2"]
        words = fronted["main"] or fronted["main2"] or fronted["main3"]
    if together := _TOGETHER.match(words):
        front, words = (
            f"with my{together['who'][2:]}",
            f"I {_SINGULAR.get(together['verb'], together['verb'])} {together['rest']}",
        )
    words = re.sub(r"^(I|we) have got\b", r"\1 have", words, flags=re.I)
    words = _spelled_out(words)
    words = re.sub(r"^I do (?=(?:like|love|enjoy|prefer|want|have|own)\b)", "I ", words)
    words = re.sub(
        r"^I got (?=(?:a|an|two|three|\d+) (?:pet|dog|cat|kid|son|daughter|brother|sister)s?\b)", "I have ", words
    )
    if re.match(r"I also\b", words):
        words, also = "I" + words[len("I also") :], True
    return Plain(words.strip(" ,.!"), front.strip(" ,"), corrects, also)
