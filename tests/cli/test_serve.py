"""The preview: the site from memory, built again for real changes only, problems shown over the last good page."""

import json
import threading
import time
import urllib.error
import urllib.request

import pytest

from generator.errors import AuthorError, Problem
from generator.output import Refused
from generator.serve import Preview, follow, is_noise, live, server

PAGE = b"<meta content=\"default-src 'none'; script-src 'self'\"><body>hello</body>"


class Content:
    """A stand-in for a build: the site is what the one source file says."""

    def __init__(self, folder):
        self.file = folder / "p.md"
        self.builds = 0

    def __call__(self):
        self.builds += 1
        text = self.file.read_text("utf-8")
        if "bad" in text:
            raise AuthorError([Problem("content/p.md", 3, "bad", "good")])
        return {"index.html": PAGE, "p.html": text.encode(), "404.html": b"<body>no such page</body>"}


@pytest.fixture
def content(tmp_path):
    made = Content(tmp_path)
    made.file.write_text("one")
    return made


@pytest.fixture
def preview(content):
    made = Preview(content)
    made.rebuild()
    return made


@pytest.fixture
def address(preview):
    httpd = server(preview, "/demo/", 0)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_address[1]}"
    httpd.shutdown()
    httpd.server_close()


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_pages_lie_under_the_base_path(address):
    for path in ("/demo/p.html", "/demo/p", "/demo/p?x=1"):
        assert get(address + path) == (200, b"one")
    assert b"hello" in get(address + "/demo/")[1]
    assert b"hello" in get(address + "/")[1]  # led to the base path


def test_a_missing_page_is_a_404_at_any_depth(address):
    for path in ("/demo/x", "/demo/x/", "/demo/x/y/z"):
        status, body = get(address + path)
        assert status == 404
        assert b"no such page" in body


def test_the_page_may_listen_for_news_in_the_preview_only():
    shown = live(PAGE)
    assert b"connect-src 'self'" in shown
    assert b'<script src="/-/reload.js"></script></body>' in shown
    assert b"connect-src" not in PAGE


def test_problems_are_told_and_the_last_good_page_stays(address, preview, content):
    content.file.write_text("bad")
    assert preview.rebuild()
    assert get(address + "/demo/p.html") == (200, b"one")
    with urllib.request.urlopen(address + "/-/events", timeout=5) as events:
        news = json.loads(events.readline().removeprefix(b"data: "))
    assert news["problems"] == "content/p.md:3: bad (good)"
    content.file.write_text("two")
    assert preview.rebuild()
    assert preview.news(-1, 0) == (3, "")


@pytest.mark.parametrize("error", [Refused("there is no folder content"), RuntimeError("run desk failed")])
def test_a_preview_outlives_what_is_no_mistake_in_a_page(error, content):
    preview = Preview(content)
    preview.rebuild()
    preview._make = raising(error)
    assert preview.rebuild()
    assert str(error) in preview.problems and preview.files["p.html"] == b"one"
    with pytest.raises(type(error)):
        Preview(raising(error)).rebuild()


def raising(error):
    def make():
        raise error

    return make


def test_a_base_path_is_encoded_once(preview):
    httpd = server(preview, "/d%C3%A9%20mo/", 0)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{httpd.server_address[1]}"
    assert get(address + "/d%C3%A9%20mo/p.html") == get(address + "/d%c3%a9%20mo/p") == (200, b"one")
    httpd.shutdown()
    httpd.server_close()


def test_the_same_bytes_are_no_news(preview):
    assert not preview.rebuild()
    assert preview.version == 1


@pytest.mark.parametrize(
    "name", [".p.md.swp", "4913", "p.md~", "#p.md#", ".#p.md", ".DS_Store", "p.md.bak", "p.md.tmp", ".git/index"]
)
def test_editor_noise_is_known(name):
    assert is_noise(name)


@pytest.mark.parametrize("name", ["p.md", "img/logo.svg", "site.toml", "two words.md"])
def test_content_is_not_noise(name):
    assert not is_noise(name)


def test_watching_rebuilds_once_for_a_save_and_never_for_noise(preview, content, tmp_path):
    stop, said = threading.Event(), []
    thread = threading.Thread(target=follow, args=(preview, [tmp_path], said.append, stop), daemon=True)
    thread.start()
    time.sleep(0.5)  # the watcher has to be listening before anything happens
    for name in (".p.md.swp", "4913", "p.md~", "#p.md#", ".DS_Store", "p.md.bak", "p.md.tmp"):
        (tmp_path / name).write_text("noise")
    (tmp_path / ".#p.md").symlink_to("user@host.1")
    time.sleep(0.6)
    assert content.builds == 1
    beside = tmp_path / "p.md.tmp"
    beside.write_text("two")
    beside.rename(content.file)
    wait_until(lambda: said)
    assert content.builds == 2
    content.file.write_text("two")  # saved without a change
    wait_until(lambda: content.builds == 3)
    stop.set()
    thread.join(timeout=5)
    assert said == ["built again"]
    assert preview.version == 2


def wait_until(condition, seconds=5):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)
