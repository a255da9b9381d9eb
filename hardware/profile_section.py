"""What all sections of a board profile have in common."""

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

Gpio: TypeAlias = int
"""A BCM number, or on a Pico the number of a GP pin. Whether the header has it is the ledger's business."""


class Section(BaseModel):
    """A table of a profile: no key that is not known, no value of another kind, nothing changed afterwards."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)
