"""The workflow that publishes the site is valid, and says what the project's documents promise."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_workflow_is_valid():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, ROOT / ".github/workflows/pages.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ci_runs_the_readmes_own_test_command():
    readme = (ROOT / "README.md").read_text("utf-8")
    command = readme.split("<!-- test command -->", 1)[1].split("```")[1].splitlines()[1]
    assert ".venv/bin/pytest" in command
    assert command.startswith("python3 -m venv .venv")
    assert "README.md" in (ROOT / ".ci/run").read_text("utf-8")
