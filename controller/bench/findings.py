"""What a check of `stonelight doctor` comes to."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


class Verdict(enum.Enum):
    """How it stands. The values are the words of ``--json``."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not as well as it could, or not for long."""
    FAILED = "failed"
    SKIPPED = "skipped"
    """Not to be checked here, and why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's.

    Fields:
        check: its name, for programs.
        verdict: how it stands.
        said: what was found, in one line.
        remedy: what to do, in one line; there whenever something is to be done.
    """

    check: str
    verdict: Verdict
    said: str
    remedy: str = ""

    def __post_init__(self) -> None:
        if (self.verdict in (Verdict.FAILED, Verdict.WARNING)) != bool(self.remedy):
            raise ValueError(f"{self.check}: what is wrong has a remedy, and nothing else has")

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON-able data."""
        return {"check": self.check, "verdict": self.verdict.value, "said": self.said, "remedy": self.remedy}


def ok(check: str, said: str) -> Finding:
    """Return that all is well."""
    return Finding(check, Verdict.OK, said)


def skipped(check: str, why: str) -> Finding:
    """Return that there is nothing to check."""
    return Finding(check, Verdict.SKIPPED, why)


def failed(check: str, said: str, remedy: str) -> Finding:
    """Return what is wrong and what to do."""
    return Finding(check, Verdict.FAILED, said, remedy)


def warning(check: str, said: str, remedy: str) -> Finding:
    """Return what could be better and what to do."""
    return Finding(check, Verdict.WARNING, said, remedy)


def any_failed(findings: Iterable[Finding]) -> bool:
    """Return whether something is wrong."""
    return any(finding.verdict is Verdict.FAILED for finding in findings)
