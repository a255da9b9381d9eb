"""A rig: lamps that fail never stop play, and everything is let go of at the end."""

import logging

import pytest

from controller.app.rig import LAMPS_RETRY_MS, Rig
from controller.app.simulated import CombinationError, Via, sensing_of, simulated_rig
from controller.games.bamogo import GAME
from controller.games.seam import AnyRules
from hardware.ports import DeviceError, Sensing
from simulator.memory import MemoryLamps

RULES: AnyRules = GAME.rules()


def rig_of(via: Via = Via.MEMORY) -> Rig:
    return simulated_rig(lambda _outcome=None, _first=None: RULES, Sensing.PRESENCE, via)


class BadLamps(MemoryLamps):
    """Lamps that fail at one show, or at several."""

    def __init__(self, pixels: int, bad: range) -> None:
        super().__init__(pixels)
        self.bad = bad
        self.shows = 0
        self.times: list[bytes] = []

    def show(self, frame: bytes) -> None:
        self.shows += 1
        if self.shows in self.bad:
            raise DeviceError("the strip is out; plug it in")
        super().show(frame)


def run(rig: Rig, until: int, start: int = 0) -> None:
    """Step whenever something is due."""
    now = start
    while now <= until:
        rig.step(now)
        due = rig.due()
        now = until + 1 if due is None else max(now + 1, due)


def place(rig: Rig, now: int) -> None:
    """Play Ra1 Bb1 by hand and button."""
    assert rig.top is not None
    for cell, content in ((0, 1), (4, 2)):
        rig.top.advance(now)
        rig.top.put((cell,), content)
        run(rig, now + 100, now)
        now += 100
    for button in ("red", "blue"):
        rig.top.advance(now)
        rig.top.press(button, 60)
        run(rig, now + 120, now)
        now += 120
    run(rig, now + 5000, now)


@pytest.mark.parametrize("bad", [range(k, k + 1) for k in range(1, 30, 4)] + [range(1, 10_000), range(5, 8)])
def test_b11_lamps_that_fail_at_the_kth_show_never_stop_play(bad: range) -> None:
    rig = rig_of()
    rig.lamps = lamps = BadLamps(40, bad)
    rig.step(0)
    place(rig, 10)
    assert [ply.token for ply in rig.table.round.plies] == ["Ra1 Bb1"]
    assert rig.table.phase.value == "waiting"
    if bad.stop < 20:
        assert lamps.shown == rig.table.frame(6000)  # they are in step again


def test_lamps_that_failed_are_left_alone_for_a_while_and_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    rig = rig_of()
    rig.lamps = lamps = BadLamps(40, range(1, 4))
    shows = []
    with caplog.at_level(logging.WARNING):
        for now in range(0, 5 * LAMPS_RETRY_MS, 100):
            rig.step(now)
            shows.append(lamps.shows)
    assert shows[: LAMPS_RETRY_MS // 100] == [1] * (LAMPS_RETRY_MS // 100)
    assert shows[LAMPS_RETRY_MS // 100] == 2
    assert lamps.shown is not None
    assert [record.getMessage() for record in caplog.records] == ["no light: the strip is out; plug it in"]


@pytest.mark.parametrize("via", Via)
def test_a_closed_rig_is_dark_and_lets_go(via: Via) -> None:
    rig = rig_of(via)
    rig.step(0)
    place(rig, 10)
    rig.table.press("hint", 9000)
    rig.step(9000)
    rig.close()
    rig.close()
    lamps = rig.lamps
    dark = not any(lamps.shown or b"x") if isinstance(lamps, MemoryLamps) else lamps.tap.is_dark()  # type: ignore[attr-defined]
    assert dark
    again = rig_of(via)  # the pins are free again
    again.step(0)
    again.close()


def test_two_boards_in_one_process_do_not_influence_each_other() -> None:
    rigs = [rig_of(via) for via in (Via.PINS, Via.PINS, Via.WIRE, Via.WIRE, Via.MEMORY)]
    for rig in rigs:
        rig.step(0)
    place(rigs[0], 10)
    for rig in rigs[1:]:
        run(rig, 5000, 10)
    assert [len(rig.table.round.plies) for rig in rigs] == [1, 0, 0, 0, 0]
    assert not any(rigs[1].table.frame(5000)[:48])
    for rig in rigs:
        rig.close()


@pytest.mark.parametrize("via", Via)
def test_a_rig_that_rests_shows_one_frame(via: Via) -> None:
    rig = rig_of(via)
    run(rig, 3000)
    lamps = rig.lamps
    frames = lamps.sent if isinstance(lamps, MemoryLamps) else lamps.tap.frames  # type: ignore[attr-defined]
    # A micro-controller shows two frames of its own until the controller has greeted it.
    assert frames == (3 if via is Via.WIRE else 1)
    rig.close()


@pytest.mark.parametrize(
    ("word", "via", "kind"),
    [
        ("presence", Via.MEMORY, Sensing.PRESENCE),
        ("colour", Via.MEMORY, Sensing.COLOUR),
        ("presence", Via.PINS, Sensing.PRESENCE),
        ("presence", Via.WIRE, Sensing.PRESENCE),
        ("colour", Via.WIRE, Sensing.COLOUR),
    ],
)
def test_the_kinds_by_which_bamogo_is_played(word: str, via: Via, kind: Sensing) -> None:
    assert sensing_of(RULES, word, via) is kind


@pytest.mark.parametrize(
    ("word", "via"), [("count", Via.MEMORY), ("count", Via.PINS), ("count", Via.WIRE), ("", Via.MEMORY)]
)
def test_a_kind_by_which_it_is_not_played_is_said_with_those_that_go(word: str, via: Via) -> None:
    with pytest.raises(CombinationError, match=f"bamogo.*via {via.value}.*presence"):
        sensing_of(RULES, word, via)
