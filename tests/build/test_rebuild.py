"""The same content gives the same bytes, whatever the machine's clock, place and moods."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import generator
from generator import dates
from generator.build import build
from generator.errors import AuthorError
from generator.made import LIBRARIES, inputs
from generator.make import make
from generator.shelf import key_of

CASES = Path(__file__).with_name("cases")
FIGURE = """---
title: P
date: 2026-03-01
runs:
  one: {simulation: prefix-sharing, users: {support: 2}}
  two: {simulation: prefix-sharing, users: {support: 3}}
---
{{ one.floor | ms }} {{ two.floor | ms }} $x$

```figure
id: tree
run: one
panels: [request, prefix-tree]
```

```figure
id: other
run: two
panels: [request]
```
"""


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def in_another_process(content: Path, output: Path, cwd: Path, **environment: str) -> dict[str, bytes]:
    code = (
        "import sys; from pathlib import Path; from generator.build import build\n"
        "build(Path(sys.argv[1]), None, Path(sys.argv[2]))"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(content), str(output)], cwd=cwd, env={**os.environ, **environment}, check=True
    )
    return files(output)


@pytest.mark.parametrize("case", ["14-same-input-same-bytes", "19-date-does-not-move", "figures"])
def test_other_times_places_and_seeds_change_no_byte(case, tmp_path):
    content = tmp_path / "content"
    if case == "figures":
        content.mkdir()
        (content / "p.md").write_text(FIGURE, "utf-8")
    else:
        shutil.copytree(CASES / case / "content", content)
    (tmp_path / "elsewhere").mkdir()
    one = in_another_process(
        content,
        tmp_path / "one",
        tmp_path,
        TZ="Pacific/Auckland",
        PYTHONHASHSEED="0",
        FLIPBOOK_CACHE=str(tmp_path / "a"),
    )
    two = in_another_process(
        content,
        tmp_path / "two",
        tmp_path / "elsewhere",
        TZ="America/Los_Angeles",
        PYTHONHASHSEED="1",
        SOURCE_DATE_EPOCH="0",
        FLIPBOOK_CACHE=str(tmp_path / "b"),
    )
    assert one == two
    if case == "19-date-does-not-move":
        assert b"1 March 2026" in one["day.html"]


def test_what_the_cache_kept_is_what_a_run_gives(tmp_path):
    Path("content").mkdir()
    Path("content/p.md").write_text(FIGURE, "utf-8")
    said: list[str] = []
    fresh = make(Path("content"), cache=tmp_path / "cache", report=said.append)
    assert said == ["running 2 of 2 simulations"]
    kept = make(Path("content"), cache=tmp_path / "cache", report=said.append)
    assert kept.files == fresh.files and len(said) == 1
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:-10])
    assert make(Path("content"), cache=tmp_path / "cache", report=said.append).files == fresh.files
    assert len(said) == 2, "a damaged file in the cache is computed again"


def test_a_data_file_counts_as_part_of_its_run():
    one, two, again = (key_of("prefix-sharing", {"log": "x"}, {"x": content}, []) for content in (b"1", b"2", b"1"))
    assert one == again != two


def test_nothing_is_written_when_nothing_changed():
    Path("content").mkdir()
    Path("content/p.md").write_text("---\ntitle: P\n---\nText.\n", "utf-8")
    assert build(Path("content"), None, Path("site")).changed
    before = {path: path.stat().st_mtime_ns for path in Path("site").rglob("*")}
    assert not build(Path("content"), None, Path("site")).changed
    assert {path: path.stat().st_mtime_ns for path in Path("site").rglob("*")} == before


@given(st.dates())
def test_a_day_is_shown_as_it_was_written(day):
    shown = dates.parse(day.isoformat())
    assert shown.text.split()[0] == str(day.day) and shown.text.split()[2] == str(day.year)
    assert shown.iso == day.isoformat()


@given(st.datetimes(timezones=st.timezones()))
@settings(max_examples=50)
def test_an_instant_keeps_its_own_day(moment):
    offset = moment.utcoffset()
    if offset is None or offset.total_seconds() % 60:
        return
    shown = dates.parse(moment.isoformat(timespec="seconds"))
    assert shown.text.split()[0] == str(moment.day)


def test_a_site_of_which_nothing_changed_is_not_made_again(monkeypatch):
    monkeypatch.setattr("generator.bundle.at_hand", lambda: "a script")
    Path("content").mkdir()
    Path("theme").mkdir()
    Path("content/p.md").write_text("---\ntitle: P\n---\nText.\n", "utf-8")
    Path("content/list.csv").write_text("a,b\n", "utf-8")

    def made(**options):
        calls = []
        with monkeypatch.context() as patch:
            patch.setattr("generator.make.make", lambda *given: calls.append(given) or make(*given))
            built = build(Path("content"), Path("theme"), Path("site"), **options)
        assert dict(built.files) == dict(make(Path("content"), Path("theme"), **options).files)
        return len(calls)

    assert [made(), made()] == [1, 0]
    changes = [
        lambda: Path("content/p.md").write_text("---\ntitle: Q\n---\nText.\n", "utf-8"),
        lambda: Path("content/list.csv").write_text("a,c\n", "utf-8"),
        lambda: Path("content/new.md").write_text("---\ntitle: New\n---\nText.\n", "utf-8"),
        lambda: Path("content/new.md").rename("content/other.md"),
        lambda: Path("content/other.md").unlink(),
        lambda: Path("content/site.toml").write_text('title = "S"\n', "utf-8"),
        lambda: Path("theme/flipbook.css").write_text("p {}\n", "utf-8"),
        lambda: monkeypatch.setattr("generator.bundle.at_hand", lambda: "another script"),
        lambda: monkeypatch.setattr("generator.made.LIBRARIES", ("numpy",)),
    ]
    for change in changes:
        change()
        assert [made(), made()] == [1, 0]
    assert [made(drafts=True), made(base_url="https://example.org/demo/")] == [1, 1]


def test_what_makes_a_site_is_loaded_only_to_make_one():
    code = (
        "import generator.build, generator.cli, sys; print({'jinja2', 'markdown_it', 'numpy', 'yaml'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_site_is_not_kept_when_its_script_would_have_to_be_asked_for(monkeypatch):
    monkeypatch.setattr("generator.bundle.at_hand", lambda: None)
    assert inputs(Path("content"), None, None, False) is None


def test_a_site_with_mistakes_is_not_kept(monkeypatch):
    monkeypatch.setattr("generator.bundle.at_hand", lambda: "a script")
    Path("content").mkdir()
    Path("content/p.md").write_text("---\ntitle: P\n---\n{{ nothing }}\n", "utf-8")
    for _ in range(2):
        with pytest.raises(AuthorError):
            build(Path("content"), None, Path("site"))


def test_every_library_that_takes_part_counts():
    project = tomllib.loads(Path(generator.__file__).parents[1].joinpath("pyproject.toml").read_text("utf-8"))
    needed = {re.match(r"[\w-]+", line)[0] for line in project["project"]["dependencies"]}
    assert set(LIBRARIES) == needed - {"click", "watchfiles"}, "those two only run commands"
