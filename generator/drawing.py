"""Panels by name: what of a step they need, and a run's steps drawn by them for both widths."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from types import ModuleType
from typing import Any, Protocol, cast

from generator import figures
from generator.animate import Animation, animate
from generator.errors import UnknownName
from generator.marks import STATES, Axis, Boxes, Dots, Layout, Line, Margins, Mark
from generator.still import still

DESKTOP, PHONE = 1060, 343
"""Pixels that a panel over the whole width is drawn for."""


class Told(Protocol):
    """What every step has."""

    @property
    def name(self) -> str: ...
    @property
    def caption(self) -> str: ...


@dataclass(frozen=True)
class DrawnPanel:
    """A panel of a figure: Plotly's data, and the stills of the key step.

    `data` is ready for JSON: name, motion ("tween" or "cut"), cuts (numbers of steps that cut in any
    case), and data, layout and frames for the desktop, with the same three in `phone`. `half`: on a
    desktop, two such panels stand side by side. `states` are those used in any step, in table order.
    """

    name: str
    title: str
    half: bool
    data: dict[str, Any]
    still_desktop: str
    still_phone: str
    states: tuple[str, ...]


def panels() -> tuple[str, ...]:
    """The names of all panels, as content has them."""
    return tuple(module.name.replace("_", "-") for module in pkgutil.iter_modules(figures.__path__))


def missing_fields(panel: str, step: object) -> list[str]:
    """The fields that the panel draws and `step` does not have. Raises UnknownName for a panel."""
    protocol = _module(panel).Step
    fields = (name for kind in reversed(protocol.__mro__) for name, value in vars(kind).items()
              if isinstance(value, property))  # fmt: skip
    return [name for name in dict.fromkeys(fields) if not hasattr(step, name)]


def draw_figure(panels: Sequence[str], steps: Sequence[object], key: int) -> tuple[DrawnPanel, ...]:
    """Draw `steps` (all of a run, from 0) in each panel; the stills show step number `key`.

    Steps must have what `missing_fields` asks for. Raises UnknownName for a panel.
    """
    modules = [_module(panel) for panel in panels]
    desktop = arrange(paired([module.layout(steps, DESKTOP) for module in modules]))
    phone = arrange([module.layout(steps, PHONE) for module in modules])
    return tuple(
        _draw(name, module, cast(Sequence[Told], steps), key, wide, narrow)
        for name, module, wide, narrow in zip(panels, modules, desktop, phone, strict=True)
    )


def _module(panel: str) -> ModuleType:
    known = panels()
    if panel not in known:
        raise UnknownName("panel", panel, known)
    return importlib.import_module(f"{figures.__name__}.{panel.replace('-', '_')}")


def _draw(name: str, module: ModuleType, steps: Sequence[Told], key: int, wide: Layout, narrow: Layout) -> DrawnPanel:
    at = {id(lay): [module.draw(lay, steps[: k + 1]) for k in range(len(steps))] for lay in (wide, narrow)}
    names = [step.name for step in steps]
    desktop, phone = (animate(lay, at[id(lay)], names, key) for lay in (wide, narrow))
    label = f"{wide.title}. {steps[key].caption}"
    return DrawnPanel(
        name=name,
        title=wide.title,
        half=wide.half,
        data={"name": name, "motion": wide.motion, "cuts": desktop.cuts, **_part(desktop), "phone": _part(phone)},
        still_desktop=still(wide, at[id(wide)][key], label),
        still_phone=still(narrow, at[id(narrow)][key], label),
        states=states([*wide.fixed, *(mark for marks in at[id(wide)] for mark in marks)]),
    )


def _part(animation: Animation) -> dict[str, Any]:
    return {"data": animation.data, "layout": animation.layout, "frames": animation.frames}


def states(marks: Sequence[Mark]) -> tuple[str, ...]:
    """The states that the marks show, in table order."""
    used: set[str] = set()
    for mark in marks:
        if isinstance(mark, Boxes):
            used.update(box.state for box in mark.boxes)
        elif isinstance(mark, Dots):
            used.update(dot.paint for dot in mark.dots)
        elif isinstance(mark, Line):
            used.add(mark.paint)
    return tuple(state for state in STATES if state in used)


def paired(layouts: Sequence[Layout]) -> list[Layout]:
    """Half panels stand beside each other, two by two; one that is left over takes the whole width."""
    done: list[Layout] = []
    for half, run in groupby(layouts, key=lambda layout: layout.half):
        panels = list(run)
        if half and len(panels) % 2:
            panels[-1] = dataclasses.replace(panels[-1], width=DESKTOP, half=False)
        done += panels
    return done


def arrange(layouts: Sequence[Layout]) -> list[Layout]:
    """Align panels under each other whose x axes have one name; only the lowest keeps its ticks."""
    arranged = list(layouts)
    start = 0
    for end in range(1, len(arranged) + 1):
        if end == len(arranged) or not _share(arranged[start], arranged[end]):
            if end - start > 1:
                arranged[start:end] = _aligned(arranged[start:end])
            start = end
    return arranged


def _share(above: Layout, below: Layout) -> bool:
    return bool(above.x.name) and above.x.name == below.x.name and not (above.half or below.half)


TICKLESS = 4
"""Pixels under the axis of a panel whose ticks the one below writes."""


def _aligned(group: list[Layout]) -> list[Layout]:
    """One range, one left and one right margin; a panel without ticks is lower by their height."""
    widest = max(group, key=lambda layout: abs(layout.x.high - layout.x.low)).x
    left = max(layout.margins.left for layout in group)
    right = max(layout.margins.right for layout in group)
    return [_fitted(layout, widest, left, right, last=layout is group[-1]) for layout in group]


def _fitted(layout: Layout, x: Axis, left: int, right: int, last: bool) -> Layout:
    m = layout.margins
    bottom = m.bottom if last else min(m.bottom, TICKLESS)
    return dataclasses.replace(
        layout,
        height=layout.height - (m.bottom - bottom),
        margins=Margins(left, m.top, right, bottom),
        x=dataclasses.replace(x, line=layout.x.line, grid=layout.x.grid, shown=last and layout.x.shown),
    )
