"""Several things in one statement ("I love pizza and burgers"): one statement for each, where that is safe."""

from __future__ import annotations

import re
from dataclasses import replace

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.word_patterns import NUMBERS, PETS
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.text import word_set

_TASTES = re.compile(
    r"(?P<head>(?:I|we) (?:[a-z]+ly |also |always |never ){0,4}(?:love|like|enjoy|adore|hate|dislike|detest|despise|"
    r"loathe|avoid|cannot stand|do not (?:really )?(?:like|enjoy)|am (?:[a-z]+ly )?(?:allergic to|into|fond of|"
    r"obsessed with)|(?:am )?(?:a )?(?:big |huge )?fan of) )(?P<list>[^;:()]{3,120})",
    re.I,
)
_HOUSEHOLD = re.compile(r"(?P<head>(?:I|we) (?:have|own|adopted|rescued|got|just got) )(?P<list>[^;:()]{3,160})", re.I)
_COUNTED = re.compile(
    rf"{NUMBERS} (?:[\w'-]+ ){{0,3}}?(?:{PETS}|{RELATIONS})(?: (?:named|called) [\w'-]+(?: [A-Z][\w'-]*)?)?", re.I
)
_JOINT = re.compile(r", and |, | and | & ")
_NOUN = re.compile(
    r"(?!(?:my|our|the|a|an|both|all|its?|their|his|her|your|this|that|to|not|any|every|"
    r"overly|even|such|other|more|really|very|especially|particularly|mainly|mostly|only|like|being|having|most|"
    r"some|it|"
    r"them|you|him)\b)[\w'-]+(?: [\w'-]+)?"
)
_TOGETHER = word_set("""
    macaroni_cheese mac_cheese rock_roll salt_vinegar bread_butter fish_chips arts_crafts rhythm_blues black_white
    dungeons_dragons bed_breakfast gin_tonic cookies_cream ham_cheese tom_jerry pros_cons biscuits_gravy
    chicken_waffles rice_beans beans_rice pork_beans bacon_eggs meat_potatoes surf_turf sweet_sour hide_seek
    track_field rum_coke law_order friends_family family_friends peace_quiet drum_bass drums_bass salt_pepper odds_ends
    sun_moon cats_mice mix_match research_development wine_cheese jelly_peanut sugar_spice lock_key tea_biscuits
    milk_cookies milk_honey oil_vinegar cloak_dagger cops_robbers swords_sorcery song_dance r_b
    spaghetti_meatballs burger_fries burgers_fries hugs_kisses stop_go ups_downs pen_paper
""")
_MOST_THINGS = 3


def parts(clause: Clause) -> list[Clause]:
    """The clause once for each thing it lists; the clause alone where it lists none, or where they belong together."""
    for pattern, fits in ((_TASTES, _are_nouns), (_HOUSEHOLD, _are_counted)):
        match = pattern.fullmatch(clause.words)
        if match is None:
            continue
        things = _JOINT.split(match["list"])
        if 1 < len(things) <= _MOST_THINGS and fits(things):
            return [replace(clause, words=match["head"] + thing, quote=_up_to(thing, clause.quote)) for thing in things]
    return [clause]


def _up_to(thing: str, quote: str) -> str:
    """The quote as far as the thing it names."""
    place = quote.find(thing)
    return quote if place < 0 else quote[: place + len(thing)]


def _are_counted(things: list[str]) -> bool:
    return all(_COUNTED.fullmatch(thing) for thing in things)


def _are_nouns(things: list[str]) -> bool:
    """Nouns of their own: no name of a whole, no fixed pair, no word that belongs to both."""
    if not all(_NOUN.fullmatch(thing) for thing in things) or all(thing[:1].isupper() for thing in things):
        return False
    pair = [thing.lower().split() for thing in things[-2:]]
    if f"{pair[0][-1]}_{pair[1][0]}" in _TOGETHER or "peanut butter" in things[-2].lower():
        return False
    lengths = {len(thing.split()) for thing in things}
    return len(lengths) == 1 or (len(pair[1]) > 1 and len(pair[0]) == 1 and pair[0][0].endswith("s"))
