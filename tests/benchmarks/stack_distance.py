"""The whole curve of a log against five single-capacity runs of libCacheSim over the same ids.

Run: `pip install -e ".[bench]"`, then `python tests/benchmarks/stack_distance.py [LOG]`. Only times are compared:
libCacheSim knows no requests, so its hit rates differ a little (0.2111 block hits for 0.2116 at 10,000).
"""

import gzip
import io
import struct
import sys
import tempfile
import time
from pathlib import Path

import libcachesim

from generator.replay import Options, main
from generator.replay_file import Problems, rows

CAPACITIES = (1_000, 10_000, 30_000, 50_000, 100_000)
LOG = Path(__file__).parent.parent / "data" / "traces" / "conversation_trace.jsonl.gz"
REPEATS = 5


def unpacked(log: Path, folder: Path) -> Path:
    """The log as plain JSON lines, as libCacheSim's own file is not packed either."""
    if log.suffix != ".gz":
        return log
    plain = folder / log.stem
    plain.write_bytes(gzip.decompress(log.read_bytes()))
    return plain


def oracle_general(log: Path, folder: Path) -> tuple[Path, int]:
    """The ids in libCacheSim's binary format, last to first within a request: time, id, size, next access."""
    path, count = folder / "ids.oracleGeneral", 0
    with path.open("wb") as file:
        for _, row in rows(log, Problems(str(log))):
            for block in reversed(row["hash_ids"]):
                file.write(struct.pack("<IQIq", row["timestamp"] // 1000, block + 1, 1, -1))
                count += 1
    return path, count


def ours(log: Path) -> float:
    """Seconds to read the log and write its whole curve."""
    start = time.perf_counter()
    assert main(log, Options(json=True), io.StringIO(), sys.stderr) == 0
    return time.perf_counter() - start


def theirs(path: Path) -> tuple[float, list[float]]:
    """Seconds for the five runs, and the share of ids that hit in each."""
    start = time.perf_counter()
    hit = []
    for capacity in CAPACITIES:
        reader = libcachesim.TraceReader(str(path), libcachesim.TraceType.ORACLE_GENERAL_TRACE)
        missed, _ = libcachesim.LRU(cache_size=capacity).process_trace(reader)
        hit.append(1 - missed)
    return time.perf_counter() - start, hit


def compare(log: Path) -> None:
    """Print the best of five of each, and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = unpacked(log, folder)
        path, count = oracle_general(log, folder)
        own = min(ours(log) for _ in range(REPEATS))
        runs = [theirs(path) for _ in range(REPEATS)]
    five, hit = min(runs)
    print(f"{count:,} block accesses")
    print(f"flipbook replay, parsed and the whole curve: {own:.3f} s")
    print(f"libCacheSim, five capacities:                {five:.3f} s")
    print("  block hits " + ", ".join(f"{rate:.4f} at {size:,}" for size, rate in zip(CAPACITIES, hit, strict=True)))
    print(f"ratio: {own / five:.2f}")


if __name__ == "__main__":
    compare(Path(sys.argv[1]) if len(sys.argv) > 1 else LOG)
