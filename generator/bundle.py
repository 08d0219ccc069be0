"""Which plotly.js a site carries: the small basic bundle when it can be had, else the file in the plotly wheel."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "plotly.js-basic-dist-min"
VERSION = "4.1.1"
# What the npm registry states as `dist.integrity` of that version.
INTEGRITY = "sha512-1oNF8PeQx2hv/y7tqEVWKD3JGwn/MGEMQ8mL9HUwsaqG9FGy/OU5FHUHvzqbqxN4mnwZGI9abTiE775C4kkjMQ=="
MEMBER = "package/plotly-basic.min.js"

ATTEMPT_SECONDS = 10
FAILURE_REMEMBERED_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Bundle:
    """plotly.js as shipped: the script, its own style rules as a sheet, and a sentence saying which it is."""

    js: bytes
    css: bytes
    description: str


def plotly(cache: Path | None = None, fetch: Callable[[], bytes] | None = None) -> Bundle:
    """The script that figures are drawn with.

    The basic bundle comes from `cache` (default: the user's cache folder), else from one attempt at npm of
    at most ten seconds; a failed attempt is remembered there for a day and the wheel's full file is used.
    `fetch` returns the package's archive or raises OSError; it stands in for npm in tests.
    """
    folder = cache or user_cache()
    kept = _kept(folder)
    script = _read(kept) or _attempt(folder, kept, fetch or _npm_pack)
    if script is not None:
        return _bundle(script, f"plotly.js {VERSION}, basic bundle")
    return _bundle(_wheel_file().read_bytes(), "plotly.js, the full bundle of the plotly wheel")


def at_hand(cache: Path | None = None) -> str | None:
    """What tells the script that `plotly` gives now from any other; None where it would have to ask npm first."""
    folder = cache or user_cache()
    if script := _read(_kept(folder)):
        return hashlib.sha256(script).hexdigest()
    return "the wheel's" if _failed_lately(folder) else None


def user_cache() -> Path:
    """Where Flipbook keeps what it can fetch or compute again; outside any project.

    FLIPBOOK_CACHE names it outright, XDG_CACHE_HOME the folder it lies in; else ~/.cache.
    """
    if own := os.environ.get("FLIPBOOK_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "flipbook"


def style_rules(script: str) -> str:
    """The rules that plotly.js would inject into the page, as a style sheet.

    A strict content security policy blocks the injection, so they are read out of the script's own table
    (`"X .main-svg": "position:absolute;…"`, X and Y standing for its root classes). Plotly inserts
    each rule before the ones already there, hence the reversed order. Raises ValueError where a script has
    no such table.
    """
    start = re.search(r'\{\s*(?="X,X div":)', script)
    pair = re.compile(r"""\s*(?:"([^"]*)"|(Y))\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*,?""")
    rules = []
    position = start.end() if start else len(script)
    while found := pair.match(script, position):
        selector = (found[1] or found[2]).replace("X", ".js-plotly-plot .plotly").replace("Y", ".plotly-notifier")
        rules.append(f"{selector}{{{found[3][1:-1]}}}\n")
        position = found.end()
    if not rules:
        raise ValueError("this plotly.js holds no table of style rules")
    return "".join(reversed(rules))


# The full bundle also injects the rules of its maps. No figure draws a map, and the policy would block them.
_MAP_RULES = re.compile(
    rb'if\(!document\.getElementById\("[0-9a-f]{64}"\)\)(?=\{var \w+=document\.createElement\("style"\))'
)


def _bundle(script: bytes, description: str) -> Bundle:
    rules = style_rules(script.decode("utf-8")).encode("utf-8")
    return Bundle(_MAP_RULES.sub(b"if(false)", script), rules, description)


def _kept(folder: Path) -> Path:
    return folder / f"{PACKAGE}-{VERSION}.min.js"


def _failure(folder: Path) -> Path:
    return folder / f"{PACKAGE}-{VERSION}.failed"


def _failed_lately(folder: Path) -> bool:
    try:
        return time.time() - _failure(folder).stat().st_mtime < FAILURE_REMEMBERED_SECONDS
    except OSError:
        return False  # no failure on record


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _attempt(folder: Path, kept: Path, fetch: Callable[[], bytes]) -> bytes | None:
    """One try at the archive; the script is kept, or the failure remembered. None where it failed."""
    if _failed_lately(folder):
        return None
    try:
        script = _unpack(fetch())
    except (OSError, tarfile.TarError, KeyError):
        _keep(_failure(folder), b"")
        return None
    _keep(kept, script)
    return script


def _unpack(archive: bytes) -> bytes:
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if f"sha512-{digest}" != INTEGRITY:
        raise OSError(f"{PACKAGE} {VERSION} is not the file that was pinned")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        member = tar.extractfile(MEMBER)
        if member is None:
            raise KeyError(MEMBER)
        return member.read()


def _keep(path: Path, content: bytes) -> None:
    """Write whole or not at all; a cache that cannot be written costs time, never the build."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
    except OSError:
        return


def _npm_pack() -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise OSError("npm is not installed")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--ignore-scripts", "--silent"]
        patience = ["--fetch-retries=0", "--fetch-timeout=5000", "--pack-destination", folder]
        try:
            subprocess.run(command + patience, cwd=folder, check=True, capture_output=True, timeout=ATTEMPT_SECONDS)
        except subprocess.SubprocessError as error:
            raise OSError(f"npm could not fetch {PACKAGE}") from error
        return next(Path(folder).glob("*.tgz"), Path(folder) / "missing.tgz").read_bytes()


def _wheel_file() -> Path:
    """plotly.min.js of the installed wheel, found without importing plotly (which takes a second)."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or spec.origin is None:
        raise RuntimeError("the plotly package is not installed")
    return Path(spec.origin).parent / "package_data" / "plotly.min.js"
