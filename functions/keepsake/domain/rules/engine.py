"""From a message to candidates: clause by clause, the first rule that fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from keepsake.domain.memory import MAX_PER_TURN, MAX_TEXT_LENGTH, Candidate, Memory
from keepsake.domain.rules import (
    antecedents,
    asides,
    change_rules,
    corrections,
    doing_rules,
    goal_rules,
    life_rules,
    lists,
    occasion_rules,
    people_rules,
    self_rules,
    state_rules,
    taste_rules,
)  # fmt: skip
from keepsake.domain.rules.clauses import Clause, clauses
from keepsake.domain.rules.draft import Rule, singular, thing, titled, worded
from keepsake.domain.rules.grammar import base_form, capitalise, third_person, turned
from keepsake.domain.rules.lexicon import COUNTS, ONLY_ONE
from keepsake.domain.text import clip, has_forbidden_characters, slug

_ALL: tuple[Rule, ...] = (
    *change_rules.RULES,
    *self_rules.RULES,
    *taste_rules.RULES,
    *occasion_rules.RULES,
    *people_rules.RULES,
    *life_rules.RULES,
    *state_rules.RULES,
    *goal_rules.RULES,
    *doing_rules.RULES,
)
_ADVERBS = (
    r"(?:also|really|still|actually|currently|now|mostly|usually|generally|typically|normally|often|always|"
    r"sometimes|frequently|regularly|"
    r"occasionally|strongly|absolutely|truly|deeply|definitely|certainly|totally|completely|simply|especially|"
    r"particularly|personally|strictly|"
    r"actively|exclusively|highly|vastly|much|honestly|constantly|genuinely|thoroughly|greatly|tend to|try to|try "
    r"not to|like to think|"
    r"(?!only |apply |reply |supply |rely |fly |multiply |family )[a-z]+ly|do(?= (?:like|love|enjoy|prefer|want|"
    r"have|own)\b)|sure|happen to|have to say|"
    r"seriously|very much|quite|secretly|normally|mainly|primarily|especially)"
)
_BARE = re.compile(rf"^I (?:{_ADVERBS} )+(?=\w)", re.I)
_BARE_BE = re.compile(
    r"^(I (?:am|have|was)) (?:(?:also|currently|now|still|actually|really|definitely|just|both|honestly|already|"
    r"usually|always) )+(?=\w)",
    re.I,
)
_UNSAID = re.compile(
    r"^(I(?: am| have)?) (?:(?:also|actually|honestly|do(?= (?:like|love|enjoy|prefer|want|have|own)\b)|sure|have "
    r"to say|happen to|currently|still) "
    r")+(?=\w)",
    re.I,
)
_WE = re.compile(r"^we(?P<are> are)?\b", re.I)
_FOREIGN = re.compile(r"[^\x00-\u024F\u2000-\u2BFF\uFE0F\U0001F000-\U0001FAFF]")
_RELATIONS = {
    "mom": "mother", "mum": "mother", "mommy": "mother", "mama": "mother", "ma": "mother", "dad": "father", "daddy":
    "father", "papa": "father",
    "pa": "father", "gf": "girlfriend", "bf": "boyfriend", "kid": "child", "children": "child", "kids": "child",
    "grandma": "grandmother",
    "granny": "grandmother", "nana": "grandmother", "grandpa": "grandfather", "grandkid": "grandchild", "grandkids":
    "grandchild", "moms": "mother", "dads": "father",
    "grandchildren": "grandchild", "bff": "best_friend", "fiance": "fiance", "fiancee": "fiance", "fiancé": "fiance",
    "fiancée": "fiance",
}  # fmt: skip


def extract(text: str, *, said_at: datetime, language: str = "en", recent: Sequence[Memory] = ()) -> list[Candidate]:
    """Every durable statement the author makes about themselves, in the order said.

    The rules read English; another ``language``, or a text that is visibly in one, yields nothing rather than junk.
    ``recent`` are the memories this person made in this conversation, newest first: they resolve "actually it's ramen".
    The result depends on nothing but the arguments; ``said_at`` is when the message was sent.
    """
    if not language.lower().startswith("en") or _is_foreign(text):
        return []
    found: list[Candidate] = []
    stated: list[tuple[Clause, Candidate]] = []
    for clause in clauses(text):
        candidate = (
            from_clause(clause)
            or _from_antecedent(clause, stated[-1] if stated else None)
            or corrections.resolve(clause, found, recent)
        )
        if (
            candidate is not None
            and candidate.quote in text
            and not has_forbidden_characters(candidate.text + candidate.quote)
        ):
            found.append(candidate)
            stated.append((clause, candidate))
    return _without_repeats(_one_by_one(stated))


def top_candidates(candidates: Sequence[Candidate], limit: int = MAX_PER_TURN) -> list[Candidate]:
    """The candidates one turn may make memories of: the most important and surest, in the order said.

    What only takes something back makes no memory and is always kept.
    """
    makers = [index for index, candidate in enumerate(candidates) if candidate.text]
    ranked = sorted(makers, key=lambda index: (-candidates[index].importance, -candidates[index].confidence, index))
    chosen = set(ranked[: max(0, limit)])
    return [candidate for index, candidate in enumerate(candidates) if index in chosen or not candidate.text]


def _from_antecedent(clause: Clause, before: tuple[Clause, Candidate] | None) -> Candidate | None:
    """What "he is 3" says, of whom the statement just before was about."""
    if before is None or clause.sentence - before[0].sentence > 1:
        return None
    words = antecedents.spelled_out(clause.words, before[1])
    return None if words is None else from_clause(replace(clause, words=words))


def _one_by_one(stated: Sequence[tuple[Clause, Candidate]]) -> list[Candidate]:
    """The candidates, one for each thing a statement lists, as long as the turn has room for them."""
    room = MAX_PER_TURN - sum(bool(candidate.text) for _, candidate in stated)
    result: list[Candidate] = []
    for clause, candidate in stated:
        pieces = [from_clause(part) for part in lists.parts(clause)] if candidate.text else []
        whole = [piece for piece in pieces if piece is not None and piece.text]
        if 1 < len(whole) == len(pieces) and len(whole) - 1 <= room:
            room -= len(whole) - 1
            result.extend(whole)
        else:
            result.append(candidate)
    return result


def _is_foreign(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_FOREIGN.findall(text)) > letters * 0.3


def _without_repeats(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The same thing said twice in a message, once."""
    seen: set[tuple[str | None, str | None, str]] = set()
    kept = []
    for candidate in candidates:
        mark = (candidate.key, candidate.value, "" if candidate.key else candidate.text)
        if mark not in seen:
            seen.add(mark)
            kept.append(candidate)
    return kept


