"""Attacks on the studio.  The threat model is on the site's page about the studio."""

import asyncio
import http.client
import os
import stat
from contextlib import closing
from urllib.parse import urlsplit

import pytest

from jigsat.studio import guard
from jigsat.studio.guard import Guard
from jigsat.studio.server import _opener
from studio_pages import served


class Answered:
    """What a guard answers to a request; `passed` is whether the application behind it was reached."""

    def __init__(self, made, *, path=None, host="127.0.0.1:8421", cookie=None, kind="http", **request):
        root, _, query = urlsplit(made.address).path, 0, request.pop("query", "")
        headers = {"host": host, **({"cookie": cookie} if cookie else {}), **request.pop("headers", {})}
        self.scope = {
            "type": kind, "method": request.pop("method", "GET"), "path": root if path is None else path,
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }  # fmt: skip
        self.passed, self.messages = False, []
        made._app = self.application
        self.body = request.pop("body", [b""])
        asyncio.run(made(self.scope, self.receive, self.send))

    async def application(self, scope, receive, send):
        self.passed = True
        while scope["type"] == "http" and (await receive())["more_body"]:
            pass
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive(self):
        part, *self.body = self.body
        return {"type": "http.request", "body": part, "more_body": bool(self.body)}

    async def send(self, message):
        self.messages.append(message)

    @property
    def status(self):
        return self.messages[0].get("status", self.messages[0]["type"])

    @property
    def headers(self):
        return dict(self.messages[0]["headers"])


@pytest.fixture
def made():
    return Guard(None, 8421)


@pytest.fixture
def cookie(made):
    """The cookie that the address gives."""
    answer = Answered(made, query=urlsplit(made.address).query)
    assert answer.status == 200
    assert not answer.passed
    return answer.headers[b"set-cookie"].decode().partition(";")[0]


def test_the_address_gives_a_cookie_for_its_own_path_alone(made):
    attributes = Answered(made, query=urlsplit(made.address).query).headers[b"set-cookie"].decode().split("; ")[1:]
    assert attributes == ["HttpOnly", "SameSite=Strict", f"Path={urlsplit(made.address).path}"]
    assert len(attributes[-1]) > 16


def test_the_cookie_lets_in(made, cookie):
    answer = Answered(made, cookie=cookie)
    assert answer.passed
    assert b"frame-ancestors 'self'" in answer.headers[b"content-security-policy"]


@pytest.mark.parametrize(
    "attack",
    [
        {"cookie": None},
        {"cookie": "jigsat-studio=guessed"},
        {"cookie": "jigsat-studio=\u00fc"},
        {"cookie": None, "query": "token=guessed"},
        {"cookie": None, "query": "token="},
        {"path": "/"},
        {"path": "/guessed/"},
        {"host": "rebound.example:8421"},
        {"host": "127.0.0.1:80"},
        {"host": "127.0.0.1:8421.example"},
        {"headers": {"origin": "http://evil.example"}},
        {"headers": {"origin": "http://127.0.0.1:9999"}},
        {"headers": {"origin": "null"}, "method": "POST"},
        {"kind": "websocket", "cookie": None},
        {"kind": "websocket", "headers": {"origin": "http://evil.example"}},
    ],
    ids=str,
)
def test_others_are_refused(made, cookie, attack):
    answer = Answered(made, **{"cookie": cookie, **attack})
    assert not answer.passed
    assert answer.status == ("websocket.close" if attack.get("kind") else 403)


def test_the_cookie_of_another_run_is_refused(made, cookie):
    other = Guard(None, 8421)
    assert not Answered(other, cookie=cookie).passed
    assert not Answered(other, cookie=cookie, path=urlsplit(made.address).path).passed


@pytest.mark.parametrize("length", [str(2**40), "-1", "many"])
def test_a_long_request_is_refused_before_it_is_read(made, cookie, length):
    answer = Answered(made, cookie=cookie, method="POST", headers={"content-length": length})
    assert (answer.passed, answer.status) == (False, 413)


def test_a_long_request_is_refused_while_it_is_read(made, cookie, monkeypatch):
    """A request in chunks does not say how long it is."""
    monkeypatch.setattr(guard, "MOST_BYTES", 100)
    answer = Answered(made, cookie=cookie, method="POST", body=[b"x" * 60] * 5)
    assert (answer.status, len(answer.body)) == (413, 3)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_only_the_user_can_read_the_page_that_leads_to_the_address():
    with _opener("http://127.0.0.1/?token=secret") as address:
        path = urlsplit(address).path
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    assert not os.path.exists(path)


@pytest.fixture(scope="module")
def open_studio(tmp_path_factory):
    """A function that gets a path of a studio with its cookie; beside its folder lies a secret file."""
    pytest.importorskip("nicegui", reason="NiceGUI is not installed")
    above = tmp_path_factory.mktemp("above")
    (above / "secret.txt").write_text("secret")
    folder = above / "folder"
    folder.mkdir()
    (folder / "link.txt").symlink_to(above / "secret.txt")
    (folder / "page.html").write_text("<script>alert(1)</script>")
    with served(folder) as studio:
        place = urlsplit(studio.site)

        def get(path, **headers):
            with closing(http.client.HTTPConnection(place.hostname, place.port)) as connection:
                connection.request("GET", path, headers={**headers, "Connection": "close"})
                response = connection.getresponse()
                return response, response.read()

        let_in, _ = get(studio.address.removeprefix(f"http://{place.netloc}"))
        own = {"Cookie": let_in.getheader("set-cookie").partition(";")[0]}
        yield lambda path: get(f"{place.path}{path}", **own), get, studio


@pytest.mark.parametrize(
    "path",
    [
        "file/../secret.txt", "file/%2e%2e/secret.txt", "file/..%2fsecret.txt", "file//etc/passwd",
        "file/%2fetc%2fpasswd", "file/link.txt", "file/studio.book/../../secret.txt", "file/.hidden",
        "file/C:%5Csecret",
        "file/%00", "file/", "picture//etc/passwd", "picture/..%2fsecret.txt", "play/..%2fsecret.txt",
        "studio/server.py", "_nicegui/../secret.txt",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_folder(open_studio, path):
    response, content = open_studio[0](path)
    assert response.status in (404, 405)
    assert b"secret\n" not in content
    assert content != b"secret"


def test_a_file_of_a_stranger_gets_no_rights_of_the_page(open_studio):
    response, content = open_studio[0]("file/page.html?shown=true")
    assert content == b"<script>alert(1)</script>"
    assert response.getheader("content-security-policy").startswith("sandbox allow-scripts; default-src 'none'")
    assert open_studio[0]("file/page.html")[0].getheader("content-disposition").startswith("attachment")


@pytest.mark.parametrize("path", ["/", "/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/docs", "/file/page.html"])
def test_another_user_of_this_computer_gets_nothing(open_studio, path):
    """Such a user can reach the port, but knows neither the path nor the cookie."""
    response, content = open_studio[1](path)
    assert response.status == 403
    assert b"token" in content
    assert b"alert" not in content


def test_the_address_is_no_argument_of_a_process(open_studio):
    """All users see the arguments."""
    psutil = pytest.importorskip("psutil")
    words = [word for process in psutil.process_iter(["cmdline"]) for word in process.info["cmdline"] or ()]
    assert not [word for word in words if open_studio[2].token in word]
