"""Text that speaks to the language model instead of about the person: never a memory."""

from __future__ import annotations

import re

from keepsake.domain.text import reveal

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
    r"<\|?/?\s*(?:im_start|im_end|system|assistant|user|endoftext|s|inst|memory|context|instructions?)\b[^>]*>",
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
    r"\b(?:no|without) (?:restrictions|safety|filters?|guardrails|censorship)\b",
)
_INSTRUCTION = re.compile("|".join(_PATTERNS), re.IGNORECASE)


def reads_as_instruction(text: str) -> bool:
    """True where the text tells the model what to do."""
    return _INSTRUCTION.search(reveal(text)) is not None
