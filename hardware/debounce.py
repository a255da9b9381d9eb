r"""Debouncing of all contacts at once: one bit a contact, arithmetic on (time, raw reading), no clock.

`Debounce.feed` takes what the contacts read now and returns which of them have changed for good. A contact changes when
it has read differently from its state in `samples` readings in a row and for `agree_ms`::

    raw      ____/\_/\/``````````````````\/\______________
    samples    .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
    state    ______________________/``````````````````\___
                      ^ since: where the last run began

So the states of one contact strictly alternate, and once its raw reading rests the state equals it.
"""

from hardware.ports import Millis


class Debounce:
    """Agreement of readings, for up to `width` contacts in one int.

    A reading that equals the state while nothing is pending costs two comparisons: that is the quiet case. The other
    costs grow with the contacts that are changing, not with all that there are.

    Args:
        width: how many contacts there are.
        samples: readings in a row that must agree, 1 or more.
        agree_ms: for how long they must agree besides, from the first of them to the last; 0 asks for nothing.

    Attributes:
        state: the debounced reading, one bit a contact.
        pending: contacts whose last reading differs from their state.
    """

    __slots__ = ("_agree_ms", "_raw", "_runs", "_samples", "_since", "pending", "state")

    def __init__(self, width: int, *, samples: int = 3, agree_ms: int = 0) -> None:
        if width < 0 or samples < 1 or agree_ms < 0:
            raise ValueError("a debounce needs a width, at least one sample and no negative time")
        self.state = 0
        self.pending = 0
        self._raw = 0
        self._samples = samples
        self._agree_ms = agree_ms
        self._since: list[Millis] = [0] * width
        # _runs[k]: contacts whose last k + 1 readings all differed from the state.
        self._runs = [0] * (samples - 1)

    def start(self, now: Millis, raw: int) -> None:
        """Take `raw` as the state as it is, for the first reading and after any doubt."""
        self.state = self._raw = raw
        self.pending = 0
        self._runs = [0] * (self._samples - 1)
        self._since = [now] * len(self._since)

    def feed(self, now: Millis, raw: int) -> int:
        """Take one reading and return the contacts whose state it changed, one bit each; `state` holds them already.

        Args:
            now: when the reading was taken, not before the one before it.
            raw: the reading, one bit a contact.
        """
        if raw == self._raw and not self.pending:
            return 0
        edges = raw ^ self._raw
        self._raw = raw
        since = self._since
        while edges:
            low = edges & -edges
            since[low.bit_length() - 1] = now
            edges ^= low
        differs = raw ^ self.state
        agreed = differs
        runs = self._runs
        for k, run in enumerate(runs):
            runs[k], agreed = agreed, agreed & run
        changed = self._old_enough(now, agreed) if agreed and self._agree_ms else agreed
        if changed:
            self.state ^= changed
            for k in range(len(runs)):
                runs[k] &= ~changed
        self.pending = differs & ~changed
        return changed

    def since(self, contact: int) -> Millis:
        """Return when the raw reading of that contact last changed, as far as the readings show it."""
        return self._since[contact]

    def _old_enough(self, now: Millis, contacts: int) -> int:
        """Return those of `contacts` that have read as they do for `agree_ms`."""
        old = 0
        while contacts:
            low = contacts & -contacts
            if now - self._since[low.bit_length() - 1] >= self._agree_ms:
                old |= low
            contacts ^= low
        return old
