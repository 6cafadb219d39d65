"""What follows from a result: medians, costs over the plain run, ratios."""

from __future__ import annotations

import statistics
from typing import Any

Figures = dict[str, Any]

BASE_OF = {"ours": "silent"}
"""The plain run that a recorder's is compared with: `plain`, unless another is named here."""


def median(figures: Figures, key: str = "seconds") -> float | None:
    """The median of a list of figures; None where there are none."""
    values = figures.get(key)
    return statistics.median(values) if values else None


def cost(recorders: Figures, name: str) -> float | None:
    """Seconds that recording took over the plain run; None where it was not measured. Never below a microsecond."""
    whole = median(recorders.get(name, {}))
    base = median(recorders.get(BASE_OF.get(name, "plain"), {}))
    return None if whole is None or base is None else max(whole - base, 1e-6)


def ratio(recorders: Figures, name: str, other: str) -> float | None:
    """How many times the cost of `other` that of `name` is."""
    one, two = cost(recorders, name), cost(recorders, other)
    return None if one is None or two is None else one / two


def part(figures: Figures, name: str, key: str, of: float) -> float | None:
    """A recorder's figure divided by something; None where it is missing."""
    value = figures.get(name, {}).get(key)
    return None if value is None else value / of


def per_step(size: Figures) -> float:
    """Seconds an event at one size of the scale."""
    return float(statistics.median(size["seconds"]) - statistics.median(size["plain"])) / int(size["steps"])
