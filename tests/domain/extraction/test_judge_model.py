"""The verdict on a model follows from what it noted of the turns of the trial, by stated limits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from keepsake.domain.extraction.judge_model import Statement, TrialResult, judge
from keepsake.domain.extraction.trial_turns import Note, TrialTurn, trial_turns
from keepsake.domain.extraction.verdict import Verdict

TURNS = trial_turns()


def right(note: Note) -> Statement:
    """What a good model makes of a note."""
    about = "" if note.about == "any" else note.about.split("|")[-1]
    words = " ".join(word.split("|")[0] for word in note.words)
    return Statement(words, about, note.relations[0] if note.relations else "new", note.number)


def result(turn: TrialTurn, *more: Statement) -> TrialResult:
    found = [*map(right, turn.expected), *more]
    return TrialResult(turn, found, found, found)


PERFECT = [result(turn) for turn in TURNS]


def spoilt(count: int, *said: Statement) -> Sequence[TrialResult]:
    """The perfect results, in which something was added to so many turns."""
    return [result(turn, *said) if index < count else result(turn) for index, turn in enumerate(TURNS)]


def test_turns__are_of_all_kinds() -> None:
    assert 30 <= len(TURNS) <= 40
    kinds = {turn.kind.split(":")[0] for turn in TURNS}
    assert kinds == {"fact", "change", "trap", "language", "long"}
    assert sum(turn.kind.startswith("trap") for turn in TURNS) >= 12


def test_what_is_right__is_good() -> None:
    judgment = judge(PERFECT)
    assert judgment.verdict is Verdict.GOOD
    assert (judgment.figures["found"], judgment.figures["wrong"]) == (1, 0)


def test_silence__is_for_the_rules() -> None:
    judgment = judge([TrialResult(turn) for turn in TURNS])
    assert judgment.verdict is Verdict.RULES
    assert "leaves less than 60%" in judgment.reason


def test_replies_that_cannot_be_read__are_for_the_rules() -> None:
    unread = [TrialResult(turn, is_read=False, calls=2) for turn in TURNS[:10]]
    judgment = judge([*unread, *PERFECT[10:]])
    assert judgment.verdict is Verdict.RULES
    assert "read" in judgment.reason


@pytest.mark.parametrize("count, verdict", [(1, Verdict.GOOD), (2, Verdict.RULES)])
def test_what_is_stored_wrong__decides(count: int, verdict: Verdict) -> None:
    """A single wrong statement is no share; two of thirty are more than one in twenty."""
    assert judge(spoilt(count, Statement("Owns a castle"))).verdict is verdict


def test_inventions_that_the_check_refuses__leave_it_usable() -> None:
    invented = Statement("Owns a castle")
    results = [TrialResult(one.turn, [*one.proposed, invented], one.kept, [*one.believed, invented]) for one in PERFECT]
    judgment = judge(results)
    assert judgment.verdict is Verdict.USABLE
    assert "what it says is wrong" in judgment.reason


def test_what_would_be_wrong_where_it_is_believed__makes_it_no_good_one() -> None:
    castle = Statement("Owns a castle")
    results = [
        TrialResult(one.turn, one.proposed, one.kept, [*one.believed, castle] if index < 2 else one.believed)
        for index, one in enumerate(PERFECT)
    ]
    judgment = judge(results)
    assert judgment.verdict is Verdict.USABLE
    assert "would be believed is wrong" in judgment.reason


def test_what_the_check_leaves__must_be_as_much_as_the_rules_find() -> None:
    """Half of what is there, without an error: the rules alone find more."""
    silenced = [TrialResult(one.turn, one.proposed, (), ()) if index % 2 else one for index, one in enumerate(PERFECT)]
    assert judge(silenced).verdict is Verdict.RULES


def test_wrong_persons__are_not_good() -> None:
    allergy = next(turn for turn in TURNS if turn.kind == "trap: another's allergy")
    others = [one for one in PERFECT if one.turn is not allergy]
    wrong = TrialResult(allergy, [Statement("Allergic to peanuts")])
    judgment = judge([*others, wrong, wrong])
    assert judgment.figures["wrong_persons"] == 2
    assert judgment.verdict is Verdict.USABLE
    assert "person" in judgment.reason


@pytest.mark.parametrize(
    "statement, is_right",
    [
        (Statement("Works at the city library", number=1, relation="replaces"), True),
        (Statement("Works at the city library", number=2, relation="replaces"), True),  # allowed, but not found
        (Statement("Works at the moon"), False),
    ],
)
def test_a_change__is_found_by_its_number(statement: Statement, *, is_right: bool) -> None:
    turn = next(turn for turn in TURNS if "Larkspur" in turn.message)
    figures = judge([TrialResult(turn, [statement], [statement])]).figures
    assert (figures["wrong"] == 0) is is_right
    assert (figures["found"] == 1) is (statement.number == 1 and statement.relation == "replaces")