def from_clause(clause: Clause) -> Candidate | None:
    """What the first fitting rule makes of a clause."""
    if asides.is_cut_short(clause.words):
        return None
    bare = _BARE_BE.sub(r"\1 ", _BARE.sub("I ", clause.words))
    as_one = _WE.sub(lambda match: "I am" if match["are"] else "I", bare)
    for words in dict.fromkeys((bare, clause.words, as_one)):
        for rule in _ALL:
            match = rule.pattern.match(words)
            if match is None:
                continue
            values = {re.sub(r"\d$", "", name): value for name, value in match.groupdict().items() if value}
            if rule.check is None or rule.check(values, clause):
                return _candidate(rule, values, clause)
    return None


def _candidate(rule: Rule, values: dict[str, str], clause: Clause) -> Candidate:
    slugs = _Filled({name: _as_slug(name, value) for name, value in values.items()})
    relation, name = slugs.get("rel", ""), slugs.get("name", "")
    slugs["who"] = "|".join(part for part in (relation, name) if part)
    slugs["called"] = relation if relation in ONLY_ONE else slugs["who"]
    slugs["animal"] = name or slugs.get("pet", "")
    spoken = _Filled({name: _as_words(name, value) for name, value in values.items()})
    spoken.setdefault("unit", "years")
    spoken["moved"] = f", moved from {spoken['old']}" if "old" in spoken else ""
    subject = "self" if rule.subject == "self" else name or relation
    value = rule.value.format_map(slugs)
    parts = [
        rule.type.value,
        rule.entity_type,
        *(["self"] if rule.subject == "self" and not rule.key.startswith("self|") else []),
    ]
    key = "|".join([*parts, rule.key.format_map(slugs).strip("|_")])
    if clause.also and rule.also and value:
        key = f"{key}|{value}"
    return Candidate(
        type=rule.type,
        subtype=rule.subtype,
        text=_text(rule, spoken, clause),
        quote=clause.quote,
        confidence=rule.confidence,
        key=key,
        value=value or "yes",
        importance=rule.importance,
        entity_type=rule.entity_type,
        entity_refs=() if subject == "self" else (f"person:{subject}",),
        entity_label=rule.label.format_map(spoken) or None,
        retracts=rule.retracts,
        corrects=rule.corrects or rule.retracts or clause.corrects,
    )


class _Filled(dict[str, str]):
    """Template values; a part that was not said is empty."""

    def __missing__(self, key: str) -> str:
        return ""


def _as_slug(name: str, value: str) -> str:
    if name == "rel":
        plain = slug(value).removeprefix("other_")
        return _RELATIONS.get(plain, _RELATIONS.get(singular(plain), singular(plain)))
    if name in ("n", "age"):
        return COUNTS.get(slug(value), slug(value))
    if name == "doing":
        return thing(base_form(value))
    if name == "job":
        return thing(re.split(r" (?:in|at|for|on|with|who|by|from|of my|of a) ", value, maxsplit=1)[0])
    if name in ("name", "place", "pronouns", "date", "value", "rest"):
        return slug(re.sub(r"^(?:the|a|an) ", "", value, flags=re.I))
    if name == "thing":
        return thing(re.sub(r"^(?:kind|type|sort|style|genre)s? of ", "", value, flags=re.I))
    return thing(value)


def _as_words(name: str, value: str) -> str:
    if name == "name":
        return titled(value)
    if name == "rel":
        return worded(re.sub(r"^other ", "", value, flags=re.I))
    if name == "unit":
        return f"{value.rstrip('s')}s"
    return turned(value) if name in ("rest", "degree") else worded(value)


def _text(rule: Rule, spoken: dict[str, str], clause: Clause) -> str:
    if rule.text:
        text = capitalise(" ".join(rule.text.format_map(spoken).split()))
    else:
        text = third_person(_UNSAID.sub(r"\1 ", clause.words))
        if clause.front and clause.front.lower() not in ("now", "currently", "this", "today"):
            text = f"{text} ({turned(clause.front[:1].lower() + clause.front[1:])})"
    return clip(text, MAX_TEXT_LENGTH)
