"""The arm a person is in never changes, and the share is kept."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.context.experiment import assign_arm


@given(st.uuids(), st.floats(0, 1))
def test_control_arm__grows_with_the_share(user_id: UUID, share: float) -> None:
    """Who is in the control arm stays in it when the share is raised."""
    if assign_arm(user_id, share) == "control":
        assert assign_arm(user_id, min(1.0, share + 0.1)) == "control"


@given(st.uuids())
def test_arm__nobody_at_nothing_and_everybody_at_one(user_id: UUID) -> None:
    assert assign_arm(user_id, 0.0) == "treatment"
    assert assign_arm(user_id, 1.0) == "control"


def test_arm__is_the_same_in_every_release() -> None:
    """A person who changed the arm would spoil the measurement."""
    arms = [assign_arm(UUID(int=number), 0.5) for number in range(6)]
    assert arms == ["treatment", "treatment", "control", "control", "treatment", "control"]


def test_arm__the_share_is_kept() -> None:
    controls = sum(assign_arm(UUID(int=number), 0.2) == "control" for number in range(5000))
    assert 0.18 < controls / 5000 < 0.22
