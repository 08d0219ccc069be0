"""Find the browser that the tests drive, or install it; prints its path.

A machine that has none is not a reason to skip: as root on Debian the script installs chromium, elsewhere it
prints the one command to run and fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
INSTALL = "apt-get update && apt-get install -y chromium"


def find() -> str | None:
    """The browser's path: FLIPBOOK_BROWSER, one on PATH, or Playwright's own; None where there is none."""
    if named := os.environ.get("FLIPBOOK_BROWSER"):
        return named
    return next((path for path in map(shutil.which, NAMES) if path), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> int:
    """Exit code 0 with the path on stdout, or 1 with what to do on stderr."""
    path = find()
    if path is None and os.geteuid() == 0 and Path("/etc/debian_version").exists():
        print("no browser found, installing chromium", file=sys.stderr)
        subprocess.run(INSTALL, shell=True, check=False, stdout=subprocess.DEVNULL)
        path = find()
    if path is None:
        print(f"no browser found; install one with: sudo sh -c '{INSTALL}'", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
