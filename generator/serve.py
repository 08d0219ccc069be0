"""`flipbook serve`: the site from memory on this machine, built again when its sources change."""

from __future__ import annotations

import hashlib
import json
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from watchfiles import watch

from generator.errors import AuthorError
from generator.output import Refused

EVENTS = "/-/events"
SCRIPT = "/-/reload.js"
HEARTBEAT_SECONDS = 15
NOISE_SUFFIXES = ("~", ".swp", ".swx", ".swo", ".tmp", ".bak", ".orig", ".part")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
}


class Preview:
    """The last good site and what is wrong with the newest sources; readers wait here for news.

    `make` builds the whole site in memory, `{path: bytes}`, and raises AuthorError. Each change of the
    files or of the problems is a new `version`; sources that change without either are no news.
    """

    def __init__(self, make: Callable[[], Mapping[str, bytes]]) -> None:
        self._make = make
        self._changed = threading.Condition()
        self._digest = ""
        self.files: Mapping[str, bytes] = {}
        self.problems = ""
        self.version = 0

    def rebuild(self) -> bool:
        """Build again. True where that changed what readers see; the last good files stay on an error.

        Raises only in the first build what is no mistake in the content: later, a preview goes on.
        """
        try:
            files, problems = self._make(), ""
        except AuthorError as error:
            files, problems = self.files, str(error)
        except Refused as error:
            if not self.version:
                raise
            files, problems = self.files, f"flipbook: {error}"
        except Exception as error:
            if not self.version:
                raise
            traceback.print_exc()
            files, problems = self.files, f"flipbook: a fault of its own: {error}"
        digest = _digest(files)
        with self._changed:
            changed = (digest, problems) != (self._digest, self.problems) or not self.version
            if changed:
                self.files, self.problems, self._digest = files, problems, digest
                self.version += 1
                self._changed.notify_all()
        return changed

    def news(self, version: int, timeout: float) -> tuple[int, str]:
        """The newest version and its problems; waits up to `timeout` seconds while it is still `version`."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, timeout)
            return self.version, self.problems


def _digest(files: Mapping[str, bytes]) -> str:
    total = hashlib.sha256()
    for path in sorted(files):
        total.update(f"{path}\0{hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return total.hexdigest()


def is_noise(path: str) -> bool:
    """Whether a changed file is an editor's or the system's own and never part of the content."""
    name = PurePosixPath(path).name
    hidden = any(part.startswith(".") for part in PurePosixPath(path).parts)
    return hidden or name.startswith("#") or name.endswith(NOISE_SUFFIXES) or name == "4913"


def server(preview: Preview, base_path: str, port: int) -> ThreadingHTTPServer:
    """A server on 127.0.0.1 that answers below `base_path` ("/" or "/demo/"); port 0 takes a free one."""

    class Handler(_Handler):
        site = preview
        base = base_path

    httpd = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    httpd.daemon_threads = True
    return httpd


def follow(preview: Preview, folders: Iterable[Path], say: Callable[[str], None], stop: threading.Event) -> None:
    """Rebuild whenever something in `folders` changes that is not noise; saves close together count once."""
    roots = [folder.resolve() for folder in folders]

    def relevant(_change: object, path: str) -> bool:
        root = next((root for root in roots if Path(path).is_relative_to(root)), None)
        return root is not None and not is_noise(Path(path).relative_to(root).as_posix())

    for _ in watch(*roots, watch_filter=relevant, debounce=200, step=80, stop_event=stop):
        if preview.rebuild():
            say(preview.problems or "built again")


class _Handler(BaseHTTPRequestHandler):
    site: Preview
    base: str

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == EVENTS:
            self._events()
        elif path == SCRIPT:
            self._send(HTTPStatus.OK, ".js", Path(__file__).with_name("reload.js").read_bytes())
        elif not path.startswith(unquote(self.base)):
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", self.base)
            self.end_headers()
        else:
            self._file(path.removeprefix(unquote(self.base)))

    do_HEAD = do_GET

    def _file(self, path: str) -> None:
        """A file of the site, by the same rules as GitHub Pages: folders have an index, `.html` may be left out."""
        names = [f"{path}index.html"] if path.endswith("/") or not path else [path, f"{path}.html"]
        found = next((name for name in names if name in self.site.files), None)
        status = HTTPStatus.OK if found else HTTPStatus.NOT_FOUND
        name = found or "404.html"
        self._send(status, PurePosixPath(name).suffix, self.site.files.get(name, b"<p>Not built yet.</p>"))

    def _send(self, status: HTTPStatus, suffix: str, content: bytes) -> None:
        if suffix == ".html":
            content = live(content)
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _events(self) -> None:
        """Server-sent events: one at once, one for each new version, a comment now and then to keep the line."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        seen = -1
        try:
            while True:
                version, problems = self.site.news(seen, HEARTBEAT_SECONDS)
                news = json.dumps({"version": version, "problems": problems})
                self.wfile.write(b": still here\n\n" if version == seen else f"data: {news}\n\n".encode())
                self.wfile.flush()
                seen = version
        except OSError:
            return  # the reader went away

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not worth a line each."""


def live(page: bytes) -> bytes:
    """A page as the preview shows it: it listens for news, which its own policy would forbid."""
    page = page.replace(b"default-src 'none';", b"default-src 'none'; connect-src 'self';", 1)
    return page.replace(b"</body>", f'<script src="{SCRIPT}"></script></body>'.encode(), 1)
