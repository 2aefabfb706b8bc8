"""The result of one check of a deployment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, the result, and what to do about it, if anything."""

    subject: str
    result: str
    remedy: str = ""
    failed: bool = False

    def line(self) -> str:
        """The finding in one line, or in two if there is something to do."""
        mark = "✗" if self.failed else "·" if self.remedy else "✓"
        return f"{mark} {self.subject}: {self.result}" + (f"\n    → {self.remedy}" if self.remedy else "")
