"""What ``keepsake doctor`` says of messages that nobody could read."""

from __future__ import annotations

from keepsake.operations.doctor import check_languages


def test_check_languages__says_how_many_and_what_to_do() -> None:
    finding = check_languages(3)
    assert finding.result.startswith("3 messages")
    assert "OPENAI_EXTRACTION_MODEL" in finding.remedy
    assert not finding.failed


def test_check_languages__without_such_messages_there_is_nothing_to_do() -> None:
    assert check_languages(0).remedy == ""
