"""A finished site put in place of the last one: written beside it, then swapped, whole or not at all."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

MANIFEST = ".flipbook"
"""In the output folder: a line "hash  path" for each file that Flipbook wrote; all other files are its owner's."""


class Refused(Exception):
    """The output folder is not one that Flipbook may write to."""


def write(files: Mapping[str, bytes], output: Path) -> bool:
    """Make `output` hold `files` and whatever else it held that Flipbook did not write.

    True where that changed anything. At every moment the folder holds the old site or the new one. Raises
    Refused for a folder with files that are not Flipbook's, unless they are dot files or CNAME.
    """
    output = output.resolve()
    if output.exists() and not output.is_dir():
        raise Refused(f"{output} is a file, not a folder")
    _remove_leftovers(output)
    manifest = "".join(f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files))
    ours = _manifest(output)
    if ours is None and any(not _harmless(entry.name) for entry in _entries(output)):
        raise Refused(f"{output} is not empty and was not made by Flipbook; name another folder with -o")
    wanted = {**files, MANIFEST: manifest.encode("utf-8")}
    if ours is not None and _holds(output, wanted, ours):
        return False
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        fresh = _beside(output)
    except OSError as error:
        raise Refused(f"cannot write to {output.parent}: {error.strerror}") from error
    try:
        fresh.chmod(0o755)
        for path, content in wanted.items():
            target = fresh / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        _carry_over(output, fresh, (ours or set()) | wanted.keys())
        _swap(fresh, output)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return True


def _prefix(output: Path) -> str:
    return f".{output.name}-flipbook-"


def _beside(output: Path) -> Path:
    """A new folder for this process, a sibling of `output`, so that it can be renamed to it."""
    return Path(tempfile.mkdtemp(prefix=f"{_prefix(output)}{os.getpid()}-", dir=output.parent))


def _entries(output: Path) -> list[Path]:
    return sorted(output.iterdir()) if output.is_dir() else []


def _harmless(name: str) -> bool:
    return name.startswith(".") or name == "CNAME"


def _manifest(output: Path) -> set[str] | None:
    """The files that Flipbook wrote into `output`, None if it never did."""
    try:
        lines = (output / MANIFEST).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return {line[66:] for line in lines if len(line) > 66} | {MANIFEST}


def _holds(output: Path, wanted: Mapping[str, bytes], ours: set[str]) -> bool:
    if ours != set(wanted):
        return False
    try:
        return all((output / path).read_bytes() == content for path, content in wanted.items())
    except OSError:
        return False


def _carry_over(old: Path, new: Path, ours: set[str]) -> None:
    """Link (or copy) what Flipbook did not write, so that nothing of it has to be moved later."""
    for root, folders, names in os.walk(old):
        here = Path(root)
        links = [name for name in folders if (here / name).is_symlink()]
        for name in [*names, *links]:
            path = (here / name).relative_to(old)
            if path.as_posix() not in ours:
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                _link(here / name, new / path)
        if not names and not folders and here != old and here.relative_to(old).parts[0].startswith("."):
            (new / here.relative_to(old)).mkdir(parents=True, exist_ok=True)  # .git needs its empty folders


def _link(source: Path, target: Path) -> None:
    if source.is_symlink():
        target.symlink_to(source.readlink())
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _swap(fresh: Path, output: Path) -> None:
    """Put `fresh` in the place of `output`, which is left where `fresh` was."""
    if not output.exists():
        fresh.rename(output)
    elif not _exchange(fresh, output):
        aside = _beside(output) / "old"
        output.rename(aside)
        fresh.rename(output)
        shutil.rmtree(aside.parent, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one operation of the file system, where it has one."""
    if os.name == "nt":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin" and hasattr(libc, "renamex_np"):
        failed = libc.renamex_np(first, second, ctypes.c_uint(2))  # RENAME_SWAP
    elif hasattr(libc, "renameat2"):
        here = ctypes.c_int(-100)  # AT_FDCWD
        failed = libc.renameat2(here, first, here, second, ctypes.c_uint(2))  # RENAME_EXCHANGE
    else:
        return False
    if failed and ctypes.get_errno() not in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(other))
    return not failed


def _remove_leftovers(output: Path) -> None:
    """What a build that was killed left behind; where it died between two renames, the last good site goes back."""
    for leftover in sorted(output.parent.glob(f"{_prefix(output)}*-*")):
        if _running(leftover.name.removeprefix(_prefix(output)).split("-")[0]):
            continue
        if not output.exists() and (leftover / "old" / MANIFEST).is_file():
            (leftover / "old").rename(output)
        shutil.rmtree(leftover, ignore_errors=True)


def _running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return int(process) != os.getpid()
