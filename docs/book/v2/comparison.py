"""Report two runs of the same task side by side, and print no figure that was not measured.

Payload bytes, requests, expansions and storage can be measured anywhere. Tokens are what the interface said, for each
request or not at all; a cost needs them and a price list with a date. Fewer bytes are a gain only if the
task ended as well: the outcome comes first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

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


@dataclass(frozen=True)
class Request:
    """One request, whatever for: "task", "summary" or "expansion". All of them count."""

    purpose: str
    payload_bytes: int
    usage: Usage | None = None


@dataclass(frozen=True)
class Run:
    """One run of the task, as measured. None: not measured. An outcome that nobody checked is not in `outcome`."""

    name: str
    requests: tuple[Request, ...]
    storage_bytes: int | None = None
    seconds: float | None = None
    outcome: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Prices:
    """A price list: for a million tokens, in a currency, as of a day (ISO 8601)."""

    day: str
    currency: str
    input: Fraction
    cached: Fraction
    output: Fraction


def compare(baseline: Run, other: Run, prices: Prices | None = None) -> list[tuple[str, str, str, str]]:
    """Return rows of name, baseline, other and difference, then one row with the verdict."""
    rows = [(name, told(baseline.outcome.get(name)), told(other.outcome.get(name)), "") for name in OUTCOMES]
    before, after = figures(baseline, prices), figures(other, prices)
    for name, was in before.items():
        rows.append((name, shown(was), shown(after[name]), difference(was, after[name])))
    rows.append(("verdict", "", "", verdict(baseline, other)))
    return rows


def figures(run: Run, prices: Prices | None) -> dict[str, int | Fraction | None]:
    """Return what can be said about a run in figures, None for what was not measured."""
    usages = [request.usage for request in run.requests]
    purposes = [request.purpose for request in run.requests]
    return {
        "requests": len(run.requests),
        "of these for summaries": purposes.count("summary"),
        "of these for expansions": purposes.count("expansion"),
        "payload bytes": sum(request.payload_bytes for request in run.requests),
        "storage bytes": run.storage_bytes,
        "input tokens": total([usage and usage.input for usage in usages]),
        "of these cached": total([usage and usage.cached for usage in usages]),
        "output tokens": total([usage and usage.output for usage in usages]),
        "milliseconds": None if run.seconds is None else round(run.seconds * 1000),
        f"cost in {prices.currency}, prices of {prices.day}" if prices else "cost": cost(usages, prices),
    }


def total(parts: Sequence[int | None]) -> int | None:
    """Return the sum, or None when one part is missing: a sum of the rest would look like a whole."""
    known = [part for part in parts if part is not None]
    return sum(known) if known and len(known) == len(parts) else None


def cost(usages: Sequence[Usage | None], prices: Prices | None) -> Fraction | None:
    """Return the exact cost of all requests; None without prices, or when usage or its cached part is not known."""
    if prices is None or not usages or any(usage is None or usage.cached is None for usage in usages):
        return None
    parts = [
        (usage.input - usage.cached) * prices.input + usage.cached * prices.cached + usage.output * prices.output
        for usage in usages
    ]
    return sum(parts, Fraction(0)) / 1_000_000


def verdict(baseline: Run, other: Run) -> str:
    """Say whether the figures may be compared at all: only where every outcome was checked and holds on both sides."""
    for run in (baseline, other):
        for name in OUTCOMES:
            if name not in run.outcome:
                return f"open: nobody checked '{name}' in {run.name}"
            if not run.outcome[name]:
                return f"no gain: '{name}' does not hold in {run.name}, whatever it saved"
    return "the task ended as well: the figures may be compared"


def difference(was: int | Fraction | None, now: int | Fraction | None) -> str:
    """Return the signed difference where both were measured, and nothing elsewhere."""
    if was is None or now is None:
        return ""
    return ("+" if now > was else "") + shown(now - was)


def shown(figure: int | Fraction | None) -> str:
    """Return a figure as text; a cost with six places."""
    if figure is None:
        return NOT_MEASURED
    return f"{float(figure):.6f}" if isinstance(figure, Fraction) else str(figure)


def told(outcome: bool | None) -> str:
    """Return an outcome in a word."""
    return {True: "yes", False: "NO", None: "not checked"}[outcome]


def print_report(rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Print the rows as a table."""
    for name, was, now, change in rows:
        print(f"{name:<40}{was:>14}{now:>14}{change:>12}" if was else f"{name}: {change}")
