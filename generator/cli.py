"""The command line: reads arguments, calls one module a command, turns errors into lines and exit codes.

Exit codes: 0 good, 1 the content is wrong, 2 the command was misused, 3 Flipbook is at fault.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from generator import __version__
from generator.errors import AuthorError, Problem, UnknownName
from generator.output import Refused

GOOD, CONTENT, USAGE, FAULT = 0, 1, 2, 3

_FOLDER = click.Path(file_okay=False, path_type=Path)


def main() -> None:
    """The command `flipbook`, with its exit code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; everything that goes wrong ends in lines on stderr and the exit code."""
    try:
        return flipbook.main(arguments, prog_name="flipbook", standalone_mode=False) or GOOD
    except AuthorError as error:
        for problem in error.problems:
            _complain(problem)
        return CONTENT
    except Refused as error:
        click.echo(f"flipbook: {error}", err=True)
        return USAGE
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        error.show()
        return USAGE
    except click.Abort:
        return USAGE
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GOOD
    except Exception:
        traceback.print_exc()
        click.echo("flipbook: this is a fault of Flipbook's, not of your content; please report it", err=True)
        return FAULT


def _complain(problem: Problem) -> None:
    """One line for the author; on GitHub Actions an annotation as well, at the line it is about."""
    click.echo(str(problem), err=True)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        message = str(problem).replace("%", "%25").replace("\n", "%0A")
        click.echo(f"::error file={problem.path},line={problem.line or 1}::{message}")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="flipbook")
def flipbook() -> None:
    """A static site generator for animated explainers."""


def _site_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `build` and `serve` have in common."""
    for option in (
        click.option("--base-url", help="where the site will be published (instead of url in site.toml)"),
        click.option("--theme", type=_FOLDER, help="the project's own theme  [default: theme, if there is one]"),
        click.option("--content", type=_FOLDER, default=Path("content"), show_default=True, help="the pages"),
    ):
        command = option(command)
    return command


@flipbook.command()
@_site_options
@click.option("-o", "--output", type=_FOLDER, default=Path("site"), show_default=True, help="where the site goes")
@click.option("--drafts", is_flag=True, help="also build the pages marked draft")
@click.option("--strict", is_flag=True, help="stop at warnings, too")
def build(content: Path, theme: Path | None, output: Path, base_url: str | None, drafts: bool, strict: bool) -> None:
    """Build the site."""
    from generator import build as building

    built = building.build(content, _own_theme(theme), output, base_url, drafts, _progress, strict)
    for warning in built.warnings:
        click.echo(f"{warning}", err=True)
    click.echo(f"{built.script}")
    click.echo(f"{built.pages} {'page' if built.pages == 1 else 'pages'} in {output}")


@flipbook.command()
@_site_options
@click.option("--port", default=8000, show_default=True, help="the port on 127.0.0.1; 0 takes a free one")
def serve(content: Path, theme: Path | None, base_url: str | None, port: int) -> None:
    """Build, serve on 127.0.0.1, and build again whenever a source is saved. Drafts are shown."""
    from generator import make as making
    from generator import serve as serving

    own_theme = _own_theme(theme)
    base_path = "/"

    def make() -> Mapping[str, bytes]:
        nonlocal base_path
        made = making.make(content, own_theme, base_url, drafts=True, report=_progress)
        base_path = made.base_path
        return made.files

    site = serving.Preview(make)
    site.rebuild()
    if site.problems:
        click.echo(site.problems, err=True)
    try:
        httpd = serving.server(site, base_path, port)
    except OSError as error:
        raise click.ClickException(f"port {port} is not free ({error.strerror}); choose another with --port") from None
    click.echo(f"serving http://127.0.0.1:{httpd.server_address[1]}{base_path} (Ctrl-C stops)")
    stop = threading.Event()
    folders = [folder for folder in (content, own_theme) if folder and folder.is_dir()]
    try:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        serving.follow(site, folders, lambda line: click.echo(line, err=True), stop)
    except KeyboardInterrupt:
        httpd.shutdown()


