"""Serving the page from inside a running loop, beside whatever else that loop does.

The server takes no signal, changes no logging and holds no global: starting and stopping it is all there is to it.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from controller.page.addresses import addresses
from controller.page.desk import Desk, Shown

if TYPE_CHECKING:
    import uvicorn

    from controller.page.live import Lines

logger = logging.getLogger(__name__)

LARGEST_FRAME: Final = 64 * 1024
"""Bytes of a WebSocket message at which the line is cut. Above 4 KiB a message is refused with words instead."""

PING_EVERY: Final = 5.0
PING_DEADLINE: Final = 10.0
"""Seconds between the pings that find a page which went away without a word, and for it to answer one."""

CONNECTIONS: Final = 256
"""Connections held at once, pages and files together; above it the answer is 503."""

LAST_PORT: Final = 65535

PATIENCE: Final = 0.4
"""Seconds that open connections are given when the server stops, before they are cut."""


class ServeError(OSError):
    """The page cannot be served. The message says where, why and what to do."""

    def __str__(self) -> str:
        """Return the words without the system's number before them."""
        return str(self.strerror or super().__str__())


class PortInUseError(ServeError):
    """Somebody else listens on that port already."""


class _Quiet(logging.LoggerAdapter[logging.Logger]):
    """Tells what a connection's other end did wrong as news, not as a warning, and who it is.

    Args:
        log: where it is told.
        peer: the other end's address and port.
    """

    def __init__(self, log: logging.Logger, peer: Sequence[object] | None) -> None:
        super().__init__(log, {})
        self._whose = f"%s, from {peer[0]} port {peer[1]}" if peer else "%s"

    @property
    def level(self) -> int:
        """The level of the log itself, as a logger has it."""
        return self.logger.level

    def log(self, level: int, msg: object, *args: Any, **more: Any) -> None:
        """Tell something; a warning no louder than news."""
        if level == logging.WARNING:
            level, msg, args = logging.INFO, self._whose, (str(msg) % args if args else msg,)
        super().log(level, msg, *args, **more)


class PageServer:
    """Serves the page of one desk, from `start` until `stop`, in the loop that calls them.

    Also an async context manager.
    """

    def __init__(
        self,
        desk: Desk,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        verbose: bool = False,
        texts: Mapping[str, Callable[[], str]] | None = None,
        monitor: Shown | None = None,
    ) -> None:
        """Take what to serve and where.

        Args:
            desk: what the page shows.
            host: address to listen on; ``0.0.0.0`` for all of the machine's.
            port: port to listen on; 0 takes any that is free, see `port`.
            verbose: log every request.
            texts: plain texts served beside the page (`controller.page.site.create_app`).
            monitor: what the monitor shows beside the page; None: there is none.
        """
        self._desk = desk
        self._texts = dict(texts or {})
        self._monitor = monitor
        self._host = host
        self._port = port
        self._verbose = verbose
        self._ended = asyncio.Event()
        self._server: uvicorn.Server | None = None
        self._lines: list[Lines] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port: the one that was free where 0 was asked for, once started."""
        return self._port

    @property
    def addresses(self) -> list[str]:
        """The URLs of the page, the one for this machine first, then one for a phone, if there is one."""
        return addresses(self._port, self._host)

    async def start(self) -> None:
        """Listen, and return once pages can be opened.

        Raises:
            PortInUseError: somebody else listens there.
            ServeError: the address is not this machine's, or the port is none, or not for ordinary users.
            RuntimeError: it is started already.
        """
        if self._task is not None:
            raise RuntimeError("this page server is started already")
        sock = _listen(self._host, self._port)
        self._port = sock.getsockname()[1]
        up = asyncio.Event()
        self._ended = asyncio.Event()
        try:
            self._server, self._lines = _build(
                self._desk, self._texts, self._monitor, up, self._ended, verbose=self._verbose
            )
        except BaseException:
            sock.close()
            raise
        self._task = asyncio.create_task(self._server.serve(sockets=[sock]), name="page server")
        waiting = asyncio.create_task(up.wait())
        await asyncio.wait((self._task, waiting), return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._task.done():
            sock.close()
            self._task.result()

    async def wait(self) -> None:
        """Return when the server has stopped; raise what made it stop, if anything did."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def stop(self) -> None:
        """Close all pages (code 1001: going away), stop listening, and return. Twice is fine."""
        task, server, lines = self._task, self._server, self._lines
        if task is None or server is None or lines is None:
            return
        self._task = self._server = self._lines = None
        await asyncio.gather(*(each.close() for each in lines))
        server.should_exit = True
        self._ended.set()
        await asyncio.wait((task,), timeout=PATIENCE)
        if not task.done():
            server.force_exit = True
            for connection in list(server.server_state.connections):
                transport = connection.transport
                if transport is not None:
                    transport.abort()
            await asyncio.wait((task,))
        await task

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()


