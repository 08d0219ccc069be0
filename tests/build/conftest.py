"""What the build's tests share: a small site made from texts, built in memory, its messages as lines."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator import bundle
from generator.errors import AuthorError
from generator.made import Made
from generator.make import make

Build = Callable[..., Made]


@pytest.fixture(scope="session")
def user_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache that all tests of a run share, with plotly's script if it has been fetched before."""
    folder = tmp_path_factory.mktemp("cache")
    for kept in bundle.user_cache().glob(f"{bundle.PACKAGE}*"):
        shutil.copy2(kept, folder)
    return folder


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, user_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test in a project folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FLIPBOOK_CACHE", str(user_cache))
    yield


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def site(cache: Path) -> Build:
    """Build the pages given by name (`.md` may be left out) and return what was made."""

    def build(files: dict[str, str | bytes], **options: object) -> Made:
        write(files)
        return make(Path("content"), cache=cache, **options)  # type: ignore[arg-type]

    return build


@pytest.fixture
def messages(site: Build) -> Callable[..., list[str]]:
    """The lines that an author gets for the pages given; none if the site is built."""

    def lines(files: dict[str, str | bytes], **options: object) -> list[str]:
        try:
            site(files, **options)
        except AuthorError as error:
            return str(error).split("\n")
        return []

    return lines


def write(files: dict[str, str | bytes]) -> None:
    """Files of the content folder; a text without front matter gets a title."""
    for name, text in files.items():
        path = Path("content", name if "." in name else f"{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, str) and path.suffix == ".md" and not text.startswith("---"):
            text = f"---\ntitle: {path.stem.capitalize()}\n---\n{text}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
