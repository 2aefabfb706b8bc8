"""What relative a named person is, where the message says whose relative they are."""

from __future__ import annotations

from keepsake.domain.evidence.relatives import has_other_relation


def test_my_son__is_no_nephew_of_the_author() -> None:
    assert has_other_relation("Nephew Milo stays with them", "My son Milo stays with us", ["milo"], "en")
    assert has_other_relation("Aunt Ines moved in", "My sister Ines moved in", ["ines"], "en")


def test_his_son__may_be_a_nephew_of_the_author() -> None:
    assert not has_other_relation("Nephew Milo stays with them", "His son Milo stays with us", ["milo"], "en")
    assert not has_other_relation("Aunt Ines moved in", "Her sister Ines moved in", ["ines"], "en")
