"""A message as clauses: single statements in canonical words, each with the stretch of the message it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from keepsake.domain.extraction.rules import clause_filters, introductions, normalize, trailing_remarks
from keepsake.domain.extraction.rules.quoted_text import BLANK, own_words
from keepsake.domain.text import normalize_apostrophes

MAX_CLAUSE_LENGTH = 400
MAX_CLAUSES = 300


@dataclass(frozen=True, slots=True)
class Clause:
    """One declarative clause, its contractions written out and its fillers gone."""

    words: str
    quote: str
    front: str = ""
    """What stood before the subject ("in my free time"), if anything."""
    corrects: bool = False
    """It was introduced as a correction ("actually", "no,")."""
    also: bool = False
    """It adds to what is known ("I also work at …")."""
    asks: bool = False
    """The message goes on to ask or request something."""
    sentence: int = 0
    """Which sentence of the message it stands in."""
    introduces: bool = False
    """Its message greets, or introduces its author."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    question: bool


_BOUNDARY = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"')\]]*+(?:\s+|$)|(?<=[a-z])[.!?]++(?=[A-Z])|\n+|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*"
)
_GAP = re.compile(r"[^\S\n]{9,}")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|st|mt|prof|vs|e\.g|i\.e|jr|sr|u\.s|u\.k|no|approx|ft|inc|[a-z])\.$", re.I
)
_SUBJECT = r"(?:I|I'm|I've|I'll|I'd|im|ive|my|our|we|we're|we've)\b"
_SPLIT = re.compile(
    r"\s{0,12};\s{0,12}|\s{1,12}[-\u2013\u2014]{1,2}\s{1,12}|\s{0,12}\u2014\s{0,12}|"
    r"\s{0,12}\((?!\d{1,2}\))\s{0,12}|(?<!\(\d)(?<!\(\d\d)\s{0,12}\)\s{0,12}|:\s{1,12}"
    r"|,?\s{1,12}(?:but|so|because|since(?! (?:i|we) (?:was|were|could|moved|started|left)\b)|though|although|however|"
    r"whereas|while|plus|yet|cause|cuz|bc|as|and so|and "
    r"that's why)"
    rf"\s{{1,12}}(?=(?:now |also |then |actually )?{_SUBJECT})"
    rf"|,?\s{{1,12}}(?P<and>and|&)\s{{1,12}}(?=(?:now |also |then )?{_SUBJECT})"
    rf"|,\s{{0,12}}(?=(?:now |also |and )?{_SUBJECT})"
    r"|(?:,\s{0,12}(?:but|and|so)?|\s{1,12}(?:but|and|so))\s{0,12}(?=(?:can|could|would|will|do|does|did|is|are|"
    r"what|how|where|"
    r"which|who|any|got any) "
    r"(?:you|i|we|it|there|they|any|some|other|this|that|the|should|else|ideas?|tips|suggestions?|about|kind|type|"
    r"sort)\b)"
    r"|\s{1,12}(?=(?:can|could|would|will|do) you\b|(?:what|how|where) (?:should|can|do|could) (?:i|you|we)\b)"
    r"|,?\s{1,12}but\s{1,12}(?!(?:live|work|love|like|enjoy|hate|prefer|speak|have an?)\s)"
    r"|,\s{1,12}(?=now\b)|,\s{1,12}(?:and )?(?=(?:he|she|it|they|this|these|those|there|you|people|everyone|"
    r"everybody)(?:'s|'re|'ll|'ve| (?!and\b|or\b|too\b)[a-z]+)\b)"
    r"|\s{1,12}and\s{1,12}(?=(?:he|she|it|they)(?:'s|'re| [a-z]+s| was| are)\b)"
    r"|,\s{1,12}(?:so|which|because|since|though|although)\s{1,12}"
    r"|,\s{1,12}(?=(?:studying|working as|living in|based in)\b)"
    r"|,?\s{1,12}so\s{1,12}(?=(?:skip|avoid|leave|keep|make|give|use|no|nothing|do not|don't|those|these|mornings?|"
    r"evenings?|weekends?)\b)"
    r"|\s{1,12}so\s{1,12}(?=(?:people|everyone|everybody|they|it|he|she|the|there|be|please|nobody)\b)"
    r"|\s{1,12}(?=(?:hes|shes|theyre) )|,\s{1,12}(?:and )?(?=(?:his|her|its|their) name is\b)",
    re.I,
)
_NOT_THE_OLD = re.compile(
    r"^(?!I (?:do not|never|like|love|enjoy|prefer|want|eat|drink|need|hate)\b)(?P<new>.*), not (?P<old>[^,;]{1,40})$",
    re.I,
)
_SHARED = re.compile(
    r"(?:,?\s{1,12}(?:and|but)|,(?!\s{1,12}like (?:\d|a\b|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|really|so|all|every|most)))\s{1,12}"
    r"(?=(?:have(?! been\b)|own|am|live|work|love|like|enjoy|hate|prefer|avoid|"
    r"drive|has|volunteer|play|"
    r"study|teach|"
    r"speak|collect)\s)",
    re.I,
)
_CLOSED = (
    clause_filters.opens_hypothesis,
    clause_filters.is_unserious,
    clause_filters.is_garbled,
    clause_filters.dictates,
)
_NO_SHARING = re.compile(
    r"\b(?:to|would|could|might|want|hope|wish|plan|should|when|if|who|that|which|people|they|you)\b", re.I
)


