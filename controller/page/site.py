"""The page as a web application: the static files, the lines ``/live`` and ``/cells``, and who is let in.

The files are read once and kept: they are small, and no request can then name any other file.
"""

import hashlib
import mimetypes
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from controller.page.desk import Desk, Shown
from controller.page.guard import HEADERS, host_allowed, origin_allowed
from controller.page.live import DeskLines, Lines, MonitorLines

INDEX: Final = "index.html"
MONITOR: Final = "monitor"
"""Where the monitor is, and how a state names it among what is served beside the page."""

MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Spelt out, since a machine's own table may say otherwise and browsers refuse a module of the wrong type."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file of the page: its bytes, its media type and the tag by which a browser asks whether it changed."""

    body: bytes
    media_type: str
    tag: str


def static_files() -> dict[str, StaticFile]:
    """Return all files of the page by name, freshly read."""
    files = {}
    for entry in resources.files("controller.page").joinpath("static").iterdir():
        suffix = "." + entry.name.rpartition(".")[2]
        if entry.is_file() and not entry.name.startswith("."):
            body = entry.read_bytes()
            guessed = MEDIA_TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
            files[entry.name] = StaticFile(body, guessed, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
    return files


class Doorkeeper:
    """Lets in who asks for this machine by its own name, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._own_name = socket.gethostname()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or handshake."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send_guarded)
        elif scope["type"] == "http":
            await PlainTextResponse(refusal, 403)(scope, receive, send_guarded)
        else:
            await WebSocket(scope, receive, send_guarded).send_denial_response(PlainTextResponse(refusal, 403))

    def _refusal(self, scope: Scope) -> str | None:
        """Return why this caller is not let in, in words; None where it is."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        if not host_allowed(host, self._own_name):
            return (
                f"This board does not answer to the name {host!a}. "
                f"Open it by its address, or as {self._own_name.split('.')[0]}.local, with its port.\n"
            )
        if scope["type"] == "websocket" and not origin_allowed(origin, host):
            return f"A page from {origin!a} may not drive this board, which is at {host!a}.\n"
        return None


def create_app(
    desk: Desk, texts: Mapping[str, Callable[[], str]] | None = None, monitor: Shown | None = None
) -> Starlette:
    """Return the page of `desk` as a web application.

    Args:
        desk: what the page shows.
        texts: plain texts served beside the page, by the name under which they are asked for; each is made when asked.
        monitor: what the monitor shows beside the page; None: there is none.

    `app.state.lines` are all open pages, a list of `controller.page.live.Lines`; whoever stops a server closes them
    first.
    """
    lines: list[Lines] = [DeskLines(desk, (*(texts or ()), *(() if monitor is None else (MONITOR,))))]
    files = static_files()

    async def static(request: Request) -> Response:
        name = request.path_params.get("name", INDEX)
        if name == MONITOR and monitor is not None:
            name = "monitor.html"
        found = files.get(name)
        if found is None:
            return _not_found(request)
        headers = {"ETag": found.tag}
        if found.tag in (tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        return Response(found.body, media_type=found.media_type, headers=headers)

    async def health(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    def text(make: Callable[[], str]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(_: Request) -> Response:
            return PlainTextResponse(make())

        return answer

    def line(of: Lines) -> Callable[[WebSocket], Awaitable[None]]:
        async def attend(websocket: WebSocket) -> None:
            await websocket.accept()
            await of.attend(websocket)

        return attend

    async def missing(request: Request, _: Exception) -> Response:
        return _not_found(request)

    sockets = [WebSocketRoute("/live", line(lines[0]))]
    if monitor is not None:
        lines.append(MonitorLines(monitor))
        sockets.append(WebSocketRoute("/cells", line(lines[1])))
    app = Starlette(
        routes=[
            Route("/", static),
            Route("/healthz", health),
            *(Route(f"/{name}", text(make)) for name, make in (texts or {}).items()),
            Route("/{name}", static),
            *sockets,
        ],
        middleware=[Middleware(Doorkeeper)],
        exception_handlers={404: missing},
    )
    app.state.lines = lines
    return app


def _not_found(request: Request) -> Response:
    """Return the answer for a place that is not here."""
    return PlainTextResponse(f"There is nothing at {request.url.path!a} here. The board is at /\n", 404)
