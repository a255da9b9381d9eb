"""The line of the monitor over real sockets: who is told what and when, and that nobody is watched for nobody."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from controller.page import live, pace
from controller.page.server import PageServer

DEADLINE = 10.0


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine, with a deadline for everything that it waits for."""

    async def bounded() -> None:
        async with asyncio.timeout(DEADLINE):
            await main

    asyncio.run(bounded())


@asynccontextmanager
async def served(desk: Any, monitor: Any) -> AsyncIterator[PageServer]:
    async with PageServer(desk, port=0, monitor=monitor) as server:
        yield server


def line_to(server: PageServer, place: str = "cells") -> connect:
    return connect(f"ws://127.0.0.1:{server.port}/{place}")


async def told(line: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(await line.recv())
    return message


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop turn until that holds."""
    while not holds():  # noqa: ASYNC110  (there is no event for what the other side of a socket does)
        await asyncio.sleep(0)


def test_a_monitor_is_told_all_cells_at_once_and_what_changes(desk: Any, monitor: Any) -> None:
    async def main() -> None:
        async with served(desk, monitor) as server, line_to(server) as line:
            first = await told(line)
            assert (first["type"], first["title"], first["trouble"]) == ("state", "Bamogo", "")
            assert first["cells"] == monitor.cells
            monitor.change(raw=198, band="red", age_ms=0, changes=1)
            second = await told(line)
            assert second["version"] > first["version"]
            assert second["cells"][0] == monitor.cells[0]

    run(main())


def test_cells_are_watched_only_while_a_monitor_is_open(desk: Any, monitor: Any) -> None:
    async def main() -> None:
        async with served(desk, monitor) as server:
            async with line_to(server, "live") as page:
                assert "monitor" in (await told(page))["texts"]
                assert monitor.watchers == []
            async with line_to(server) as one, line_to(server) as two:
                await told(one)
                await told(two)
                assert len(monitor.watchers) == 1
            await until(lambda: not monitor.watchers)
            assert desk.acts == []

    run(main())


def test_changes_are_told_no_faster_than_numbers_can_be_read_and_rendered_once_for_all(
    desk: Any, monitor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MONITOR_GAP", 0.05)

    async def main() -> None:
        async with served(desk, monitor) as server, line_to(server) as one, line_to(server) as two:
            lines = (one, two)
            for line in lines:
                await told(line)
            began, looks = asyncio.get_running_loop().time(), monitor.looks
            for count in range(1000):
                monitor.change(raw=count)
            states = [await told(line) for line in lines]
            assert [state["cells"][0]["raw"] for state in states] == [999, 999]
            assert monitor.looks == looks + 1
            # At the next gap, not at once a thousand times.
            monitor.change(raw=7)
            assert [(await told(line))["cells"][0]["raw"] for line in lines] == [7, 7]
            assert asyncio.get_running_loop().time() - began >= 0.05

    run(main())


def test_a_quiet_board_is_told_afresh_now_and_then_since_noise_ebbs_away_unheard(
    desk: Any, monitor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "KEEP_ALIVE", 0.01)
    monkeypatch.setattr(live, "MONITOR_GAP", 0.005)

    async def main() -> None:
        async with served(desk, monitor) as server, line_to(server) as line:
            await told(line)
            monitor.cells[0]["noise"] = 0
            message = await told(line)
            assert (message["type"], message["cells"][0]["noise"]) == ("state", 0)

    run(main())


def test_whoever_joins_late_is_not_told_old_ages(desk: Any, monitor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MONITOR_GAP", 0.0)

    async def main() -> None:
        async with served(desk, monitor) as server, line_to(server) as one:
            await told(one)
            monitor.cells[0]["age_ms"] = 5000
            async with line_to(server) as two:
                assert (await told(two))["cells"][0]["age_ms"] == 5000

    run(main())


def test_a_monitor_has_no_hands(desk: Any, monitor: Any) -> None:
    async def main() -> None:
        async with served(desk, monitor) as server, line_to(server) as line:
            await told(line)
            await line.send(json.dumps({"type": "take", "stone": "R"}))
            refusal = await told(line)
            assert refusal["type"] == "error"
            assert "played with at /" in refusal["message"]
            assert desk.acts == []

    run(main())


def test_a_server_that_stops_says_goodbye_to_monitors(desk: Any, monitor: Any) -> None:
    async def main() -> None:
        server = PageServer(desk, port=0, monitor=monitor)
        await server.start()
        async with line_to(server) as line:
            await told(line)
            await server.stop()
            await line.wait_closed()
            assert line.close_code == 1001

    run(main())


async def fetch(server: PageServer, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return int(head.split()[1]), body


def test_the_page_of_the_monitor_is_there_where_there_is_one(desk: Any, monitor: Any) -> None:
    async def main() -> None:
        async with served(desk, monitor) as server:
            status, body = await fetch(server, "/monitor")
            assert status == 200
            assert b"monitor.js" in body
        async with served(desk, None) as server:
            assert (await fetch(server, "/monitor"))[0] == 404
            with pytest.raises(InvalidStatus):
                async with line_to(server):
                    pass
            async with line_to(server, "live") as page:
                assert "texts" not in await told(page)

    run(main())


def test_a_foreign_page_may_not_watch(desk: Any, monitor: Any) -> None:
    async def main() -> None:
        async with served(desk, monitor) as server:
            with pytest.raises(InvalidStatus):
                async with connect(
                    f"ws://127.0.0.1:{server.port}/cells", additional_headers={"Origin": "http://x.org"}
                ):
                    pass
            assert monitor.watchers == []

    run(main())
