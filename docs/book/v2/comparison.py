"""Report two runs of the same task side by side, and print no figure that was not measured.

Payload bytes, requests, expansions and storage can be measured anywhere. Tokens are what the interface said, for each
request or not at all; a cost needs them and a price list with a date. Fewer bytes are a gain only if the
task ended as well: the outcome comes first.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Figure = int | Fraction | None
Row = tuple[str, str, str, str]  # name, baseline, other, difference

NOT_MEASURED = "not measured"
OUTCOMES = (
    "corrections kept",
    "originals exact",
    "refusals explicit",
    "unknowns explicit",
    "no effect repeated",
    "accepted",
)


@dataclass(frozen=True)
class Usage:
    """The tokens that an interface returned for one request. `cached` (part of `input`) is None if it does not tell."""

    input: int
    output: int
    cached: int | None = None

    def __post_init__(self) -> None:
        """Refuse counts that no interface returns: they would make a total, and a cost."""
        cached = 0 if self.cached is None else self.cached
        counts = (self.input, self.output, cached)
        if any(type(count) is not int or count < 0 for count in counts) or cached > self.input:
            raise ValueError(f"tokens are ints from 0 up, those of the cache among the input: not {self}")


Usages = Sequence[Usage | None]
DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
TOKENS = {"input": "input tokens", "cached": "of these cached", "output": "output tokens"}


@dataclass(frozen=True)
class Request:
    """One request, whatever for: "task", "summary" or "expansion". All of them count."""

    purpose: str
    bytes: int
    usage: Usage | None = None


@dataclass(frozen=True)
class Run:
    """One run of the task, as measured. None: not measured. An outcome that nobody checked is not in `outcome`."""

    name: str
    requests: tuple[Request, ...]
    storage_bytes: int | None = None
    milliseconds: int | None = None
    outcome: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Prices:
    """A price list: for a million tokens, in a currency, as of a day (ISO 8601)."""

    day: str
    currency: str
    input: Fraction
    cached: Fraction
    output: Fraction

    def __post_init__(self) -> None:
        """Refuse a list of no day."""
        if type(self.day) is not str or not DAY.fullmatch(self.day):
            raise ValueError(f"prices are those of a day, written 2026-11-01, not {self.day!r}")


class Comparison:
    """A baseline and another run of its task, and perhaps a price list."""

    def __init__(self, baseline: Run, other: Run, prices: Prices | None) -> None:
        self.baseline, self.other = baseline, other
        self.prices = prices

    def rows(self) -> list[Row]:
        """Return outcomes, figures with their differences, the verdict."""
        rows = []
        for name in OUTCOMES:
            before = told(self.baseline.outcome.get(name))
            after = told(self.other.outcome.get(name))
            rows.append((name, before, after, ""))

        figures = self.figures(self.other)
        for name, was in self.figures(self.baseline).items():
            now = figures[name]
            change = difference(was, now)
            rows.append((name, shown(was), shown(now), change))
        return [*rows, ("verdict", "", "", self.verdict())]

    def figures(self, run: Run) -> dict[str, Figure]:
        """Return a run's figures, None for what was not measured."""
        purposes = [request.purpose for request in run.requests]
        usages = [request.usage for request in run.requests]
        figures: dict[str, Figure] = {
            "requests": len(run.requests),
            "of these for summaries": purposes.count("summary"),
            "of these for expansions": purposes.count("expansion"),
            "payload bytes": self.total([each.bytes for each in run.requests]),
            "bytes kept outside": run.storage_bytes,
            "milliseconds": run.milliseconds,
        }
        for part, name in TOKENS.items():
            parts = [getattr(usage, part, None) for usage in usages]
            figures[name] = self.total(parts)
        figures["cost"] = self.cost(usages)
        return figures

    def total(self, parts: Sequence[int | None]) -> int | None:
        """Return the sum; None when a part is missing.

        The sum of the rest would look like that of all.
        """
        known = [part for part in parts if part is not None]
        whole = known and len(known) == len(parts)
        return sum(known) if whole else None

    def cost(self, usages: Usages) -> Fraction | None:
        """Return the exact cost; None without prices, usage or cached part."""
        prices, cost = self.prices, Fraction(0)
        if prices is None or not usages:
            return None
        for usage in usages:
            if usage is None or usage.cached is None:
                return None
            cost += (usage.input - usage.cached) * prices.input
            cost += usage.cached * prices.cached
            cost += usage.output * prices.output
        return cost / 1_000_000

    def verdict(self) -> str:
        """Say whether the figures may be compared: if all ended well."""
        for run in (self.baseline, self.other):
            for name in OUTCOMES:
                if name not in run.outcome:
                    return f"open: {run.name}, '{name}' was not checked"
                if not run.outcome[name]:
                    return f"no gain: {run.name}, '{name}' does not hold"
        return "the task ended as well: the figures may be compared"


def difference(was: Figure, now: Figure) -> str:
    """Return the signed difference where both were measured, and nothing elsewhere."""
    if was is None or now is None:
        return ""
    return ("+" if now > was else "") + shown(now - was)


def shown(figure: Figure) -> str:
    """Return a figure as text; a cost with six places."""
    if figure is None:
        return NOT_MEASURED
    return f"{float(figure):.6f}" if isinstance(figure, Fraction) else str(figure)


def told(outcome: bool | None) -> str:
    """Return an outcome in a word."""
    return {True: "yes", False: "NO", None: "not checked"}[outcome]


def print_report(comparison: Comparison) -> None:
    """Print the rows as a table, and the price list that the cost goes by."""
    for name, was, now, change in comparison.rows():
        print(f"{name:<24}{was:>14}{now:>14}{change:>12}" if was else f"{name}: {change}")
    if comparison.prices:
        print(f"prices: {comparison.prices.currency} for a million tokens, as of {comparison.prices.day}")
