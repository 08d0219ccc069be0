"""Imports only go down: read from the source, compared with the table of floors. A module missing there fails."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "generator"

# Floor by floor, lowest first: the module or folder, what of the package it may import, and which libraries.
ALLOWED: dict[str, tuple[set[str], set[str]]] = {
    "errors": (set(), set()),
    "units": (set(), set()),
    "model": ({"errors", "units"}, {"numpy"}),
    "simulations": ({"errors", "model", "units"}, {"numpy"}),
    "marks": (set(), set()),
    "lettering": (set(), set()),
    "scales": ({"marks", "units"}, set()),
    "columns": ({"lettering", "marks"}, set()),
    "tiling": (set(), set()),
    "pass_dots": ({"marks", "scales", "units"}, set()),
    "placing": ({"lettering", "marks"}, set()),
    "figures": (
        {"columns", "lettering", "marks", "pass_dots", "placing", "scales", "tiling", "units"},
        set(),
    ),
    "parameters": ({"errors", "model"}, set()),
    "runs": ({"errors", "model", "parameters", "simulations"}, set()),
    "primitives": ({"marks"}, set()),
    "shapes": ({"lettering", "marks", "primitives"}, set()),
    "unions": (set(), set()),
    "traces": ({"lettering", "marks", "primitives", "unions"}, set()),
    "animate": ({"lettering", "marks", "primitives", "shapes", "traces", "unions"}, set()),
    "still": ({"lettering", "marks", "primitives", "shapes"}, set()),
    "drawing": ({"errors", "figures", "marks", "animate", "still"}, set()),
    "yamlrepair": ({"errors"}, {"yaml"}),
    "yamltext": ({"errors", "yamlrepair"}, {"yaml"}),
    "dates": (set(), set()),
    "slugs": (set(), set()),
    "quantities": (set(), set()),
    "states": ({"quantities"}, set()),
    "htmltags": (set(), set()),
    "positions": (set(), {"markdown_it"}),
    "fences": (set(), {"markdown_it"}),
    "runspec": ({"errors", "yamltext"}, set()),
    "frontmatter": ({"errors", "dates", "runspec", "yamlrepair", "yamltext"}, set()),
    "figurefence": ({"errors", "fences", "runspec", "yamlrepair", "yamltext"}, set()),
    "sandbox": ({"errors", "units"}, {"jinja2"}),
    "walking": ({"sandbox"}, {"jinja2"}),
    "values": ({"errors", "sandbox", "walking"}, {"jinja2"}),
    "claims": ({"frontmatter", "sandbox", "values"}, {"jinja2"}),
    "glossary": ({"errors"}, set()),
    "context": ({"errors", "sandbox"}, set()),
    "addresses": ({"context", "sandbox", "slugs"}, set()),
    "markup": (
        {"context", "errors", "fences", "glossary", "htmltags", "positions", "quantities"}
        | {"sandbox", "slugs", "states", "values"},
        {"latex2mathml", "markdown_it", "mdit_py_plugins"},
    ),
    "text": ({"context", "fences", "glossary", "htmltags", "markup"}, {"markdown_it"}),
    "pages": ({"errors", "figurefence", "frontmatter", "slugs", "text"}, set()),
    "site": ({"errors", "slugs"}, set()),
    "feeds": ({"dates", "site"}, set()),
    "table": (set(), set()),
    "theme": ({"shipped"}, {"jinja2"}),
    "bundle": (set(), set()),
    "output": (set(), set()),
    "template_errors": ({"errors"}, {"jinja2"}),
    "shelf": (set(), set()),
    "script_json": (set(), set()),
    "bake": ({"errors", "parameters", "runs", "drawing", "script_json", "shelf"}, set()),
    "stage": ({"errors", "bake", "drawing", "figurefence", "pages", "runs", "runspec", "sandbox", "slugs"}, set()),
    "figurefiles": (set(), set()),
    "extent": ({"drawing"}, set()),
    "views": ({"bake", "dates", "drawing", "extent", "figurefiles", "runs", "script_json", "states"}, set()),
    "picture": ({"drawing", "extent", "marks", "primitives", "theme", "views"}, set()),
    "prose": (
        {"addresses", "claims", "context", "errors", "figurefiles", "glossary", "marks", "pages", "picture", "slugs"}
        | {"sandbox", "stage", "table", "text", "theme", "values", "views"},
        set(),
    ),
    "printing": (
        {"dates", "extent", "feeds", "figurefiles", "prose", "site", "slugs", "stage", "theme", "views"},
        set(),
    ),
    "collisions": ({"addresses", "errors", "figurefiles", "pages"}, set()),
    "shipped": (set(), set()),
    "made": ({"bundle", "errors", "shelf", "shipped"}, set()),
    "make": (
        {"text", "addresses", "bake", "bundle", "collisions", "errors", "glossary", "made", "output", "pages"}
        | {"printing", "prose", "site", "stage", "template_errors", "theme"},
        set(),
    ),
    "build": ({"bundle", "errors", "made", "make", "output"}, set()),
    "replay_file": ({"errors"}, set()),
    "replay_recorded": ({"errors", "model", "replay_file"}, set()),
    "replay_report": ({"model"}, {"numpy"}),
    "replay_json": ({"replay_report"}, set()),
    "replay_text": ({"model", "replay_report", "units"}, set()),
    "replay": (
        {"errors", "model", "replay_file", "replay_json", "replay_recorded", "replay_report", "replay_text"},
        set(),
    ),
    "roofline_text": ({"units", "model"}, set()),
    "roofline": ({"model", "roofline_text", "units"}, set()),
    "serve": ({"errors", "build", "output"}, {"watchfiles"}),
    "cli": ({"errors", "output", "build", "make", "replay", "roofline", "serve", "bundle"}, {"click"}),
    "__main__": ({"cli"}, set()),
    "__init__": (set(), set()),
}
STORIES = ("simulations", "figures", "markup")


def name_of(path: Path) -> str:
    """The row of the table a source file belongs to: its folder, or its own name at the top."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module imported anywhere in the file, by its full dotted name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


SOURCES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_down(path):
    row = name_of(path)
    assert row in ALLOWED, f"{row} has no floor: add it to the table"
    own, libraries = ALLOWED[row]
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "generator":
            target = rest.split(".")[0]
            # `from generator import __version__` takes a value of the package itself.
            assert target in own | {row, "__version__"}, f"{row} may not import {target}"
        elif top not in sys.stdlib_module_names:
            assert top in libraries, f"{row} may not import {top}"


@pytest.mark.parametrize("folder", STORIES)
def test_stories_do_not_import_each_other(folder):
    for path in sorted((PACKAGE / folder).glob("*.py")):
        siblings = [name for name in imports(path) if name.startswith(f"generator.{folder}")]
        assert not siblings, f"{path.name} imports {siblings}"


@pytest.mark.parametrize(
    "module", [f"generator.simulations.{path.stem}" for path in (PACKAGE / "simulations").glob("[!_]*.py")]
)
def test_a_simulation_loads_no_plotting_and_no_templates(module):
    code = f"import {module}, sys; print([m for m in ('plotly', 'jinja2', 'markdown') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_table_names_only_what_exists():
    present = {name_of(path) for path in SOURCES}
    assert set(ALLOWED) <= present, f"gone: {set(ALLOWED) - present}"
