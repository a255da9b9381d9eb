"""The pixels: runs into a buffer, the buffer onto the chain, and what is shown when nobody is there.

Scanning never waits for light: on long chains frames go out in the background, at most 30 a second.
"""

LONG = 64
"""Pixels above which frames go out in the background."""
LONG_MS = 33
"""Between two frames of a long chain."""
CALM_MS = 100
"""Between two steps of the calm pattern."""
CALM_EVERY = 8
"""One pixel in so many glows in the calm pattern."""
CALM_MOST = 12
"""How bright it glows, of 255; one milliamp or so for each."""
CALM_STEPS = 20
"""Steps from dark to brightest: with `CALM_MS` a breath takes four seconds."""
_CLOCK = 0x1FFFFFFF


class Lights:
    """A chain of pixels.

    Args:
        strip: takes the whole buffer (``write(buffer)``) and says whether it is still sending (``busy``).
        pixels, channels: how many, and bytes of each.

    Attributes:
        failed: whether the last frame could not be sent.
        frames: how many have been sent.
    """

    def __init__(self, strip, pixels: int, channels: int) -> None:
        self.pixels = pixels
        self.channels = channels
        self.failed = False
        self.frames = 0
        self._strip = strip
        self._buffer = bytearray(pixels * channels)
        self._dirty = True
        self._sent = 0
        self._step = -1
        self._stepped = 0

    def paint(self, start: int, count: int, colour: bytes) -> bool:
        """Give a run of pixels one colour, as the chain takes it; False if they are not on the chain."""
        if count < 1 or start + count > self.pixels:
            return False
        self._buffer[start * self.channels : (start + count) * self.channels] = colour * count
        return True

    def show(self) -> None:
        """Have what is painted shown, as soon as the chain is free."""
        self._dirty = True

    def clear(self) -> None:
        """All dark: somebody is there again."""
        for k in range(len(self._buffer)):
            self._buffer[k] = 0
        self._step = -1
        self._dirty = True

    def tick(self, now: int) -> None:
        """Send the frame that waits, if the chain is free."""
        if not self._dirty or self._strip.busy:
            return
        if self.pixels > LONG and self.frames and ((now - self._sent) & _CLOCK) < LONG_MS:
            return
        self._dirty = False
        self._sent = now
        self.frames += 1
        try:
            self._strip.write(self._buffer)
            self.failed = False
        except (OSError, RuntimeError, ValueError):
            self.failed = True

    def calm(self, now: int) -> None:
        """One step of "no word from the Pi": what was shown fades, then one pixel in eight breathes, dim and white."""
        if self._step >= 0 and ((now - self._stepped) & _CLOCK) < CALM_MS:
            return
        self._stepped = now
        self._step += 1
        buffer = self._buffer
        step = self._step % (2 * CALM_STEPS)
        level = CALM_MOST * (step if step < CALM_STEPS else 2 * CALM_STEPS - step) // CALM_STEPS
        stride = self.channels * CALM_EVERY
        for k in range(len(buffer)):
            fading = buffer[k] // 2
            if k % stride < 3:
                buffer[k] = max(level, fading) if fading > CALM_MOST else level
            else:
                buffer[k] = fading
        self._dirty = True
