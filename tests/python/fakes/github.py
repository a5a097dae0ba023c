"""A GitHub on loopback that keeps real state: issues with bodies and labels, a list, a search; and faults by script."""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import trustme

Handler = Callable[["Exchange"], None]


@dataclass
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    json: Any


@dataclass
class Exchange:
    """One request, and the means to answer it in unusual ways."""

    request: Seen
    github: GitHub
    http: BaseHTTPRequestHandler

    def answer(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.http.send_response_only(status)
        usual = {
            "Date": self.http.date_time_string(),
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
        }
        for name, value in {**usual, **(headers or {})}.items():
            self.http.send_header(name, value)
        self.http.end_headers()
        self.http.wfile.write(data)

    def stream(self, chunks: Iterable[bytes]) -> None:
        """Answers 201 with a body of unknown length, until the client goes away."""
        self.http.send_response(201)
        self.http.send_header("Connection", "close")
        self.http.end_headers()
        self.http.close_connection = True
        with contextlib.suppress(OSError):
            for chunk in chunks:
                self.http.wfile.write(chunk)

    def create(self) -> dict[str, Any]:
        return self.github.create(self.request.json)

    def close(self) -> None:
        self.http.close_connection = True
        self.http.connection.close()


def status(code: int, body: object = None, headers: dict[str, str] | None = None) -> Handler:
    """Answers with a status and does nothing."""
    return lambda exchange: exchange.answer(code, {"message": "no"} if body is None else body, headers)


def created_then_502(exchange: Exchange) -> None:
    exchange.create()
    exchange.answer(502, b"<html>Bad Gateway</html>", {"Content-Type": "text/html"})


def created_then_closed(exchange: Exchange) -> None:
    exchange.create()
    exchange.close()


def created_then_garbage(exchange: Exchange) -> None:
    exchange.create()
    exchange.answer(201, b"<html>")


def renamed(exchange: Exchange) -> None:
    """As GitHub answers a POST to the old name of a repository."""
    location = f"{exchange.github.url}/repositories/1/issues"
    exchange.answer(307, {"message": "Moved Permanently", "url": location}, {"Location": location})


def dripping(exchange: Exchange) -> None:
    """Creates, and answers a byte at a time."""
    exchange.create()

    def drops() -> Iterator[bytes]:
        while True:
            yield b" "
            time.sleep(0.05)

    exchange.stream(drops())


def endless(exchange: Exchange) -> None:
    exchange.stream(repeat(b" " * 65_536))


def closed(exchange: Exchange) -> None:
    exchange.close()


def certified(folder: Path) -> ssl.SSLContext:
    """A certificate for this machine, and in `folder` the `ca.pem` of who vouches for it."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    return context


@dataclass
class GitHub:
    """The server. `faults` are taken one by one by requests that create an issue."""

    repository: str = "acme/the-loop"
    issues: list[dict[str, Any]] = field(default_factory=list)
    requests: list[Seen] = field(default_factory=list)
    faults: list[Handler] = field(default_factory=list)
    reading_faults: list[Handler] = field(default_factory=list)
    searching_faults: list[Handler] = field(default_factory=list)
    indexed: int | None = None
    """How many issues the search knows of; all of them unless it lags."""
    token: str = ""
    tls: ssl.SSLContext | None = None

    def __enter__(self) -> GitHub:
        github = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def handle_any(self) -> None:
                github.handle(self)

            do_GET = do_POST = handle_any  # noqa: N815

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass  # A client that goes away is what some tests are about.

        self._server = Server(("127.0.0.1", 0), Handler)
        if self.tls is not None:
            self._server.socket = self.tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """What `integrations.github.api.baseUrl` is set to."""
        return f"http://127.0.0.1:{self.port}" if self.tls is None else f"https://localhost:{self.port}/api/v3"

    @property
    def posts(self) -> list[Seen]:
        return [request for request in self.requests if request.method == "POST"]

    def create(self, asked: dict[str, Any]) -> dict[str, Any]:
        number = len(self.issues) + 1
        issue = {
            "number": number,
            "title": asked["title"],
            "body": asked["body"],
            "labels": asked["labels"],
            "html_url": f"https://github.example/{self.repository}/issues/{number}",
        }
        self.issues.append(issue)
        return issue

    def handle(self, http: BaseHTTPRequestHandler) -> None:
        body = _body(http)
        where = urlsplit(http.path)
        request = Seen(
            http.command,
            where.path.removeprefix("/api/v3"),
            parse_qs(where.query),
            {name.lower(): value for name, value in http.headers.items()},
            json.loads(body) if body else None,
        )
        self.requests.append(request)
        exchange = Exchange(request, self, http)
        creating = request.method == "POST"
        searching = request.path == "/search/issues" and self.searching_faults
        faults = self.faults if creating else self.searching_faults if searching else self.reading_faults
        if faults:
            faults.pop(0)(exchange)
        elif "authorization" not in request.headers:
            exchange.answer(401, {"message": "Requires authentication"})
        elif request.path == f"/repos/{self.repository}/issues" and creating:
            exchange.answer(201, exchange.create())
        elif request.path == f"/repos/{self.repository}/issues":
            page, size = int(request.query["page"][0]), int(request.query["per_page"][0])
            newest = self.issues[::-1]
            exchange.answer(200, newest[(page - 1) * size : page * size])
        elif request.path == "/search/issues":
            wanted = request.query["q"][0].split('"')[1]
            found = [
                issue for issue in self.issues[: self.indexed] if all(word in issue["body"] for word in wanted.split())
            ]
            exchange.answer(200, {"total_count": len(found), "incomplete_results": False, "items": found})
        else:
            exchange.answer(404, {"message": "Not Found"})


def _body(http: BaseHTTPRequestHandler) -> bytes:
    if http.headers.get("Transfer-Encoding") != "chunked":
        return http.rfile.read(int(http.headers.get("Content-Length") or 0))
    body = b""
    while size := int(http.rfile.readline(), 16):
        body += http.rfile.read(size)
        http.rfile.readline()
    http.rfile.readline()
    return body
