"""The page that is served beside a terminal has the same texts and the same monitor as one that is served alone."""

import asyncio
import json
import os
import random
import re
import urllib.request
from typing import Any

import pytest
from websockets.sync.client import connect

from controller.app.at_terminal import Streams, play_at_terminal
from controller.app.play import Serving, page_texts
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.bamogo import GAME
from hardware.ports import Sensing

DEADLINE = 30.0


@pytest.fixture
def rig() -> Rig:
    rules = GAME.rules(None, {"first": "1"})
    return simulated_rig(lambda _outcome=None, _first=None: rules, Sensing.COLOUR, Via.MEMORY)


def test_texts_tell_of_the_board(rig: Rig) -> None:
    texts = page_texts(rig, "mine.toml")
    rig.step(0)
    assert list(texts) == ["report"]
    assert '"board": "mine.toml"' in texts["report"]()


def test_the_page_beside_a_terminal_has_report_and_monitor(rig: Rig) -> None:
    keys, typing = os.pipe()
    hearing, screen = os.pipe()

    def fetch() -> tuple[str, dict[str, Any]]:
        said = ""
        while not (found := re.search(r"The page is at (http\S+/)", said)):
            said += os.read(hearing, 4096).decode()
        with urllib.request.urlopen(found[1] + "report", timeout=DEADLINE) as answer:
            report = answer.read().decode()
        with connect(found[1].replace("http", "ws") + "cells", proxy=None) as line:
            return report, json.loads(line.recv(timeout=DEADLINE))

    async def main() -> tuple[str, dict[str, Any]]:
        serving = Serving("127.0.0.1", 0, browser=False)
        playing = asyncio.create_task(
            play_at_terminal(
                rig, GAME, Streams(keys, screen, 2, {}), serving=serving, dice=random.Random(1), board="mine.toml"
            )
        )
        try:
            return await asyncio.wait_for(asyncio.to_thread(fetch), DEADLINE)
        finally:
            os.close(typing)
            await asyncio.wait_for(playing, DEADLINE)

    try:
        report, monitor = asyncio.run(main())
    finally:
        for number in (keys, hearing, screen):
            os.close(number)
    assert '"board": "mine.toml"' in report
    assert monitor["cells"][0]["name"] == "a1"
    assert (monitor["cells"][0]["raw"], monitor["cells"][0]["band"]) == (0, "empty")
