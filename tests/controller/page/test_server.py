"""The server over real sockets: what pages are sent, what rubbish and strangers get, how it starts and stops."""

import asyncio
import contextlib
import json
import logging
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from controller.page import live as live_module
from controller.page.pace import Allowance
from controller.page.server import PageServer, PortInUseError, ServeError, serve
from controller.page.site import static_files

DEADLINE = 10.0


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine, with a deadline for everything that it waits for."""

    async def bounded() -> None:
        async with asyncio.timeout(DEADLINE):
            await main

    asyncio.run(bounded())


class Client:
    """A page without a screen."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.versions: list[int] = []

    async def next(self, kind: str | None = None) -> dict[str, Any]:
        """Return the next message (of that kind)."""
        while True:
            message: dict[str, Any] = json.loads(await self.line.recv())
            self.versions.append(message["version"])
            if kind in (None, message["type"]):
                return message

    async def state_where(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first state of which that holds."""
        while True:
            state = await self.next("state")
            if holds(state):
                return state

    async def say(self, **message: Any) -> None:
        await self.line.send(json.dumps(message))

    async def error(self) -> str:
        return str((await self.next("error"))["message"])


@asynccontextmanager
async def page_on(server: PageServer, **options: Any) -> AsyncIterator[Client]:
    async with connect(f"ws://127.0.0.1:{server.port}/live", **options) as line:
        yield Client(line)


async def fetch(server: PageServer, path: str, *lines: str, host: str | None = None, method: str = "GET") -> Any:
    """Return (status, headers, body) of one request, with the given header lines."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    head = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{server.port}'}", "Connection: close", *lines]
    writer.write("\r\n".join([*head, "", ""]).encode())
    answer = await reader.read()
    writer.close()
    head_bytes, _, body = answer.partition(b"\r\n\r\n")
    status, *rest = head_bytes.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
    return int(status.split()[1]), headers, body


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop turn until that holds."""
    while not holds():  # noqa: ASYNC110  (there is no event for what the other side of a socket does)
        await asyncio.sleep(0)


def cell(state: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in state["cells"] if each["id"] == name)
    return found


# --- what pages are sent ----------------------------------------------------------------------------------------------


def test_a_page_is_sent_the_whole_state_first(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as client:
            state = await client.next()
            assert state["type"] == "state"
            assert state["version"] >= 1
            assert {
                key: value for key, value in state.items() if key not in ("type", "version", "you", "acted")
            } == desk.state()
            assert isinstance(state["you"], str)

    run(main())


def test_a_page_is_told_how_many_of_its_messages_have_been_read(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as one, page_on(server) as two:
            assert [(await page.next())["acted"] for page in (one, two)] == [0, 0]
            await one.say(type="take", stone="R")
            await one.say(type="explode")
            await one.say(type="drop", cell="a1")
            seen = await one.state_where(lambda state: state["cells"][0]["piece"] == "R")
            assert seen["acted"] == 3
            assert (await two.state_where(lambda state: state["cells"][0]["piece"] == "R"))["acted"] == 0

    run(main())


def test_a_page_is_told_which_texts_are_served_beside_it(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0, texts={"report": lambda: "all of it\n"}) as server, page_on(server) as page:
            assert (await page.next())["texts"] == ["report"]

    run(main())


def test_what_one_hand_does_every_page_sees(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as one, page_on(server) as two:
            me, other = (await one.next())["you"], (await two.next())["you"]
            assert me != other
            await one.say(type="take", stone="R")
            seen = await two.state_where(lambda state: bool(state["held"]))
            assert seen["held"] == [{"client": me, "stone": "R", "from": None}]
            assert seen["you"] == other
            await one.say(type="drop", cell="a1")
            for client in (one, two):
                state = await client.state_where(lambda state: cell(state, "a1")["piece"] == "R")
                assert state["supply"][0] == {"stone": "R", "count": 4}

    run(main())


def test_versions_grow_with_every_message_and_over_reconnects(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            async with page_on(server) as client:
                await client.next("state")
                await client.say(type="lift", cell="a1")
                await client.next("error")
                desk.light(a1="#ffffff")
                await client.next("lights")
                assert client.versions == sorted(set(client.versions))
                newest = client.versions[-1]
            async with page_on(server) as client:
                assert (await client.next("state"))["version"] > newest

    run(main())


def test_lights_come_without_the_state_and_the_newest_wins(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as client:
            await client.next("state")
            for level in range(256):
                desk.light(b2=f"#{level:02x}0000")
            lights = await client.next()
            assert lights["type"] == "lights"
            assert lights["cells"] == desk.lights()["cells"]
            assert lights["track"] == desk.track
            assert "#ff0000" in lights["cells"]

    run(main())


def test_a_quiet_board_is_heard_of_now_and_then(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.page.pace.KEEP_ALIVE", 0.05)

    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as client:
            await client.next("state")
            assert [(await client.next())["type"] for _ in range(3)] == ["lights"] * 3

    run(main())


def test_the_desk_is_watched_only_while_somebody_looks(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            assert desk.watchers == []
            async with page_on(server) as one, page_on(server) as two:
                await one.next()
                await two.next()
                assert len(desk.watchers) == 1
            await until(lambda: len(desk.left) == 2)
            assert desk.watchers == []

    run(main())


def test_a_page_that_goes_away_lets_go_of_its_stone(desk: Any) -> None:
    desk.put(a1="R")

    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as stays:
            async with page_on(server) as goes:
                await goes.next()
                await goes.say(type="lift", cell="a1")
                await stays.state_where(lambda state: bool(state["held"]))
                goes.line.transport.abort()
            state = await stays.state_where(lambda state: not state["held"])
            assert cell(state, "a1")["piece"] == "R"

    run(main())


def test_a_page_that_reads_nothing_holds_up_nobody_and_costs_no_memory(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for gap in ("STATE_GAP", "LIGHTS_GAP"):
        monkeypatch.setattr(f"controller.page.pace.{gap}", 0.0)
    desk.show(detail="x" * 200_000)
    sent: dict[str, int] = {}
    text = live_module.Lines._text

    def counted(self: Any, page: Any, due: Any) -> str:
        sent[page.client] = sent.get(page.client, 0) + 1
        return text(self, page, due)

    monkeypatch.setattr(live_module.Lines, "_text", counted)

    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server, max_queue=1, max_size=None) as slow:
            slow.line.transport.pause_reading()
            async with page_on(server, max_size=None) as quick:
                await quick.next()
                for step in range(120):
                    desk.show(words=f"step {step}")
                    await quick.state_where(lambda state, step=step: state["words"] == f"step {step}")  # type: ignore[misc]
                mine = (await quick.next("lights"))["version"]
                assert mine
            # Kernel buffers take a few of 120 states (24 MB); what the page missed was never made for it.
            assert min(sent.values()) < 60
            slow.line.transport.resume_reading()
            await slow.state_where(lambda state: state["words"] == "step 119")

    run(main())


def test_there_is_room_for_so_many_pages_and_no_more(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "MOST_PAGES", 2)

    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as one, page_on(server) as two:
            await one.next()
            await two.next()
            async with page_on(server) as third:
                assert "2 pages are open already" in json.loads(await third.line.recv())["message"]
                with pytest.raises(ConnectionClosed) as closed:
                    await third.line.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1013

    run(main())


# --- rubbish ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rubbish", "words"),
    [
        pytest.param("hello", "not JSON", id="words"),
        pytest.param(b"\x00\x01", "binary", id="bytes"),
        pytest.param("[" * 4000, "not JSON", id="deep"),
        pytest.param('{"type": "take", "stone": "' + "R" * 5000 + '"}', "too large", id="too large"),
        pytest.param('{"type": "win"}', "unknown type 'win'", id="unknown type"),
        pytest.param('{"type": "lift", "cell": 1}', "cannot be a number", id="wrong type"),
        pytest.param('{"type": "lift", "cell": "z9"}', "nothing lies on z9", id="what the desk refuses"),
    ],
)
def test_rubbish_gets_one_error_and_the_next_message_counts(desk: Any, rubbish: str | bytes, words: str) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as rude, page_on(server) as other:
            await other.next()
            await rude.next("state")
            await rude.line.send(rubbish)
            await rude.say(type="take", stone="B")
            assert words in await rude.error()
            state = await rude.state_where(lambda state: bool(state["held"]))
            assert state["held"][0]["stone"] == "B"
            seen = [await other.next()]
            while not seen[-1].get("held"):
                seen.append(await other.next())
            assert "error" not in {message["type"] for message in seen}

    run(main())


def test_a_message_of_enormous_size_ends_only_that_line(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as rude, page_on(server) as other:
            await rude.next()
            await rude.line.send("x" * 1_000_000)
            await rude.line.wait_closed()
            assert rude.line.close_code == 1009
            await other.say(type="take", stone="Y")
            await other.state_where(lambda state: bool(state["held"]))

    run(main())


def test_a_flood_is_cut_short_and_others_play_on(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "Allowance", partial(Allowance, patience=500))

    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as rude, page_on(server) as other:
            await rude.next()

            async def flood() -> None:
                for _ in range(2000):
                    await rude.say(type="press", button="ok")

            flooding = asyncio.create_task(flood())
            await other.say(type="take", stone="Y")
            await other.state_where(lambda state: bool(state["held"]))
            assert "too much at once" in await rude.error()
            await asyncio.wait((flooding,))
            flooding.exception()
            await rude.line.wait_closed()
            assert rude.line.close_code == 1008
            presses = sum(message["type"] == "press" for _, message in desk.acts)
            assert 200 <= presses < 1000

    run(main())


def test_a_fault_inside_the_desk_is_told_logged_and_survived(desk: Any, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as client:
            await client.next()
            await client.say(type="press", button="explode")
            assert "something went wrong" in await client.error()
            await client.say(type="take", stone="Y")
            await client.state_where(lambda state: bool(state["held"]))

    run(main())
    assert "ZeroDivisionError" in caplog.text


def test_a_desk_that_cannot_be_drawn_closes_the_page_and_not_the_server(
    desk: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server, page_on(server) as client:
            await client.next()
            desk.show(detail={1, 2})
            with pytest.raises(ConnectionClosed) as closed:
                await client.line.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1011
            desk.show(detail="")
            async with page_on(server) as again:
                await again.next("state")

    run(main())
    assert "was dropped" in caplog.text


# --- files and strangers ----------------------------------------------------------------------------------------------


def test_the_page_and_its_files_are_served_whole_and_fresh(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            for name, file in static_files().items():
                status, headers, body = await fetch(server, "/" if name == "index.html" else f"/{name}")
                assert (status, body) == (200, file.body)
                assert headers["content-type"] == file.media_type
                assert headers["cache-control"] == "no-cache"
                assert headers["x-content-type-options"] == "nosniff"
                assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
                status, headers, body = await fetch(server, f"/{name}", f"If-None-Match: {headers['etag']}")
                assert (status, body) == (304, b"")
                assert headers["cache-control"] == "no-cache"

    run(main())


def test_the_page_is_small_and_takes_nothing_from_elsewhere() -> None:
    files = static_files()
    assert "index.html" in files
    assert sum(len(file.body) for file in files.values()) < 90_000
    for name, file in files.items():
        text = file.body.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, name
        assert "https://" not in text, name
        assert "//cdn" not in text, name


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/healthz", 200, b"ok"),
        ("/nowhere", 404, b"nothing at '/nowhere' here"),
        ("/a/b", 404, b"nothing at"),
        ("/../pyproject.toml", 404, b"nothing at"),
        ("/%2e%2e%2fsite.py", 404, b"nothing at"),
        ("/live", 404, b"nothing at"),
    ],
)
def test_other_places(desk: Any, path: str, status: int, words: bytes) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            found, headers, body = await fetch(server, path)
            assert found == status
            assert words in body
            assert headers["content-type"].startswith("text/plain")
            assert headers["x-content-type-options"] == "nosniff"

    run(main())


def test_texts_beside_the_page_are_made_when_they_are_asked_for(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0, texts={"report": lambda: f"{desk.supply}\n"}) as server:
            desk.supply["R"] = 3
            status, headers, body = await fetch(server, "/report")
            assert (status, body) == (200, b"{'R': 3, 'B': 5, 'Y': 6}\n")
            assert headers["content-type"].startswith("text/plain")
            assert headers["cache-control"] == "no-cache"
            assert (await fetch(server, "/report", host="evil.example"))[0] == 403

    run(main())


def test_nothing_is_changed_by_a_post(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            assert (await fetch(server, "/", method="POST"))[0] == 405

    run(main())


def test_a_foreign_name_is_refused_with_words(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            status, headers, body = await fetch(server, "/", host="evil.example")
            assert status == 403
            assert b"does not answer to the name 'evil.example'" in body
            assert headers["cache-control"] == "no-cache"
            assert (await fetch(server, "/", host="board.local:8000"))[0] == 200

    run(main())


@pytest.mark.parametrize(
    ("origin", "host", "let_in"),
    [
        (None, None, True),
        ("http://127.0.0.1:{port}", None, True),
        ("http://board.local:{port}", "board.local:{port}", True),
        ("http://evil.example", None, False),
        ("http://127.0.0.1:1", None, False),
        ("null", None, False),
        ("http://evil.example:{port}", "evil.example:{port}", False),
    ],
)
def test_only_pages_of_this_place_open_a_line(desk: Any, origin: str | None, host: str | None, *, let_in: bool) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            lines = [
                f"Host: {(host or '127.0.0.1:{port}').format(port=server.port)}",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                *([f"Origin: {origin.format(port=server.port)}"] if origin else []),
            ]
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write("\r\n".join(["GET /live HTTP/1.1", *lines, "", ""]).encode())
            answer = (await reader.readuntil(b"\r\n\r\n")).decode()
            assert answer.startswith("HTTP/1.1 101" if let_in else "HTTP/1.1 403")
            if not let_in:
                assert b"board" in await reader.read()
                assert desk.watchers == []
            writer.close()

    run(main())


def test_a_refused_handshake_is_plain_to_a_client(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            with pytest.raises(InvalidStatus) as refused:
                async with page_on(server, origin="http://evil.example"):
                    pass
            assert refused.value.response.status_code == 403

    run(main())


# --- starting and stopping --------------------------------------------------------------------------------------------


def test_a_stop_says_goodbye_and_frees_the_port(desk: Any) -> None:
    async def main() -> None:
        server = PageServer(desk, port=0)
        await server.start()
        async with page_on(server) as client:
            await client.next()
            before = asyncio.get_running_loop().time()
            await server.stop()
            assert asyncio.get_running_loop().time() - before < 5
            with pytest.raises(ConnectionClosed) as closed:
                await client.line.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1001
        await server.stop()
        async with PageServer(desk, port=server.port) as again, page_on(again) as client:
            await client.next("state")

    run(main())


def test_a_page_that_reads_nothing_does_not_hold_up_the_stop(desk: Any) -> None:
    desk.show(detail="x" * 8_000_000)

    async def main() -> None:
        server = PageServer(desk, port=0)
        await server.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=64)
        writer.write(
            f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert b"101" in await reader.readline()
        await until(lambda: bool(desk.watchers))
        await server.stop()
        assert desk.watchers == []
        # The line was cut: what the page had not read by then does not linger in the server.
        read = 0
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 20):
                read += len(data)
        assert read < 8_000_000
        writer.close()

    run(main())


def test_a_port_in_use_is_named_with_the_way_out(desk: Any) -> None:
    async def main() -> None:
        async with PageServer(desk, port=0) as server:
            with pytest.raises(PortInUseError, match=rf"port {server.port} is in use .*--http-port"):
                await PageServer(desk, port=server.port).start()
            async with page_on(server) as client:
                await client.next("state")

    run(main())


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("192.0.2.1", 0, "cannot be served on 192.0.2.1"),
        ("127.0.0.1", 70000, "port 70000 does not exist"),
        ("127.0.0.1", -1, "port -1 does not exist"),
    ],
)
def test_a_place_where_nobody_can_listen(desk: Any, host: str, port: int, words: str) -> None:
    async def main() -> None:
        with pytest.raises(ServeError, match=words):
            await PageServer(desk, host, port).start()

    run(main())


def test_a_privileged_port_asks_for_another(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)

    async def main() -> None:
        with pytest.raises(ServeError, match="port above 1023 with --http-port"):
            await PageServer(desk, port=80).start()

    run(main())


def test_serving_goes_on_until_cancelled_and_takes_no_signal(desk: Any) -> None:
    async def main() -> None:
        handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
        found: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(desk, "127.0.0.1", 0, ready=found.set_result))
        (url,) = await found
        async with connect(url.replace("http", "ws") + "live") as line:
            assert json.loads(await line.recv())["type"] == "state"
            assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
            serving.cancel()
            with pytest.raises(asyncio.CancelledError):
                await serving
            with pytest.raises(ConnectionClosed):
                await line.recv()

    run(main())


def test_a_server_starts_once_and_stops_when_it_never_started(desk: Any) -> None:
    async def main() -> None:
        await PageServer(desk, port=0).stop()
        async with PageServer(desk, port=0) as server:
            with pytest.raises(RuntimeError, match="started already"):
                await server.start()

    run(main())


@pytest.mark.parametrize("verbose", [False, True])
def test_requests_are_logged_only_when_asked(desk: Any, caplog: pytest.LogCaptureFixture, *, verbose: bool) -> None:
    caplog.set_level(logging.INFO, "uvicorn.access")

    async def main() -> None:
        async with PageServer(desk, port=0, verbose=verbose) as server:
            await fetch(server, "/healthz")

    run(main())
    assert ("/healthz" in caplog.text) is verbose


NO_REQUESTS = (
    pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400", "Invalid HTTP request", id="TLS"),
    pytest.param(b"rubbish\r\n\r\n", b"400", "Invalid HTTP request", id="no request"),
    pytest.param(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
        b"200",
        "Unsupported upgrade request",
        id="another protocol",
    ),
    pytest.param(
        b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"400",
        "",
        id="half a handshake",
    ),
)


@pytest.mark.parametrize(("sent", "answered", "said"), NO_REQUESTS)
def test_what_strangers_send_is_told_in_the_log_alone(
    desk: Any, caplog: pytest.LogCaptureFixture, sent: bytes, answered: bytes, said: str
) -> None:
    caplog.set_level(logging.DEBUG)
    mine = 0

    async def main() -> None:
        nonlocal mine
        async with PageServer(desk, port=0) as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            mine = writer.get_extra_info("sockname")[1]
            writer.write(sent)
            assert answered in await reader.readline()
            writer.close()

    run(main())
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    told = [record.getMessage() for record in caplog.records if said and said in record.getMessage()]
    assert all(f", from 127.0.0.1 port {mine}" in words for words in told)
    assert bool(told) is bool(said)


def test_the_web_libraries_are_imported_only_when_a_page_is_served() -> None:
    code = (
        "import sys, controller.page.server, controller.page.desk, controller.page.addresses\n"
        "assert not {'uvicorn', 'starlette', 'websockets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
