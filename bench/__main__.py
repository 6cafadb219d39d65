"""Measure Tracepane and the recorders of others in one run: `python -m bench`, from the checkout's root.

The result is a JSON file; `--fill` writes its tables into docs/reference/benchmarks.md and .zh.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench import boot, pages, walk
from bench.fill import fill
from bench.machine import describe, load
from bench.native import Native
from bench.peers import Peer, install, pins
from bench.run import inside, native, scale
from bench.tables import PARTS, report
from bench.work import NAMES, ROOT, Work, every
from tracepane.record.process import find_python

RESULT = ROOT / "build" / "bench" / "result.json"


def main() -> None:
    """Measure, print, keep."""
    given = _arguments().parse_args()
    if given.read:
        result = json.loads(given.read.read_text("utf-8"))
    else:
        for result in measure(given.only, given.repeat, given.steps, given.engine):
            keep(result, given.output)
    print(report(result, "en"))
    if given.fill:
        fill(result)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").partition("\n")[0])
    names = (*PARTS, *NAMES, "prepare_context")
    parser.add_argument(
        "--only", nargs="+", choices=names, default=[], metavar="NAME", help=f"some of: {', '.join(names)}"
    )
    parser.add_argument(
        "--repeat", type=int, default=5, help="fresh processes for each figure, of which the median is given"
    )
    parser.add_argument("--steps", type=int, default=1_000_000, help="the largest trace of scale, million and walk")
    parser.add_argument("--engine", default="chromium", help="the browser of boot and million, as Playwright names it")
    parser.add_argument("-o", "--output", type=Path, default=RESULT, help="where the result goes")
    parser.add_argument("--read", type=Path, help="measure nothing: show (and fill in) this result")
    parser.add_argument("--fill", action="store_true", help="write the tables into the page on benchmarks")
    return parser


def keep(result: dict[str, Any], path: Path) -> None:
    """Write what there is by now: who stops a long run keeps the parts that are over."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1), "utf-8")
    say(f"the figures are in {path}")


def say(text: str) -> None:
    """Show progress at once, also when the output is a pipe."""
    print(f"[bench] {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def measure(only: list[str], repeat: int, steps: int, engine: str) -> Iterator[dict[str, Any]]:
    """Everything that is asked for, in one run; the result so far after each part."""
    python = find_python()
    began, load_before = time.time(), load()
    works = [work for work in every() if work.name in only or not set(only) - set(PARTS)]
    parts = [part for part in PARTS if part in only] or ([*PARTS] if not only else ["native"])
    peers = [_install(python, pin) for pin in pins()] if {"native", "inside"} & {*parts} else []
    measurer = Native(python, ROOT / "build" / "bench" / "recorder.zip")
    result: dict[str, Any] = {"repeat": repeat, "machine": describe(python)}
    result["peers"] = [[peer.name, peer.version, peer.reason, peer.pure] for peer in peers]
    for part in parts:
        say(f"== {part}")
        result[part] = _measure(part, measurer, works, peers, repeat, steps, engine)
        yield {**result, "load": [load_before, load()], "minutes": round((time.time() - began) / 60, 1)}


def _install(python: str, pin: str) -> Peer:
    peer = install(python, pin)
    say(f"{pin}: {peer.reason or 'installed'}")
    return peer


def _measure(
    part: str, measurer: Native, works: list[Work], peers: list[Peer], repeat: int, steps: int, engine: str
) -> Any:
    rounds = min(repeat, 5)
    ways: dict[str, Callable[[], Any]] = {
        "native": lambda: native(measurer, works, peers, repeat, say),
        "inside": lambda: inside(measurer, works, peers, min(repeat, 3), say),
        "scale": lambda: scale(measurer, steps, min(repeat, 3), say),
        "boot": lambda: boot.measure(rounds, engine),
        "million": lambda: pages.measure(steps, engine),
        "walk": lambda: walk.measure(rounds, steps),
    }
    return ways[part]()


if __name__ == "__main__":
    main()
