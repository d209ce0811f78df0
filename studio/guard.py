"""Who may talk to the server: the browser that has the token of this run, and pages of its own address alone."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from markupsafe import Markup

from .texts import text

if TYPE_CHECKING:
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
    b"content-security-policy": _POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
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
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get(b"host") not in self._hosts or not self._is_own(headers):
            await _refuse(scope, send, 403, text("guard.other_site"))
        elif self._has_token(scope):
            await self._let_in(send)
        elif not (scope["path"].startswith(f"{self._root}/") and self._has_cookie(headers)):
            await _refuse(scope, send, 403, text("guard.no_cookie"))
        elif _length(headers) > MOST_BYTES:
            await _refuse(scope, send, 413, text("guard.too_large", most=MOST_BYTES // 2**20))
        else:
            await self._pass_on(scope, receive, send)

    def _is_own(self, headers: dict[bytes, str]) -> bool:
        """Whether no page of another site has sent a request."""
        origin = headers.get(b"origin")
        return origin is None or origin == f"http://{headers[b'host']}"

    def _has_token(self, scope: Scope) -> bool:
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        right = secrets.compare_digest(asked.encode(), self._token.encode())
        return scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == f"{self._root}/" and right

    def _has_cookie(self, headers: dict[bytes, str]) -> bool:
        try:
            found = SimpleCookie(headers.get(b"cookie", "")).get(_COOKIE)
        except CookieError:
            return False
        return found is not None and secrets.compare_digest(found.value.encode(), self._cookie.encode())

    async def _let_in(self, send: Send) -> None:
        """Set the cookie, and go on without the token in the address.

        A redirection would not do: the cookie is not sent after one that began at another site or file.
        """
        cookie = f"{_COOKIE}={self._cookie}; HttpOnly; SameSite=Strict; Path={self._root}/"
        page = _PAGE.format(
            head=f'<meta http-equiv="refresh" content="0; url={self._root}/">', body=text("guard.welcome")
        )
        await _answer(send, 200, page, {b"set-cookie": cookie.encode()})

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        received, started = 0, False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b"")) if scope["type"] == "http" else 0
            if received > MOST_BYTES:
                raise _TooLargeError
            return message

        async def protected(message: Any) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = {name.lower() for name, _ in message.get("headers", ())}
                added = [(name, value) for name, value in _HEADERS.items() if name not in own]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        try:
            await self._app({**scope, "root_path": self._root}, counted, protected)
        except _TooLargeError:
            if not started:
                await _refuse(scope, send, 413, text("guard.too_large", most=MOST_BYTES // 2**20))


def _length(headers: dict[bytes, str]) -> int:
    length = headers.get(b"content-length", "0")
    return int(length) if length.isdecimal() else MOST_BYTES + 1


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
    else:
        await _answer(send, status, _PAGE.format(head="", body=Markup("<p>{}</p>").format(why)), {})


async def _answer(send: Send, status: int, page: str, headers: dict[bytes, bytes]) -> None:
    own = {b"content-type": b"text/html; charset=utf-8", b"cache-control": b"no-store", **_HEADERS, **headers}
    await send({"type": "http.response.start", "status": status, "headers": [*own.items()]})
    await send({"type": "http.response.body", "body": page.encode()})
