"""Judges a model by what it noted of the turns of a trial: the verdict, and the figures behind it.

Two things are counted apart. What the model proposes says how far it can be believed; what the check of replies keeps
of it says whether it does more good than harm when each word is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.extraction.trial_turns import Note, TrialTurn
from keepsake.domain.extraction.verdict import Verdict

LEAST_READABLE, LEAST_FOUND, MOST_INVENTED = 0.8, 0.4, 0.25
"""A model that is used: its turns that can be read, what it finds after the check, and what is invented of that."""
GOOD_READABLE, GOOD_FOUND, GOOD_INVENTED, GOOD_WRONG_PERSONS = 0.95, 0.8, 0.08, 1
"""The same of a model that is believed, of what it proposes; and how often it may take one person for another."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One memory of a reply, as far as it is judged."""

    text: str
    about: str = "self"
    relation: str = "new"
    number: int | None = None


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What a model made of one turn."""

    turn: TrialTurn
    proposed: Sequence[Statement] = ()
    kept: Sequence[Statement] = ()
    """What the check of replies left of it."""
    is_read: bool = True
    """Whether a reply could be read within two calls."""
    calls: int = 1
    tokens: tuple[int, int] = (0, 0)
    """Of the prompts, and of the replies."""
    seconds: float = 0.0
    repairs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict, and the figures behind it."""

    verdict: Verdict
    figures: Mapping[str, float]
    reason: str
    """The limit that decided, in plain words."""


def judge(results: Sequence[TrialResult]) -> Judgment:
    """The verdict on a model, by the limits above."""
    figures = _figures(results)
    if figures["read"] < LEAST_READABLE:
        return Judgment(Verdict.RULES, figures, f"fewer than {LEAST_READABLE:.0%} of the turns could be read")
    if figures["found_checked"] < LEAST_FOUND:
        return Judgment(Verdict.RULES, figures, f"it finds less than {LEAST_FOUND:.0%} of what is there")
    if figures["invented_checked"] > MOST_INVENTED:
        reason = f"more than {MOST_INVENTED:.0%} of what the check keeps is invented"
        return Judgment(Verdict.RULES, figures, reason)
    if (problem := _problem_of_good(figures)) is not None:
        return Judgment(Verdict.USABLE, figures, problem)
    return Judgment(Verdict.GOOD, figures, "it keeps all limits")


def _problem_of_good(figures: Mapping[str, float]) -> str | None:
    """Why a model is not good; None where it is."""
    if figures["read"] < GOOD_READABLE:
        return f"fewer than {GOOD_READABLE:.0%} of the turns could be read"
    if figures["found"] < GOOD_FOUND:
        return f"it finds less than {GOOD_FOUND:.0%} of what is there"
    if figures["invented"] > GOOD_INVENTED:
        return f"more than {GOOD_INVENTED:.0%} of what it says is invented"
    if figures["wrong_persons"] > GOOD_WRONG_PERSONS:
        return "it takes one person for another"
    return None


def _figures(results: Sequence[TrialResult]) -> dict[str, float]:
    turns, expected = len(results), sum(len(result.turn.expected) for result in results)
    proposed = [(result.turn, one) for result in results for one in result.proposed]
    kept = [(result.turn, one) for result in results for one in result.kept]
    return {
        "turns": turns,
        "read": _share(sum(result.is_read for result in results), turns),
        "found": _share(sum(_found(result.turn, result.proposed) for result in results), expected),
        "found_checked": _share(sum(_found(result.turn, result.kept) for result in results), expected),
        "proposed": len(proposed),
        "kept": len(kept),
        "invented": _share(sum(not _is_right(turn, one) for turn, one in proposed), len(proposed)),
        "invented_checked": _share(sum(not _is_right(turn, one) for turn, one in kept), len(kept)),
        "wrong_persons": sum(_has_wrong_person(turn, one) for turn, one in proposed),
        "repaired": _share(sum(bool(result.repairs) for result in results), turns),
        "calls": _share(sum(result.calls for result in results), turns),
        "input_tokens": _share(sum(result.tokens[0] for result in results), turns),
        "output_tokens": _share(sum(result.tokens[1] for result in results), turns),
        "seconds": _share(sum(result.seconds for result in results), turns),
    }


def _found(turn: TrialTurn, statements: Iterable[Statement]) -> int:
    said = list(statements)
    return sum(any(_says(note, one) for one in said) for note in turn.expected)


def _is_right(turn: TrialTurn, statement: Statement) -> bool:
    return any(_says(note, statement) for note in (*turn.expected, *turn.allowed))


def _has_wrong_person(turn: TrialTurn, statement: Statement) -> bool:
    """Whether a statement has the words of a note and is about somebody else."""
    notes = [note for note in (*turn.expected, *turn.allowed) if _has_words(note, statement)]
    return bool(notes) and not any(_is_about(note, statement) for note in notes)


def _says(note: Note, statement: Statement) -> bool:
    is_related = note.number is None or (
        statement.number == note.number and (not note.relations or statement.relation in note.relations)
    )
    return is_related and _has_words(note, statement) and _is_about(note, statement)


def _has_words(note: Note, statement: Statement) -> bool:
    text = statement.text.casefold()
    return all(any(word in text for word in words.split("|")) for words in note.words)


def _is_about(note: Note, statement: Statement) -> bool:
    if note.about == "any":
        return True
    about = statement.about.casefold()
    is_self = about.split(" ")[0] in {"", "self", "user", "author", "person", "me", "i"}
    return (
        is_self
        if note.about == "self"
        else any(word in f"{about} {statement.text.casefold()}" for word in note.about.split("|"))
    )


def _share(part: float, of: int) -> float:
    return round(part / of, 4) if of else 0.0
