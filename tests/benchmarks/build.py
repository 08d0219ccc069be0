"""How long this site takes to build: with nothing kept, after a page was saved, and when nothing changed.

Run: `python tests/benchmarks/build.py [TIMES]`, on a machine that does nothing else. Plotly's script must have been
fetched before. Each is the best of some times; seconds on the clock are held against the budget, seconds of all
processors together say what is left to gain by running more at once.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generator import bundle

ROOT = Path(__file__).parents[2]
TIMES = 3
BUDGETS = {"with nothing kept": 10.0, "after a page was saved": None, "when nothing changed": 1.0}


def built(content: Path, folder: Path) -> tuple[float, float]:
    """Build `content`; seconds on the clock, and of all processors."""
    command = [sys.executable, "-m", "generator", "build", "--content", str(content), "-o", str(folder / "site")]
    started, before = time.perf_counter(), os.times()
    subprocess.run(
        command, cwd=ROOT, env=os.environ | {"FLIPBOOK_CACHE": str(folder)}, stdout=subprocess.DEVNULL, check=True
    )
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - started, used


def main(times: int) -> int:
    """Print a line for each kind of build; 1 if one is over its budget."""
    measured: dict[str, list[tuple[float, float]]] = {name: [] for name in BUDGETS}
    with tempfile.TemporaryDirectory() as place:
        folder, content = Path(place), Path(place, "content")
        shutil.copytree(ROOT / "content", content)
        for script in bundle.user_cache().glob(f"{bundle.PACKAGE}*"):
            shutil.copy2(script, folder)
        for _ in range(times):
            for kept in ("runs", "sites", "site"):
                shutil.rmtree(folder / kept, ignore_errors=True)
            measured["with nothing kept"].append(built(content, folder))
            page = next(content.glob("*.md"))
            page.write_text(page.read_text("utf-8") + "\nOne more line.\n", "utf-8")
            measured["after a page was saved"].append(built(content, folder))
            measured["when nothing changed"].append(built(content, folder))
    over = 0
    for name, builds in measured.items():
        clock, used = (min(seconds) for seconds in zip(*builds, strict=True))
        budget = BUDGETS[name]
        over |= budget is not None and clock > budget
        print(f"{name:24} {clock:6.2f} s, processors {used:6.2f} s" + (f", budget {budget:g} s" if budget else ""))
    return int(over)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES))
