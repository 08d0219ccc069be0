"""One pass timed on both levels, the plain roofline and the calibrated one, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from generator.model.passes import Pass


def milliseconds(seconds: float) -> float:
    """For tables and JSON: four decimals, a tenth of a microsecond."""
    return round(seconds * 1e3, 4)


@dataclass(frozen=True)
class Row:
    """One pass by both levels; `counts` are new and cached tokens, or batch and context.

    `note` is what a reader of the times must know besides.
    """

    counts: tuple[int, int]
    plain: Pass
    calibrated: Pass | None
    note: str = ""

    def times(self) -> dict[str, float | None]:
        """Milliseconds by both levels; None where the family was not measured."""
        return {
            "plain_ms": milliseconds(self.plain.seconds),
            "calibrated_ms": milliseconds(self.calibrated.seconds) if self.calibrated else None,
        }

    def parts(self) -> list[dict[str, float | str | None]]:
        """Operator by operator; what only the calibrated level knows (launch, all-reduce) is None in plain."""
        plain = {part.name: part for part in self.plain.parts}
        calibrated = {part.name: part for part in (self.calibrated.parts if self.calibrated else ())}
        return [
            {
                "name": part.name,
                "flops": part.flops,
                "bytes": part.bytes,
                "plain_ms": milliseconds(plain[part.name].seconds) if part.name in plain else None,
                "calibrated_ms": milliseconds(calibrated[part.name].seconds) if part.name in calibrated else None,
                "bound": part.bound,
            }
            for part in {**calibrated, **plain}.values()
        ]