async def serve(
    desk: Desk,
    host: str,
    port: int,
    *,
    verbose: bool = False,
    ready: Callable[[list[str]], None] | None = None,
) -> None:
    """Serve the page of `desk` until cancelled.

    Args:
        desk: what the page shows.
        host: address to listen on; ``0.0.0.0`` for all of the machine's.
        port: port to listen on; 0 takes any that is free.
        verbose: log every request.
        ready: told the page's URLs once it can be opened.

    Raises:
        PortInUseError: somebody else listens there.
        ServeError: nobody can listen there.
    """
    async with PageServer(desk, host, port, verbose=verbose) as server:
        if ready is not None:
            ready(server.addresses)
        await server.wait()


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to that address.

    Raises:
        ServeError: as `PageServer.start`.
    """
    where = f"{host or 'all addresses'}, port {port}"
    if not 0 <= port <= LAST_PORT:  # the system would take the rest of a division
        raise ServeError(errno.EINVAL, f"port {port} does not exist: choose one from 1 to {LAST_PORT} with --http-port")
    sock: socket.socket | None = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        sock = socket.socket(family, kind, protocol)
        # A port whose last owner has just stopped is free at once, not after a minute.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        # Listening here, not later, finds out now whether somebody else took the port in between.
        sock.listen(CONNECTIONS)
        sock.setblocking(False)  # noqa: FBT003  (the standard library's own signature)
    except OSError as trouble:
        if sock is not None:
            sock.close()
        raise _explained(trouble, where, port) from trouble
    return sock


def _explained(trouble: OSError, where: str, port: int) -> ServeError:
    """Return the error for a person: what, where, and what to do."""
    number = trouble.errno
    if number == errno.EADDRINUSE:
        other = port + 1 if port < LAST_PORT else 8000
        return PortInUseError(
            number,
            f"port {port} is in use by another program (or by another board); stop that, or choose another port "
            f"with --http-port, such as --http-port {other} (with make: PORT={other})",
        )
    if number in (errno.EACCES, errno.EPERM):
        return ServeError(
            number, f"the page may not be served on {where}: choose a port above 1023 with --http-port, such as 8000"
        )
    reason = trouble.strerror or str(trouble)
    return ServeError(
        number, f"the page cannot be served on {where}: {reason}; choose an address of this machine, or 0.0.0.0 for all"
    )


def _build(
    desk: Desk,
    texts: Mapping[str, Callable[[], str]],
    monitor: Shown | None,
    up: asyncio.Event,
    ended: asyncio.Event,
    *,
    verbose: bool,
) -> tuple["uvicorn.Server", list["Lines"]]:
    """Return a server that sets `up` once it listens and stops after `ended`, and its lines. Imports web libraries."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from controller.page.site import create_app

    class Protocol(H11Protocol):
        """Leaves what strangers send wrongly to the log: whoever plays can do nothing about it."""

        def connection_made(self, transport: Any) -> None:
            self.logger: Any = _Quiet(self.logger, transport.get_extra_info("peername"))
            super().connection_made(transport)

    class Server(uvicorn.Server):
        """Leaves signals to the loop's owner, says when it is up, and sleeps until it is to end."""

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            up.set()

        async def main_loop(self) -> None:
            # Its own wakes ten times a second, to keep the time of day for a header that nobody needs.
            await self.on_tick(0)
            await ended.wait()

    app = create_app(desk, texts, monitor)
    config = uvicorn.Config(
        app,
        http=Protocol,
        lifespan="off",
        log_config=None,
        access_log=verbose,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=1,
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PING_DEADLINE,
        ws_per_message_deflate=False,
    )
    return Server(config), app.state.lines
