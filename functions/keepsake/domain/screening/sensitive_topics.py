"""Medical and financial matters: told by their words, kept with little confidence and out of shared answers."""

from __future__ import annotations

import re

from keepsake.domain.text import reveal

_MEDICAL = (
    r"allerg\w*|anaphyla\w*|intoleran(?:t|ce)|asthma\w*|diabet\w*|insulin|cancer|tumou?r|leuk[a]?emia|lymphoma|"
    r"chemo\w*|radiation therapy|remission|arthritis|epilep\w*|seizures?|migraines?|hypertension|"
    r"blood (?:pressure|sugar|type)|cholesterol|heart (?:attack|disease|condition|surgery|failure|murmur)|"
    r"stroke|hiv|aids|hepatitis|herpes|std|sti|covid\w*|long covid|tubercul\w*|pneumonia|bronchitis|"
    r"infections?|disease|disorders?|syndromes?|illness(?:es)?|"
    r"(?:chronic|medical|health|autoimmune|mental|heart|skin|lung|kidney|thyroid|genetic) (?:condition|issue|"
    r"problem|pain|illness|disease|health)s?|"
    r"diagnos\w*|symptoms?|medications?|meds|prescri\w*|antidepressants?|antibiotics?|ibuprofen|\w+ mg|dosage|"
    r"pills?|vaccin\w*|surger(?:y|ies)|surgical|operated|transplants?|biops\w*|dialysis|"
    r"hospitali[sz]ed|(?:in|to) (?:the )?hospital|"
    r"therapist|therapy|psychiatr\w*|psycholog(?:ist|ical)|depress(?:ed|ion|ive)|anxiety(?: disorder)?|"
    r"panic attacks?|bipolar|schizo\w*|ocd|adhd|add|autis\w*|asperger\w*|ptsd|trauma\w*|eating disorder|"
    r"anorexi\w*|bulimi\w*|addict(?:ed|ion)|alcoholi\w*|rehab|sober|overdos\w*|suicid\w*|self[- ]harm|"
    r"pregnan\w*|miscarr\w*|abortion|infertil\w*|ivf|menopaus\w*|celiac|coeliac|crohn'?s|colitis|ibs|"
    r"irritable bowel|gerd|reflux|ulcers?|gout|lupus|fibromyalgia|scoliosis|sciatica|osteo\w+|dementia|"
    r"alzheimer\w*|parkinson\w*|multiple sclerosis|deaf|blind|disab(?:led|ilit\w+)|wheelchair|"
    r"(?:broken|fractured|sprained|torn) (?:arm|leg|ankle|wrist|bone|rib|foot|hand|knee|acl|\w+)|concussion|"
    r"overweight|obes\w+|insomnia|sleep apn\w*|an[a]?emi\w*|eczema|psoriasis|vertigo|faints?|tinnitus|"
    r"hear(?:ing)? loss|chronic|joint issues|back pain|knee (?:pain|issues|problems?|injury)|injur(?:y|ies|ed)|"
    r"sick|phobias?"
)
_FINANCIAL = (
    r"salar(?:y|ies)|income|net worth|debts?|in the red|bankrupt\w*|mortgage|loans?|"
    r"credit (?:score|card|rating|limit)|savings|bank account|(?:checking|savings) account|401\(?k\)?|ira|"
    r"pension|stocks?|portfolio|investments?|invest(?:s|ed|ing)?|crypto\w*|bitcoin|inheritance|alimony|"
    r"child support|overdraft|"
    r"(?:earn|make|owe|pay|save|spend|lose|lost|saved|earned|owed)s? (?:about |around |over |only |roughly |almost |"
    r"nearly )?[$€£]?\d[\d,.]*\s?(?:k|thousand|million|dollars|euros?|pounds|usd|eur|a (?:year|month|week))?|"
    r"[$€£]\s?\d[\d,.]*k?|taxes|tax (?:return|debt|bill)|rent is|money is tight|food stamps|"
    r"unemployment benefits?|welfare|financial\w*|wealthy|broke|foreclos\w+|evict\w+|payday|pay cut|wages?"
)
_PRIVATE = re.compile(rf"(?<![\w-])(?:{_MEDICAL}|{_FINANCIAL})(?![\w-])", re.IGNORECASE)


def is_private_topic(text: str) -> bool:
    """True where the text touches the person's health or money."""
    return _PRIVATE.search(reveal(text)) is not None
