"""What stands behind the page: a desk that shows one board and lets hands and fingers at it.

The page knows nothing of games, turns or devices. It shows what the desk tells, and passes on what hands do: a stone
taken, lifted, dropped, a button pressed. It never makes a move; whether hands made one is for the board to say.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

Heard: TypeAlias = Callable[[bool], None]
"""Called when there is something new to show: True where the state changed, False where only lights did."""


class RequestError(ValueError):
    """What a page asked for cannot be done. The message is shown to the person at that page, and to nobody else."""


class Shown(Protocol):
    """Something that pages show. All calls come from one thread, that of the loop which serves the pages."""

    def state(self) -> dict[str, Any]:
        """Return all that a page shows. The caller changes nothing in it, and calls it only after `Heard` or a join."""

    def watch(self, heard: Heard) -> Callable[[], None]:
        """Call `heard` at each change from now on, and return what ends that.

        `heard` returns at once and calls nothing of what is shown.
        """


class Desk(Shown, Protocol):
    """One board as pages see it: shown, and touched by hands.

    The state (`state`), JSON values only:

    - ``game``: ``name``, ``title``, ``surface`` (``square``, ``hexagon``, ``pit``, ``mat``), ``settings``.
    - ``sensing``: ``presence``, ``colour`` or ``count``; ``simulated``: whether hands of a page can move stones.
    - ``phase``: the word of the turn machine; ``words``: what the board waits for; ``detail``: more of it, optional.
    - ``question``: None, or ``about``, ``cell`` (a name or None), ``options`` (buttons and cells that answer it).
    - ``cells``: in cell order, ``id``, ``x``, ``y`` (pitches; y grows away from player 1), ``stone`` (as sensed: a
      stone, empty, or ``?``; in a sowing game the seeds as a number in text), ``piece`` (what really lies there, where
      that is known: on a simulated board), ``light`` (``#rrggbb``); on a mat ``placement``, the name of the stone
      that covers it (``He8``) or empty.
    - ``owed``: the cells, by name, that the rules ask to be emptied now. ``masked``: those that are played without,
      since their sensors are sick; a ``touch`` lets one be heard again.
    - ``track``: colours of the score track, clockwise from the near left corner.
    - ``stones``: every kind of stone; ``supply``: ``stone`` (or its owner's number, or ``seed``) and ``count`` of what
      is off the board.
    - ``players``: ``number``, ``name``, ``score``, ``turn``, ``colour``.
    - ``seats``: the seats that may be pressed now to say who begins, as text; who does so far has the ``turn``.
    - ``buttons``: the buttons the board has, or should have. ``moves``: ``ply``, ``player``, ``move``, oldest first.
    - ``outcome``: None, or ``winner`` (a number or None) and ``reason``.
    - ``light``: ``brightness`` (percent), ``night``, ``palette`` and all ``palettes``.
    - ``held``: one entry for each page's hand that holds something: ``client``, ``stone`` (``seed`` in a sowing game),
      ``count``, ``from`` (a cell or None: the supply), ``placement`` (on a mat: where the stone lay).
    - ``faults``: on a simulated board, what can be asked for by ``whatif``: ``fault``, ``label``, ``help``, ``takes``
      (``switch``; ``cell``: a switch for one cell; ``once``) and ``on``. ``sweep``: what ``sweep`` would do now, in
      words for a button; empty where there is nothing to do.
    """

    def lights(self) -> dict[str, Any]:
        """Return ``{"cells": [...], "track": [...]}``: colours ``#rrggbb`` in cell order and in track order."""

    def act(self, client: str, message: Mapping[str, Any]) -> None:
        """Do what the hand of page `client` does, at once.

        Args:
            client: the page, as in ``held``.
            message: well-formed, as `controller.page.messages.parse` returns it: ``take`` (``stone``), ``lift``
                (``cell``: the stone there, or all seeds of a pit), ``pick`` (``cell``: one seed of a pit), ``drop``
                (``cell``, or a placement on a mat: the stone, or one seed), ``discard``, ``return``, ``sweep`` (the
                board comes to the start of a round, or back to what it was), ``press``
                (``button``), ``touch`` (``cell``), ``light`` (``setting``, ``value``), ``whatif`` (``fault``, perhaps
                ``cell``).

        Raises:
            RequestError: a hand could not do that, or there is no such cell, stone or button.
        """

    def leave(self, client: str) -> None:
        """Page `client` has gone away: what its hand held goes back to where it came from. Twice is fine."""
