"""The swap: the last good site or the new one, never half; what is not Flipbook's stays."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator import output
from generator.build import Refused, build
from generator.output import MANIFEST, write


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_folder_holds_just_the_files(tmp_path):
    assert write({"a.html": b"1", "b/c.html": b"2"}, tmp_path / "deep" / "site")
    assert files(tmp_path / "deep" / "site") == {"a.html": b"1", "b/c.html": b"2"}
    assert names(tmp_path / "deep") == ["site"], "nothing is left beside it"


def test_what_is_gone_goes_and_what_is_not_ours_stays(tmp_path):
    site = tmp_path / "site"
    (site / ".git" / "refs").mkdir(parents=True)
    (site / ".git" / "HEAD").write_text("ref")
    (site / ".gitkeep").touch()
    (site / "CNAME").write_text("example.org")
    write({"a.html": b"1", "x/b.html": b"1"}, site)
    (site / "x" / "mine.txt").write_text("mine")
    (site / "link").symlink_to("CNAME")
    write({"a.html": b"2"}, site)
    assert files(site) == {
        "a.html": b"2",
        ".git/HEAD": b"ref",
        ".gitkeep": b"",
        "CNAME": b"example.org",
        "link": b"example.org",
        "x/mine.txt": b"mine",
    }
    assert (site / ".git" / "refs").is_dir() and (site / "link").is_symlink()


def test_a_file_that_was_tampered_with_is_written_again(tmp_path):
    write({"a.html": b"1"}, tmp_path / "site")
    (tmp_path / "site" / "a.html").write_bytes(b"2")
    assert write({"a.html": b"1"}, tmp_path / "site")
    assert files(tmp_path / "site") == {"a.html": b"1"}


def test_a_folder_that_is_somebody_elses_is_refused(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(Refused, match="not empty and was not made by Flipbook"):
        write({"a.html": b"1"}, tmp_path / "photos")
    assert files(tmp_path / "photos") == {"cat.jpg": b"cat"}
    with pytest.raises(Refused, match="is a file"):
        write({"a.html": b"1"}, tmp_path / "photos" / "cat.jpg")


@pytest.mark.parametrize("target", ["content", "content/site", "."])
def test_site_and_content_do_not_share_a_folder(target):
    Path("content").mkdir()
    with pytest.raises(Refused, match="shares a folder"):
        build(Path("content"), None, Path(target))


def test_no_content_is_said():
    with pytest.raises(Refused, match="there is no folder content"):
        build(Path("content"), None, Path("site"))


def test_where_folders_cannot_be_exchanged_they_are_renamed(tmp_path, monkeypatch):
    monkeypatch.setattr(output, "_exchange", lambda *_: False)
    write({"a.html": b"1"}, tmp_path / "site")
    write({"a.html": b"2"}, tmp_path / "site")
    assert files(tmp_path / "site") == {"a.html": b"2"}
    assert names(tmp_path) == ["site"]


def test_a_link_to_the_folder_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to("real")
    write({"a.html": b"1"}, tmp_path / "site")
    assert (tmp_path / "site").is_symlink() and files(tmp_path / "real") == {"a.html": b"1"}


def test_a_failure_in_the_middle_leaves_the_last_site(tmp_path, monkeypatch):
    write({"a.html": b"1"}, tmp_path / "site")

    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(output, "_carry_over", full)
    with pytest.raises(OSError):
        write({"a.html": b"2"}, tmp_path / "site")
    assert files(tmp_path / "site") == {"a.html": b"1"}
    assert names(tmp_path) == ["site"]


def test_a_build_that_is_killed_leaves_a_whole_site(tmp_path):
    """Kill a process that writes one site after another, at many moments; each time the folder is one whole site."""
    code = (
        "import sys, itertools; from pathlib import Path; from generator.output import write\n"
        "for n in itertools.count():\n"
        "    write({f'{i}.html': str(n).encode() for i in range(40)}, Path(sys.argv[1]))\n"
        "    print(n, flush=True)\n"
    )
    site = tmp_path / "site"
    for moment in range(8):
        with subprocess.Popen([sys.executable, "-c", code, str(site)], stdout=subprocess.PIPE) as process:
            assert process.stdout and process.stdout.readline()
            time.sleep(0.003 * moment)
            process.send_signal(signal.SIGKILL)
        found = files(site)
        assert len(found) == 40 and len(set(found.values())) == 1
    write({"a.html": b"1"}, site)
    assert names(tmp_path) == ["site"], "what a killed build left is cleared away"
    assert files(site) == {"a.html": b"1"}


def test_only_our_own_leftovers_are_cleared_away(tmp_path):
    (tmp_path / ".site-backup").mkdir()
    write({"a.html": b"1"}, tmp_path / "site")
    assert (tmp_path / ".site-backup").is_dir()


def test_a_site_that_was_moved_aside_by_a_killed_build_comes_back(tmp_path):
    write({"a.html": b"1"}, tmp_path / "site")
    aside = tmp_path / ".site-flipbook-999999999-x"
    aside.mkdir()
    (tmp_path / "site").rename(aside / "old")
    assert not write({"a.html": b"1"}, tmp_path / "site"), "it is found in its place, nothing is to do"
    assert files(tmp_path / "site") == {"a.html": b"1"}
    assert names(tmp_path) == ["site"]
