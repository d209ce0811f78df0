"""Who may talk to the server: the browser that has the token of this run, and pages of its own address alone."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from markupsafe import Markup

from .texts import text

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The largest request in bytes, such as a photograph.
MOST_BYTES = 64 * 2**20
_COOKIE = "jigsat-studio"
# NiceGUI's templates are compiled in the browser, which needs eval.  Nothing may be loaded from elsewhere.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'self'; base-uri 'self'; "
    "form-action 'self'; object-src 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>jigsat studio</title>
<link rel="icon" href="data:,">
{head}<body style="font: 1.1rem/1.5 system-ui; max-width: 36rem; margin: 15vh auto; padding: 0 1rem">{body}"""


class _TooLargeError(Exception):
    """The body of a request is longer than allowed."""


class Guard:
    """An ASGI application that lets through only what the user's own browser asks for.

    - A request needs the cookie of this run, which the address with the token sets.
    - All paths begin with a random one.  Browsers send a cookie to all ports of a computer, but not to other paths: a
      server that another user runs here never gets it.
    - `Host` must be this computer at this port, so that no other name leads here (DNS rebinding).
    - `Origin`, where a browser sends it, must be this server's, so that no other site can use the cookie.
    - A body is at most `MOST_BYTES` long.

    Parameters
    ----------
    app
        What is guarded.
    port
        The port of the server.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app, self._hosts = app, {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._cookie, self._token = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self._root = f"/{secrets.token_urlsafe(12)}"
        #: The address that lets a browser in.
        self.address = f"http://127.0.0.1:{port}{self._root}/?token={self._token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        from starlette.requests import HTTPConnection

        asked = HTTPConnection(scope)
        has_cookie = secrets.compare_digest(asked.cookies.get(_COOKIE, "").encode(), self._cookie.encode())
        host, length = asked.headers.get("host", ""), asked.headers.get("content-length", "0")
        if host not in self._hosts or asked.headers.get("origin", f"http://{host}") != f"http://{host}":
            await _refuse(scope, receive, send, 403, text("guard.other_site"))
        elif self._has_token(asked):
            await self._let_in(scope, receive, send)
        elif not (scope["path"].startswith(f"{self._root}/") and has_cookie):
            await _refuse(scope, receive, send, 403, text("guard.no_cookie"))
        elif not length.isdecimal() or int(length) > MOST_BYTES:
            await _refuse(scope, receive, send, 413, text("guard.too_large", most=MOST_BYTES // 2**20))
        else:
            await self._pass_on(scope, receive, send)

    def _has_token(self, asked: HTTPConnection) -> bool:
        right = secrets.compare_digest(asked.query_params.get("token", "").encode(), self._token.encode())
        place = asked.scope["type"], asked.scope.get("method"), asked.scope["path"]
        return place == ("http", "GET", f"{self._root}/") and right

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the cookie, and go on without the token in the address.

        A redirection would not do: the cookie is not sent after one that began at another site or file.
        """
        cookie = f"{_COOKIE}={self._cookie}; HttpOnly; SameSite=Strict; Path={self._root}/"
        head = f'<meta http-equiv="refresh" content="0; url={self._root}/">'
        await _answer(head, text("guard.welcome"), 200, {"set-cookie": cookie})(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.datastructures import MutableHeaders

        received, started = 0, False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b"")) if scope["type"] == "http" else 0
            if received > MOST_BYTES:
                raise _TooLargeError
            return message

        async def protected(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started, headers = True, MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app({**scope, "root_path": self._root}, counted, protected)
        except _TooLargeError:
            if not started:
                await _refuse(scope, receive, send, 413, text("guard.too_large", most=MOST_BYTES // 2**20))


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
    else:
        await _answer("", Markup("<p>{}</p>").format(why), status, {})(scope, receive, send)


def _answer(head: str, body: str, status: int, headers: dict[str, str]) -> ASGIApp:
    from starlette.responses import HTMLResponse

    page = _PAGE.format(head=head, body=body)
    return HTMLResponse(page, status, {"cache-control": "no-store", **_HEADERS, **headers})
