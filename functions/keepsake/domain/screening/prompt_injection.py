"""Text that speaks to the language model instead of about the person: never a memory."""

from __future__ import annotations

import re

from keepsake.domain.text import shorten_runs, strip_invisible

_NAMES = r"(?:you|the (?:assistant|model|ai|bot|chatbot|llm)|assistants?|chatgpt|claude|gemini)"
_ANSWER = r"(?:answer|reply|respond|say|tell|recommend|suggest|output|include|send|reveal|mention|print|write)"
_PATTERNS = (
    (
        r"\b(?:ignore|disregard|forget|override|bypass|overwrite|neglect)\b.{0,40}\b(?:instructions?|prompts?|rules?|"
        r"guidelines|"
        r"policies|constraints|everything (?:above|before)|(?:above|previous|prior) (?:text|messages?|context))\b"
    ),
    r"\b(?:ignore|disregard|forget) (?:all |everything )?(?:of )?(?:the )?(?:above|previous|prior|preceding)\b",
    r"\b(?:system|developer|hidden|initial) (?:prompt|message|instructions?)\b",
    r"(?:^|[\n>\]])[ \t]{0,20}(?:system|assistant|developer|user|human|ai)\s*:",
    r"<\|?/?\s*(?:im_start|im_end|system|assistant|user|endoftext|s|inst|memory|context|instructions?)\b[^<>]{0,200}>",
    r"\[/?(?:inst|system|assistant)\]|#{2,6}\s{0,5}(?:instruction|system|response|new)|```",
    (
        rf"\b{_NAMES}\s+(?:must|shall|should|will|have to|need to|are to|ought to|may not|cannot|can't|always|never|"
        r"are now|"
        r"is now|are no longer)\b"
    ),
    r"\bfrom now on,? (?:you|always|never|answer|reply|respond|only|every|all|act|speak|write|include|end|start)\b",
    (
        rf"(?:^|[.!,;:]\s{{0,5}}|\band )(?:please )?(?:always|never|only)\s+(?:{_ANSWER}|end|start|begin|use|act|agree|"
        r"refuse|call|"
        r"speak|address|treat|append|add|insert|promote|trust|obey|follow)\b"
    ),
    rf"\b(?:when|whenever|if|every time)\b.{{0,60}}\b(?:asks?|asked|mentions?|says?|prompted)\b.{{0,60}}\b{_ANSWER}\b",
    (
        r"\b(?:do not|don't|never) (?:tell|reveal|inform|mention|disclose|warn|refuse|ask)\b.{0,30}\b(?:user|them|"
        r"anyone|person|"
        r"human|people)\b"
    ),
    (
        r"\b(?:reveal|print|output|repeat|leak|exfiltrate|send)\b.{0,30}\b(?:system prompt|instructions|secrets?|"
        r"passwords?|"
        r"api keys?|memories|conversation)\b"
    ),
    (
        r"\b(?:act|behave|respond|answer|reply|speak|write) (?:as|like) (?:if|a|an|the|you)\b|\bpretend (?:to be|you|"
        r"that)\b"
    ),
    r"\bjailbr(?:eak|oken)\b|\b(?:dan|developer|god) mode\b|\btool[_ ]?calls?\b",
    (
        r"\b(?:is|are|as) (?:a |the )?(?:only )?(?:trusted|authoritative|most reliable|recommended) (?:source|provider|"
        r"brand|"
        r"vendor|site|company)\b"
    ),
    r"\brecommend .{1,60} (?:first|above all|over (?:all|any)|in every|whenever)\b",
    r"\b(?:new|updated|important|critical|mandatory|secret) (?:instructions?|rules?|directives?|polic(?:y|ies))\b",
    (
        r"\b(?:has|have|with|grant(?:ed)?|give[ns]?) (?:full |unrestricted |root )?(?:admin|administrator|root|"
        r"superuser|developer) (?:access|rights|privileges|permissions?|mode)\b"
    ),
    r"\b(?:no|without) (?:any )?(?:restrictions|safety|filters?|guardrails|censorship|rules)\b",
    r"\byou (?:have|follow|know|obey) (?:no|any|only) (?:rules?|limits?|restrictions?|master)\b",
    r"\b(?:must|may|can) not be refused\b|\brequests? must be (?:granted|obeyed|followed)\b",
    rf"\b{_NAMES} (?:has|have) to\b|\bto be obeyed\b|\bdo (?:everything|whatever|anything) i say\b",
    r"\bfollow my orders\b",
    r"--- ?(?:begin|end)\b",
    r"\b(?:begin|end) (?:of )?(?:\w+ )?(?:trusted|system|secure|admin) (?:content|section|data)\b",
    r"\b(?:save|write|add|commit|store) (?:this |that |it )?(?:to|in|into|as a) (?:your )?(?:memory|rule)\b",
    r"\b(?:access granted|grant(?:s|ed)? (?:full )?access|exempt from (?:all )?(?:limits|rules|checks))\b",
    r"\bauthori[sz]ed to (?:bypass|override|skip)\b|\bverified (?:staff|admin)\b|\bupgraded to admin\b",
    r"\badmin (?:here|notes)\b",
    r"\bget (?:full |root )?admin access\b|\boverrides all (?:others|other)\b",
    r"\bpolic(?:y|ies) (?:\w+ )?do(?:es)? not apply\b",
    r"\bshould be recommended\b|\bis the (?:only safe|best|most trusted) [\w ]{1,30}\band should\b",
    r"\bonly safe \w+ brand\b",
    r"\bas an (?:trusted|authoritative) source\b",
    r"\b(?:store|save|use|treat) (?:that|this|it) as my preference for all\b",
    r"(?:\\x[0-9a-f]{2}){3}|(?:\\u[0-9a-f]{4}){3}|(?:&#x?[0-9a-f]{2,5};){3}|\brot13\b.{0,20}\bfollow\b",
)
_ELSEWHERE = (
    r"\b(?:olvida|ignora|desobedece)\b.{0,40}\b(?:reglas|instrucciones|anterior(?:es)?)\b|\bsiempre debes\b",
    r"\bdebes siempre\b",
    r"\b(?:vergiss|ignoriere|missachte)\b.{0,40}\b(?:regeln|anweisungen|vorherigen?|bisherigen?)\b|\bmerke? dir:",
    r"\bdu (?:musst|sollst|darfst) (?:immer|nie|niemals|stets|nur)\b|\bnegeer\b.{0,40}\b(?:regels|instructies)\b",
    r"\b(?:ignore[zs]?|oublie[zs]?)\b.{0,40}\b(?:instructions|règles|consignes)\b|\b(?:tu dois|vous devez) toujours\b",
    r"\b(?:ignora|dimentica)\b.{0,40}\b(?:istruzioni|regole)\b|\bdevi sempre\b",
    r"\b(?:ignore|esqueça|desconsidere)\b.{0,40}\b(?:instruções|regras)\b|\bdeves? sempre\b",
    r"\b(?:zapomnij|ignoruj)\b.{0,40}\b(?:zasad\w*|instrukcj\w*)|(?:игнорируй|забудь).{0,40}(?:инструкц|правил)",
    r"(?:指示|命令|ルール|規則).{0,20}(?:無視|忘れ)|必ず.{0,20}(?:従|答え|推薦)",
    r"(?:忽略|忘记|无视).{0,20}(?:指令|指示|规则|提示)|(?:تجاهل|انس).{0,40}(?:التعليمات|القواعد)",
)
"""The same orders in other languages that are much written: to forget the rules, and what must always be done."""

