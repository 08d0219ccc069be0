"""The plotly.js a site carries: fetched once, checked, kept; a failure is remembered; the wheel's file always works."""

import os
import subprocess
import time

import pytest

from generator import bundle


def refuse() -> bytes:
    raise OSError("no registry")


def test_without_the_registry_the_wheels_file_serves(tmp_path):
    found = bundle.plotly(tmp_path, fetch=refuse)
    assert "wheel" in found.description
    assert b"plotly.js" in found.js[:200]
    assert b".js-plotly-plot .plotly .main-svg{position:absolute;" in found.css
    assert found.js.count(b'if(false){var e=document.createElement("style")') == 1


def test_a_failure_is_remembered_for_a_day(tmp_path):
    calls = []

    def count() -> bytes:
        calls.append(1)
        raise OSError("no registry")

    bundle.plotly(tmp_path, fetch=count)
    bundle.plotly(tmp_path, fetch=count)
    assert len(calls) == 1
    (failed,) = tmp_path.glob("*.failed")
    yesterday = time.time() - bundle.FAILURE_REMEMBERED_SECONDS - 1
    os.utime(failed, (yesterday, yesterday))
    bundle.plotly(tmp_path, fetch=count)
    assert len(calls) == 2


def test_an_archive_that_is_not_the_pinned_one_is_refused(tmp_path):
    found = bundle.plotly(tmp_path, fetch=lambda: b"something else")
    assert "wheel" in found.description
    assert not list(tmp_path.glob("*.min.js"))


def test_a_kept_script_is_used_without_asking(tmp_path):
    kept = tmp_path / f"{bundle.PACKAGE}-{bundle.VERSION}.min.js"
    kept.write_text('var t={"X,X div":"margin:0;","X a":\'color:"x";\',Y:"top:0;"};')
    found = bundle.plotly(tmp_path, fetch=refuse)
    assert found.js == kept.read_bytes()
    assert found.css.decode().splitlines() == [
        ".plotly-notifier{top:0;}",
        '.js-plotly-plot .plotly a{color:"x";}',
        ".js-plotly-plot .plotly,.js-plotly-plot .plotly div{margin:0;}",
    ]


def test_a_cache_that_cannot_be_written_does_not_stop_the_build(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert "wheel" in bundle.plotly(blocked / "cache", fetch=refuse).description


def test_a_hanging_npm_is_an_ordinary_failure(monkeypatch):
    def hang(*_args, **_kwargs):
        raise subprocess.TimeoutExpired("npm", bundle.ATTEMPT_SECONDS)

    monkeypatch.setattr(bundle.shutil, "which", lambda _name: "npm")
    monkeypatch.setattr(bundle.subprocess, "run", hang)
    with pytest.raises(OSError, match="could not fetch"):
        bundle._npm_pack()


def test_a_script_without_rules_is_our_fault_and_says_so():
    with pytest.raises(ValueError, match="no table of style rules"):
        bundle.style_rules("var Plotly = {};")
