"""Judges a model by what it noted of the turns of a trial: the verdict, and the figures behind it.

A verdict says what is stored of a model's replies, so it is judged by what would be stored: where the model is
believed, and where each word is checked. One statement in twenty may be wrong, in both cases. What a model proposes
before any check is shown beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.extraction.trial_turns import Note, TrialTurn
from keepsake.domain.extraction.verdict import Verdict

MAX_WRONG = 0.05
"""Of what is stored; a single statement says nothing of a share, and is no reason."""
LEAST_READABLE, LEAST_FOUND = 0.8, 0.6
"""A model whose words are checked; the rules alone find 74 % of the same turns, and beside a model they read less."""
GOOD_READABLE, GOOD_FOUND, GOOD_INVENTED, GOOD_WRONG_PERSONS = 0.95, 0.8, 0.08, 1
"""A model that is believed; it must itself invent little and take hardly anybody for another, because the check of what
it says refuses only what the message shows to be wrong."""


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
    """What would be stored where each word is checked."""
    believed: Sequence[Statement] = ()
    """What would be stored where the model is believed."""
    is_read: bool = True
    """Whether a reply could be read within two calls."""
    calls: int = 1
    tokens: tuple[int, int] = (0, 0)
    """Of the prompts, and of the replies."""
    seconds: float = 0.0
    repairs: frozenset[str] = frozenset()
    is_late: bool = False
    """Whether the time was over before there was a reply that can be read."""
    replies: Sequence[tuple[str | None, bool]] = ()
    """The texts of the replies, each with whether it was cut off."""


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
    if (problem := _problem_of_good(figures)) is None:
        return Judgment(Verdict.GOOD, figures, "it keeps all limits")
    if figures["found_checked"] < LEAST_FOUND:
        return Judgment(Verdict.RULES, figures, f"the check leaves less than {LEAST_FOUND:.0%} of what is there")
    if _is_too_wrong(figures["wrong_checked"], figures["kept"]):
        return Judgment(Verdict.RULES, figures, f"more than {MAX_WRONG:.0%} of what the check keeps is wrong")
    return Judgment(Verdict.USABLE, figures, problem)


def _problem_of_good(figures: Mapping[str, float]) -> str | None:
    """Why a model is not good; None where it is."""
    if figures["read"] < GOOD_READABLE:
        return f"fewer than {GOOD_READABLE:.0%} of the turns could be read"
    if figures["found_believed"] < GOOD_FOUND:
        return f"it finds less than {GOOD_FOUND:.0%} of what is there"
    if figures["wrong_persons"] > GOOD_WRONG_PERSONS:
        return "it takes one person for another"
    if figures["wrong"] > GOOD_INVENTED:
        return f"more than {GOOD_INVENTED:.0%} of what it says is wrong"
    if _is_too_wrong(figures["wrong_believed"], figures["believed"]):
        return f"more than {MAX_WRONG:.0%} of what would be believed is wrong"
    return None


def _is_too_wrong(share: float, count: float) -> bool:
    return share > MAX_WRONG and share * count > 1.5  # more than a single statement


def _figures(results: Sequence[TrialResult]) -> dict[str, float]:
    turns = len(results)
    stages = {
        "": [(result.turn, result.proposed) for result in results],
        "_checked": [(result.turn, result.kept) for result in results],
        "_believed": [(result.turn, result.believed) for result in results],
    }
    found = {f"found{stage}": _share_found(said) for stage, said in stages.items()}
    wrong = {f"wrong{stage}": _share_wrong(said) for stage, said in stages.items()}
    return {
        "turns": turns,
        "read": _share(sum(result.is_read for result in results), turns),
        **found,
        **wrong,
        "proposed": sum(len(result.proposed) for result in results),
        "kept": sum(len(result.kept) for result in results),
        "believed": sum(len(result.believed) for result in results),
        "wrong_persons": sum(_has_wrong_person(result.turn, one) for result in results for one in result.proposed),
        "repaired": _share(sum(bool(result.repairs) for result in results), turns),
        "first_call": _share(sum(result.is_read and result.calls == 1 for result in results), turns),
        "calls": _share(sum(result.calls for result in results), turns),
        "input_tokens": _share(sum(result.tokens[0] for result in results), turns),
        "output_tokens": _share(sum(result.tokens[1] for result in results), turns),
        "seconds": _share(sum(result.seconds for result in results), turns),
    }


def _share_found(said: Sequence[tuple[TrialTurn, Sequence[Statement]]]) -> float:
    return _share(sum(_found(turn, one) for turn, one in said), sum(len(turn.expected) for turn, _ in said))


def _share_wrong(said: Sequence[tuple[TrialTurn, Sequence[Statement]]]) -> float:
    each = [_is_right(turn, one) for turn, statements in said for one in statements]
    return _share(each.count(False), len(each))


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
