"""The loop in a real asyncio loop: it steps when something is due or somebody stirs, and never misses a call."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest

from controller.app import loop as loop_module
from controller.app.loop import Loop
from controller.app.play import Serving, play
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.bamogo import GAME
from controller.games.seam import AnyRules
from hardware.ports import Sensing
from simulator.memory import MemoryLamps

RULES: AnyRules = GAME.rules()
DEADLINE = 20.0


class FakeSource:
    """Keeps the function that the loop gives it."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = lambda: None

    def listen(self, wake: Callable[[], None]) -> None:
        self.wake = wake


class FakeRig:
    """A rig that notes its steps and is due when told."""

    leaving = False

    def __init__(self) -> None:
        self.source = FakeSource()
        self.steps: list[int] = []
        self.next: list[int | None] = []
        self.on_step: Callable[[int], None] = lambda _count: None

    def step(self, now: int) -> None:
        self.steps.append(now)
        self.on_step(len(self.steps))

    def due(self) -> int | None:
        return self.next.pop(0) if self.next else None


def looped(rig: FakeRig, work: Callable[[Loop, asyncio.Event], Coroutine[Any, Any, None]]) -> None:
    """Run `work` beside the loop; its event is set at every step."""

    async def main() -> None:
        loop = Loop(cast("Rig", rig))
        stepped = asyncio.Event()
        loop.listeners.append(stepped.set)
        running = asyncio.create_task(loop.run())
        try:
            await asyncio.wait_for(work(loop, stepped), DEADLINE)
        finally:
            running.cancel()

    asyncio.run(main())


async def step_of(stepped: asyncio.Event) -> None:
    await stepped.wait()
    stepped.clear()


def test_it_steps_once_and_then_sleeps_until_somebody_stirs() -> None:
    rig = FakeRig()

    async def work(loop: Loop, stepped: asyncio.Event) -> None:
        await step_of(stepped)
        for _ in range(20):
            await asyncio.sleep(0)  # turns of the loop, no time
        assert len(rig.steps) == 1
        rig.source.wake()
        await step_of(stepped)
        loop.wake()
        await step_of(stepped)
        assert len(rig.steps) == 3

    looped(rig, work)


def test_it_steps_again_when_something_is_due_or_overdue(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = FakeRig()
    times = iter(range(1000, 100_000, 10))
    monkeypatch.setattr(loop_module, "clock", lambda: next(times))
    rig.next = [1, 1030, 5, None]  # long past, just now, long past again, never

    async def work(_loop: Loop, stepped: asyncio.Event) -> None:
        while len(rig.steps) < 4:
            await step_of(stepped)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(rig.steps) == 4

    looped(rig, work)
    assert rig.steps == sorted(rig.steps)


def test_news_of_the_source_are_taken_in_the_very_call() -> None:
    rig = FakeRig()

    async def work(loop: Loop, stepped: asyncio.Event) -> None:
        await step_of(stepped)
        loop.wake()
        rig.source.wake()
        assert len(rig.steps) == 2
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(rig.steps) == 2, "the step that had been asked for is done"

    looped(rig, work)


def test_a_call_during_a_step_is_not_lost() -> None:
    rig = FakeRig()
    rig.on_step = lambda count: rig.source.wake() if count <= 3 else None

    async def work(_loop: Loop, stepped: asyncio.Event) -> None:
        while len(rig.steps) < 4:
            await step_of(stepped)

    looped(rig, work)
    assert len(rig.steps) == 4


def test_many_calls_at_once_are_one_step() -> None:
    rig = FakeRig()

    async def work(loop: Loop, stepped: asyncio.Event) -> None:
        await step_of(stepped)
        for _ in range(50):
            loop.wake()
        await step_of(stepped)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(rig.steps) == 2

    looped(rig, work)


@pytest.mark.parametrize("via", Via)
def test_a_ply_counts_in_real_time(via: Via) -> None:
    sensing = Sensing.COLOUR if via is Via.MEMORY else Sensing.PRESENCE

    async def main() -> None:
        rig = simulated_rig(lambda _outcome=None, _first=None: RULES, sensing, via)
        loop = Loop(rig)
        stepped = asyncio.Event()
        loop.listeners.append(stepped.set)
        running = asyncio.create_task(loop.run())

        async def until(reached: Callable[[], bool]) -> None:
            while not reached():
                await step_of(stepped)

        async def hands() -> None:
            await step_of(stepped)
            assert rig.top is not None
            for cell, content in ((0, 1), (4, 2)):
                rig.top.put((cell,), content)
            loop.wake()
            if via is not Via.MEMORY:
                for button in ("red", "blue"):
                    await until(lambda: rig.table.question is not None)
                    options = rig.table.question.options if rig.table.question else ()
                    rig.top.press(button, 100)
                    loop.wake()
                    await until(lambda: rig.table.question is None or rig.table.question.options != options)  # noqa: B023
            await until(lambda: len(rig.table.round.plies) == 1)

        try:
            await asyncio.wait_for(hands(), DEADLINE)
            assert [ply.token for ply in rig.table.round.plies] == ["Ra1 Bb1"]
        finally:
            running.cancel()
            rig.close()

    asyncio.run(main())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_l11_a_signal_ends_play_in_the_dark_and_leaves_no_handler(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    rig = simulated_rig(lambda _outcome=None, _first=None: RULES, Sensing.COLOUR, Via.MEMORY)
    told: list[list[str]] = []

    def ready(addresses: list[str]) -> None:
        told.append(addresses)
        assert isinstance(rig.lamps, MemoryLamps)
        assert rig.lamps.shown is not None
        assert any(rig.lamps.shown)  # the track is lit before the page is announced
        signal.raise_signal(number)

    async def main() -> None:
        await asyncio.wait_for(play(rig, "Bamogo", Serving("127.0.0.1", 0, browser=False), ready), DEADLINE)

    asyncio.run(main())
    assert told[0][0].startswith("http://")
    assert isinstance(rig.lamps, MemoryLamps)
    assert rig.lamps.shown == bytes(120)
    assert signal.getsignal(number) == before


def test_a_fault_of_the_loop_ends_play_in_the_dark_too() -> None:
    rig = simulated_rig(lambda _outcome=None, _first=None: RULES, Sensing.COLOUR, Via.MEMORY)
    polls = 0
    poll = rig.source.poll

    def failing(now: int) -> Any:
        nonlocal polls
        polls += 1
        if polls > 1:
            raise ZeroDivisionError("a fault of ours")
        return poll(now)

    rig.source.poll = failing  # type: ignore[method-assign]

    async def main() -> None:
        await asyncio.wait_for(play(rig, "Bamogo", Serving("127.0.0.1", 0, browser=False), lambda _: None), DEADLINE)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(main())
    assert isinstance(rig.lamps, MemoryLamps)
    assert rig.lamps.shown == bytes(120)
