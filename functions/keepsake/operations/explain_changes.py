"""Says in sentences what was done to a memory: each change with the message or the person behind it, and its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.explanation.mechanism import describe_mechanism, describe_recognition
from keepsake.domain.explanation.reasons import describe_decision, name_memory
from keepsake.domain.explanation.sentences import moment, sentence
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.store.explanations import KeptChange

_SHOWN_WORDS = 160
"""Characters of a message that are shown."""


def words_of(text: str | None) -> str:
    """The words of a message as they are shown: without secrets, on one line, without the last full stop."""
    words = " ".join(mask_secrets(text or "").split()).removesuffix(".")
    return words if len(words) <= _SHOWN_WORDS else f"{words[: _SHOWN_WORDS - 1]}…"


@dataclass(frozen=True, slots=True)
class ChangeStory:
    """Tells changes; ``texts`` are those of the memories that their reasons name, by number."""

    texts: Mapping[int, str]
    timezone: str | None

    def describe(self, change: KeptChange, before: Sequence[KeptChange] = ()) -> str:
        """One change in sentences; ``before`` are those that were made earlier, one of which it may have undone."""
        if (change.reason or "").startswith("undo of "):
            return " ".join(self._undo_sentences(change, before))
        return " ".join(" ".join(self._sentences(change)).split())

    def describe_insert(self, change: KeptChange, *, is_requested: bool) -> str:
        """Why a memory was stored: what found it, and how it stands to those before it."""
        parts = [sentence("kept", "asked")] if is_requested else [describe_mechanism(change.why)]
        match change.reason:
            case "nothing stored says this yet":
                parts += [] if is_requested else [sentence("kept", "new")]
            case str(reason) if reason.endswith(" has the same key and another value"):
                older = describe_decision(reason.partition(" ")[0], self.texts)
                parts.append(sentence("kept", "replaces", memory=older))
            case str(reason) if reason != "remember":
                parts.append(sentence("kept", "because", reason=describe_decision(reason, self.texts)))
        return " ".join(filter(None, parts))

    def _sentences(self, change: KeptChange) -> Iterator[str]:
        is_own = change.actor == "user"
        said = sentence("changed", "message", said=moment(change.said_at, self.timezone), words=words_of(change.said))
        opening = [said] if change.message_id else []
        match change.status_after if change.status_before != change.status_after else "same":
            case "superseded":
                yield from self._end_sentences(change, opening)
            case "deleted" if is_own:
                yield self._at("forgotten" if opening else "deleted", change)
            case "active" if is_own:
                yield self._at("restored", change)
            case "expired":
                yield self._at("expired", change)
            case "archived":
                yield self._at("archived", change)
                yield sentence("kept", "because", reason=describe_decision(change.reason or "", self.texts))
            case "deleted":
                yield self._otherwise("deleted_otherwise", change)
            case _ if change.is_doubted:
                doubt = sentence("changed", "doubted") if opening else self._at("doubted_otherwise", change)
                yield from [*opening, doubt, describe_recognition(change.why) or ""]
            case _:
                yield from self._detail_sentences(change, opening)

    def _end_sentences(self, change: KeptChange, opening: Sequence[str]) -> Iterator[str]:
        """What ended the memory, and what took its place."""
        if opening:
            yield from opening
        elif change.actor == "user":
            yield self._at("ended_by_person", change)
        else:
            yield self._otherwise("ended_otherwise", change)
        if change.newer_no:
            yield sentence("changed", "took_its_place", memory=self._newer(change))
        elif opening:
            yield sentence("changed", "ended")
        if opening:
            yield describe_recognition(change.why) or ""

    def _detail_sentences(self, change: KeptChange, opening: Sequence[str]) -> Iterator[str]:
        """A change that neither ended the memory nor cast doubt on it."""
        yield from opening
        edit = {"before": change.text_before, "after": change.text}
        if change.text_before and change.actor == "user" and not opening:
            yield sentence("changed", "edited", date=moment(change.created_at, self.timezone), **edit)
        elif change.text_before:
            yield sentence("changed", "reworded", **edit)
        elif opening:
            yield sentence("changed", "restated")
        elif change.actor == "user":
            yield self._at("confirmed" if change.reason == "confirm" else "details", change)
        else:
            yield self._otherwise("other", change)

    def _undo_sentences(self, change: KeptChange, before: Sequence[KeptChange]) -> Iterator[str]:
        undone = next((one for one in reversed(before) if change.reason == f"undo of {one.operation_id}"), None)
        at = moment(change.created_at, self.timezone)
        if undone and undone.message_id:
            yield sentence("changed", "undone", date=at, said=moment(undone.said_at, self.timezone))
            if change.is_return:
                yield sentence("changed", "again")
        else:
            yield sentence("changed", "undone_otherwise", date=at)
        if change.text_before:
            yield sentence("changed", "reworded", before=change.text_before, after=change.text)
        if undone and undone.newer_no and undone.newer_is_removed:
            yield sentence("changed", "removed", memory=self._newer(undone))

    def _newer(self, change: KeptChange) -> str:
        number = change.newer_no or 0
        return name_memory(number, {number: change.newer_text or ""})

    def _at(self, name: str, change: KeptChange) -> str:
        return sentence("changed", name, date=moment(change.created_at, self.timezone))

    def _otherwise(self, name: str, change: KeptChange) -> str:
        reason = describe_decision(change.reason or f"it was done by the {change.actor}", self.texts)
        return sentence("changed", name, date=moment(change.created_at, self.timezone), reason=reason)