_SPELLED = re.compile(r"(?<!\w)(?:\w[-._*]){3,60}\w(?!\w)")
"""Letters set apart, so that no word of it is one ("i-g-n-o-r-e")."""

_ADDRESS = re.compile(
    r"(?<![\w'])(?:you|your|yours|yourself|you're|you've|you'll)(?![\w'])|"
    r"\b(?:the|this|an?) (?:assistant|chatbot|language model)\b"
)
_ORDERS = re.compile(
    r"(?:please |always |never )?(?:remember|keep in mind|decode|obey|act as|ignore|disregard)\b", re.IGNORECASE
)
_QUOTED_TITLE = re.compile(r"[\"“«][^\"”»]{0,500}[\"”»]")
_INSTRUCTION = re.compile("|".join((*_PATTERNS, *_ELSEWHERE)), re.IGNORECASE)


def reads_as_instruction(text: str) -> bool:
    """True where the text tells the model what to do."""
    seen = shorten_runs(strip_invisible(text))
    joined = _SPELLED.sub(lambda match: re.sub(r"[-._* ]", "", match[0]), seen)
    return any(_INSTRUCTION.search(form) is not None for form in dict.fromkeys((seen, joined)))


def addresses_the_model(memory: str) -> bool:
    """True where a memory, which should tell of the person, speaks to the assistant, or of it, or is an order."""
    plain = _QUOTED_TITLE.sub("", strip_invisible(memory))
    return _ADDRESS.search(plain) is not None or _ORDERS.match(plain) is not None
