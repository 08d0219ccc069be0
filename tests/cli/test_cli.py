"""The command line as its users meet it: exit codes, one line a mistake, annotations, JSON."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

GOOD_PAGE = "---\ntitle: Good\n---\n\nText.\n"
TRACE = "".join(
    json.dumps({"timestamp": i, "input_length": 1024, "output_length": 5, "hash_ids": [0, i + 1]}) + "\n"
    for i in range(3)
)


def flipbook(*arguments, cwd, **environment):
    command = [sys.executable, "-m", "generator", *arguments]
    env = {**os.environ, "FLIPBOOK_CACHE": str(Path(cwd) / "cache"), **environment}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=120)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "content").mkdir()
    (tmp_path / "content/good.md").write_text(GOOD_PAGE)
    return tmp_path


def test_a_good_site_is_exit_0_and_needs_no_script_without_figures(project):
    done = flipbook("build", cwd=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 page in site" in done.stdout
    assert (project / "site/good.html").exists()


def test_every_mistake_is_a_line_and_the_exit_code_is_1(project):
    (project / "content/a.md").write_text("---\ntitel: A\n---\n\n{{ nobody }}\n")
    (project / "content/b.md").write_text("---\ntitle: B\ndraft: ture\n---\n")
    done = flipbook("build", cwd=project)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    places = [":".join(line.split(":")[:2]) for line in lines]
    assert places == sorted(places)
    assert {"content/a.md:2", "content/a.md:5", "content/b.md:3"} <= set(places)
    assert "Traceback" not in done.stderr
    assert not (project / "site").exists()


def test_on_github_actions_mistakes_are_annotations_too(project):
    (project / "content/b.md").write_text("---\ntitle: B\ndraft: ture\n---\n")
    done = flipbook("build", cwd=project, GITHUB_ACTIONS="true")
    assert done.stdout.startswith("::error file=content/b.md,line=3::content/b.md:3: ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["build", "--content", "nowhere"], "nowhere"),
        (["build", "--theme", "nowhere"], "nowhere"),
        (["build", "-o", "content"], "content"),
        (["build", "--base-url", "no url"], "--base-url"),
        (["bild"], "bild"),
        (["roofline", "--model", "lama-3.1-70b"], 'did you mean "llama-3.1-70b"?'),
        (["roofline", "--new", "0"], "at least one"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_misuse_is_exit_2_with_a_line_that_names_it(project, arguments, says):
    done = flipbook(*arguments, cwd=project)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_roofline_speaks_json(project):
    done = flipbook("roofline", "--json", "--new", "1,2048", "--cached", "0,2048", "--decode", "64x4096", cwd=project)
    told = json.loads(done.stdout)
    assert told["ridge_tokens"] == 143
    assert [(row["new"], row["cached"]) for row in told["rows"]] == [(1, 0), (2048, 0), (1, 2048), (2048, 2048)]
    assert told["decode"][0]["batch"] == 64


def test_replay_speaks_json_and_reports_bad_rows(project):
    log = project / "log.jsonl"
    log.write_text(TRACE)
    done = flipbook("replay", "log.jsonl", "--json", "--capacity-blocks", "1,10", cwd=project)
    curve = json.loads(done.stdout)["curve"]
    assert [point["capacity_blocks"] for point in curve] == [1, 10]
    assert curve[1]["hit_rate"] == pytest.approx(2 * 512 / (3 * 1024))
    log.write_text(TRACE + "not json\n")
    bad = flipbook("replay", "log.jsonl", cwd=project)
    assert bad.returncode == 1
    assert bad.stderr.startswith("log.jsonl:4: ")
    assert flipbook("replay", "log.jsonl", "--skip-bad", cwd=project).returncode == 0


def test_serve_answers_under_the_base_path_and_stops_on_ctrl_c(project):
    (project / "content/site.toml").write_text('title = "Demo"\nurl = "https://example.org/demo/"\n')
    command = [sys.executable, "-u", "-m", "generator", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as served:
        try:
            address = served.stdout.readline().split()[1]
            assert address.endswith("/demo/")
            with urllib.request.urlopen(address + "good.html", timeout=10) as answer:
                assert b"Text." in answer.read()
        finally:
            served.send_signal(signal.SIGINT)
        assert served.wait(timeout=20) == 0


def test_strict_stops_at_warnings_and_leaves_the_last_good_site(project):
    assert flipbook("build", cwd=project).returncode == 0
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file() and "site" in path.parts}
    (project / "content" / "w.md").write_text("---\ntitle: W\n---\n<!-- never closed\n")
    done = flipbook("build", "--strict", cwd=project)
    assert done.returncode == 1 and done.stderr.startswith("content/w.md:4: this comment is never closed")
    assert before == {path: path.read_bytes() for path in before}
    assert flipbook("build", cwd=project).returncode == 0