@flipbook.command()
@click.option("--model", help="the model  [default: llama-3.1-70b]")
@click.option("--node", help='the cards  [default: "4x a100-80gb"]')
@click.option("--new", help="new tokens of a prefill: 1,64,512")
@click.option("--cached", help="cached tokens before them: 0,2048; one row per pair")
@click.option("--decode", help="decode steps, batch x context: 16x2048,64x4096")
@click.option("--weights", default="bf16", show_default=True, help="number format of the weights")
@click.option("--cache-format", default="bf16", show_default=True, help="number format of the cache")
@click.option("--detail", is_flag=True, help="the parts of each time, by operator")
@click.option("--json", "as_json", is_flag=True, help="for machines")
def roofline(
    model: str | None,
    node: str | None,
    new: str | None,
    cached: str | None,
    decode: str | None,
    weights: str,
    cache_format: str,
    detail: bool,
    as_json: bool,
) -> None:
    """Times of prefill and decode for a model on a node, plain and calibrated."""
    from generator import roofline as command

    with _usage_errors():
        report = command.report(
            model or command.MODEL,
            node or command.NODE,
            command.counts(new) if new else command.NEW,
            command.counts(cached) if cached else command.CACHED,
            command.batches(decode) if decode else command.DECODE,
            detail,
            weights=weights,
            cache=cache_format,
        )
    click.echo(json.dumps(report.json()) if as_json else report.text())


@flipbook.command()
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--rules", type=click.Choice(["lru", "vllm", "sglang"]), help="the cache's rules  [default: lru]")
@click.option("--block-tokens", type=click.IntRange(min=1), help="tokens a block, for logs of tokens  [default: 16]")
@click.option("--capacity-blocks", default="all", show_default=True, help="capacities: 1000,10000 or all")
@click.option("--weight", type=click.Choice(["tokens", "blocks", "requests"]), default="tokens", show_default=True)
@click.option("--window", help="seconds from the first request: 0:600")
@click.option("--sample", type=click.FloatRange(0, 1, min_open=True), help="estimate from this share of the ids")
@click.option("--model", help="with --node: prefill seconds saved, and nodes' cache budgets")
@click.option("--node", help='the cards, such as "4x a100-80gb"')
@click.option("--skip-bad", is_flag=True, help="leave bad rows out instead of stopping")
@click.option("--json", "as_json", is_flag=True, help="for machines")
def replay(
    log: Path,
    rules: str | None,
    block_tokens: int | None,
    capacity_blocks: str,
    weight: str,
    window: str | None,
    sample: float | None,
    model: str | None,
    node: str | None,
    skip_bad: bool,
    as_json: bool,
) -> int:
    """Hit rates of a prefix cache over a log of requests, or recorded workloads run again and compared."""
    from generator import replay as command

    with _usage_errors():
        options = command.Options(
            rules=rules,
            block_tokens=block_tokens,
            capacities=command.capacities(capacity_blocks),
            weight=weight,
            window=command.window(window) if window else None,
            json=as_json,
            sample=sample,
            skip_bad=skip_bad,
            model=model,
            node=node,
        )
    return command.main(log, options, sys.stdout, sys.stderr)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """A value on the command line that the model refuses is the caller's mistake: one line, with the nearest name."""
    try:
        yield
    except UnknownName as error:
        raise click.UsageError(f"{error} ({error.hint})" if error.hint else str(error)) from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _own_theme(named: Path | None) -> Path | None:
    """The project's own theme: the folder named, which must exist, else `theme` where there is one."""
    if named is None:
        return Path("theme") if Path("theme").is_dir() else None
    if not named.is_dir():
        raise click.UsageError(f"there is no folder {named} (--theme names a folder)")
    return named


def _progress(line: str) -> None:
    """Long work says what it does, to people only."""
    if sys.stderr.isatty():
        click.echo(line, err=True)
