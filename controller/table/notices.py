"""What a table tells everyone who listens, in the form of a rehearsal's JSON lines."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from hardware.ports import Millis


class Notice(NamedTuple):
    """Something that happened at the table.

    Fields:
        at: when.
        type: ``phase``, ``move``, ``takeback``, ``question``, ``mismatch``, ``link``, ``event``, ``error``.
        facts: the further keys of the JSON form; cells by name.
    """

    at: Millis
    type: str
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return ``{"t": ..., "type": ..., **facts}``."""
        return {"t": self.at, "type": self.type, **self.facts}