def clauses(text: str) -> list[Clause]:
    """The declarative clauses of the author's own words, in order; questions and hypotheses are left out."""
    seen = own_words(_laid_out(normalize_apostrophes(text)))
    found: list[Clause] = []
    sentences = list(_sentences(seen))
    last_request = max((i for i, s in enumerate(sentences) if _requests(seen, s)), default=-1)
    introduces = clause_filters.introduces(seen)
    previous = 0
    for index, sentence in enumerate(sentences):
        if clause_filters.takes_back(seen[sentence.start : sentence.end]):
            del found[previous:]
        previous = len(found)
        for piece in _pieces(seen, sentence):
            said = _clause(text, seen, *piece, asks=last_request >= index, sentence=index)
            found.extend(replace(clause, introduces=introduces) for clause in said)
            if len(found) >= MAX_CLAUSES:
                return found
    return found


def _laid_out(text: str) -> str:
    """The text at its own length, every kind of line end a newline, and what is set far apart on lines of its own."""
    text = re.sub(r"[\r\v\f\x85\u2028\u2029]", "\n", text)
    return _GAP.sub(lambda match: "\n" * (len(match[0]) - 4) + "    ", text)


def _sentences(seen: str) -> Iterator[_Sentence]:
    start = 0
    for match in _BOUNDARY.finditer(seen):
        before = seen[max(start, match.start() - 8) : match.start() + 1]
        if match[0].startswith(".") and _ABBREVIATION.search(before) and not before.endswith(" I."):
            continue
        if match.start() > start:
            yield _sentence(seen, start, match.start(), match[0])
        start = match.end()
    if start < len(seen):
        yield _sentence(seen, start, len(seen), "")


def _sentence(seen: str, start: int, end: int, mark: str) -> _Sentence:
    return _Sentence(start, end, question="?" in mark)


def _requests(seen: str, sentence: _Sentence) -> bool:
    return sentence.question or clause_filters.asks(seen[sentence.start : sentence.end])


def _pieces(seen: str, sentence: _Sentence) -> list[tuple[int, int, str]]:
    """The clauses of a sentence as (start, end, subject to supply); of a question only what stands beside it."""
    body = seen[sentence.start : sentence.end]
    if any(gate(body) for gate in _CLOSED):
        return []
    cuts = [(0, 0, "")]
    for match in _SPLIT.finditer(body):
        if match["and"] and clause_filters.is_bare_subject(body[cuts[-1][1] : match.start()]):
            continue
        if clause_filters.opens_front(body[cuts[-1][1] : match.start()]) and match[0].lstrip().startswith(","):
            continue
        if clause_filters.is_lead(body[cuts[-1][1] : match.start()]):
            continue
        cuts.append((match.start(), match.end(), ""))
    spans = [(a[1], b[0]) for a, b in zip(cuts, [*cuts[1:], (len(body), 0, "")], strict=True)]
    spans = _undoubted(body, spans)
    if clause_filters.asks_for_a_name(body):
        pass
    elif sentence.question and not clause_filters.asks(body):
        spans = spans[:-1] if len(spans) > 1 and clause_filters.asks(body[spans[-1][0] :]) else []
    elif spans and clause_filters.asks(body[: spans[0][1]]):
        spans = []
    offset = sentence.start
    return [(offset + a, offset + b, subject) for start, end in spans for a, b, subject in _shared(body, start, end)]


def _undoubted(body: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans without those that only cast doubt, and without what they cast it on."""
    doubtful = [index for index, (start, end) in enumerate(spans) if clause_filters.doubts(body[start:end])]
    return [span for index, span in enumerate(spans) if index not in doubtful and index + 1 not in doubtful]


def _shared(body: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """A clause whose subject serves two verbs ("I love pets and have 2 dogs"), as one for each."""
    piece = body[start:end]
    found, begin, subject = [], 0, ""
    for match in _SHARED.finditer(piece) if clause_filters.starts_with_i(piece) else ():
        if _NO_SHARING.search(piece[begin : match.start()]):
            break
        found.append((start + begin, start + match.start(), subject))
        begin, subject = match.end(), "I "
    return [*found, (start + begin, end, subject)]


def _clause(text: str, seen: str, start: int, end: int, subject: str, *, asks: bool, sentence: int) -> Iterator[Clause]:
    """The clause of a span, or both where one hangs in the other; none where it asks, supposes or breaks off."""
    raw = seen[start:end]
    lead = len(raw) - len(raw.lstrip(" \t,.-*\u2022"))
    if len(raw) - lead > MAX_CLAUSE_LENGTH or BLANK in raw:
        return
    whole = normalize.canonical(subject + raw[lead:])
    if (
        clause_filters.asks(whole.words)
        or clause_filters.is_hedged(whole.words)
        or clause_filters.is_unserious(text[start:end].strip())
    ):
        return
    trail = len(raw[: lead + trailing_remarks.end_of_statement(raw[lead:])].rstrip(" \t,.-*"))
    lead += normalize.filler_length(raw[lead:trail]) if not subject else 0
    quote = text[start + lead : start + trail]
    plain = normalize.canonical(subject + seen[start + lead : start + trail])
    words = _NOT_THE_OLD.sub(r"\g<new>", plain.words)
    corrects = whole.corrects or _NOT_THE_OLD.search(plain.words) is not None
    parts = introductions.told_at_once(words) or trailing_remarks.relative(words) or (words,)
    for part in (*parts, *introductions.company(words)):
        if part and quote and not clause_filters.is_hedged(part):
            yield Clause(part, quote, plain.front, corrects, whole.also, asks, sentence)
