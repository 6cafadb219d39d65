"""Give both readers trace files that are damaged, forged or made up, and see that none is read wrongly.

Usage: fuzz.py [--count 100000] [--seed 0] [--only NUMBER]

A reader may refuse a file with a TraceError, or read from it what the good file holds, which the digest tells. Anything
else is a failure: another error, a value that differs, or a hang. Seed and number make a file again.
"""

from __future__ import annotations

import argparse
import resource
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from damage import File, files

from tracepane.record.format import container
from tracepane.record.trace import Trace, TraceError
from tracepane.record.trace.query import Queries

ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "tests" / "gold"
BATCH = 500
PATIENCE = 60  # seconds that one batch of either reader may take at most before it counts as a hang
MEMORY = 3 << 30  # bytes that this process may have: a file of some kilobytes must not ask for more
MOST = 50  # failures that are shown
REFUSED, SAME, OTHER, WRONG, BROKEN = "refused", "the same", "another trace", "WRONG VALUE", "OTHER ERROR"


def good_files() -> list[bytes]:
    """The gold traces, as files and as streams of plain chunks."""
    found = []
    for path in sorted(GOLD.glob("*.trace")):
        trace = Trace.load(path)
        found += [trace.pack(), as_stream(trace)]
    return found


def as_stream(trace: Trace) -> bytes:
    """The trace as records that a run hands out, with their checksums."""
    parts = [container.MAGIC, container.pack(container.HEADER, container.write_json(trace.header))]
    parts += [container.pack(container.CHUNK, chunk) for chunk in trace.chunks()]
    return b"".join([*parts, container.pack(container.END, container.write_json(trace.end))])


class Python:
    """Our own reader in this process."""

    name = "Python"

    def __init__(self, bases: Sequence[bytes]) -> None:
        """`bases` are the good files."""
        self._good = [Trace.parse(data) for data in bases]

    def read(self, batch: Sequence[File]) -> list[tuple[str, str]]:
        """For each file the verdict, and what was said."""
        return [self._one(file) for file in batch]

    def _one(self, file: File) -> tuple[str, str]:
        try:
            trace = Trace.parse(file.data)
            trace.expand()
            queries = Queries(trace)
            for step in {0, trace.steps // 2, trace.steps - 1} & set(range(trace.steps)):
                queries.variables(step)
        except TraceError as error:
            return REFUSED, str(error)
        except Exception as error:
            return BROKEN, f"{type(error).__name__}: {error}"
        return judged(trace, self._good[file.base], file.how == "damaged"), ""


def judged(trace: Trace, good: Trace, strict: bool) -> str:
    """Whether an accepted trace is the good one, or honestly another one: forged together with its digest."""
    if trace.columns == good.columns and (not strict or (trace.header, trace.end) == (good.header, good.end)):
        return SAME
    return WRONG if strict or trace.end.get("digest") == good.end["digest"] else OTHER


class TypeScript:
    """The browser's reader, in a process of Node that is given file after file."""

    name = "TypeScript"

    def __init__(self, bases: Sequence[bytes]) -> None:
        """Start Node and give it the good files."""
        command = ["node", "--max-old-space-size=1500", "--import", "tsx", str(ROOT / "tests" / "site" / "fuzz.ts")]
        self._node = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send(struct.pack("<I", len(bases)), *(struct.pack("<I", len(base)) + base for base in bases))

    def read(self, batch: Sequence[File]) -> list[tuple[str, str]]:
        """For each file the verdict, and what was said."""
        records = (struct.pack("<IBI", file.base, file.how == "damaged", len(file.data)) + file.data for file in batch)
        feeder = threading.Thread(target=self._send, args=tuple(records))
        feeder.start()
        found = [self._answer() for _ in batch]
        feeder.join()
        return found

    def _send(self, *parts: bytes) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(b"".join(parts))
        self._node.stdin.flush()

    def _answer(self) -> tuple[str, str]:
        assert self._node.stdout is not None
        line = self._node.stdout.readline().decode().rstrip("\n")
        verdict, _, said = (line or f"{BROKEN}\tNode ended without an answer").partition("\t")
        return verdict, said

    def close(self) -> None:
        """End Node."""
        assert self._node.stdin is not None
        self._node.stdin.close()
        self._node.wait(PATIENCE)

    def kill(self) -> None:
        """End Node at once."""
        self._node.kill()


def fuzz(count: int, seed: int, only: Iterable[int] = (), *, progress: bool = False) -> list[str]:
    """Read the files with both readers. What went wrong, as lines. With `progress`, memory is bounded, too."""
    bases = good_files()
    numbers = list(only) or list(range(count))
    node = TypeScript(bases)
    readers = (Python(bases), node)
    totals: dict[str, Counter[str]] = {reader.name: Counter() for reader in readers}
    wrong: list[str] = []
    begun = time.monotonic()
    if progress:  # Node, which asks for more at its start, runs already
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        for first in range(0, len(numbers), BATCH):
            batch = list(files(bases, seed, numbers[first : first + BATCH]))
            for reader in readers:
                for file, (verdict, said) in zip(batch, watched(reader, batch, node), strict=True):
                    totals[reader.name][verdict] += 1
                    if verdict not in (REFUSED, SAME, OTHER):
                        wrong.append(f"{reader.name}, file {file.number} of seed {seed} ({file.how}): {verdict} {said}")
            if progress:
                show(first + len(batch), len(numbers), time.monotonic() - begun, totals)
        node.close()
    finally:
        node.kill()
    return wrong


def watched(reader: Python | TypeScript, batch: Sequence[File], node: TypeScript) -> list[tuple[str, str]]:
    """The verdicts of a batch; a reader that takes too long ends everything, and says where."""
    timer = threading.Timer(PATIENCE, hang, (reader.name, batch[0].number, batch[-1].number, node))
    timer.start()
    try:
        return reader.read(batch)
    finally:
        timer.cancel()


def hang(name: str, first: int, last: int, node: TypeScript) -> None:
    """Say which batch did not end, and leave."""
    import os

    print(f"\n{name} hangs in one of the files {first} to {last}", file=sys.stderr, flush=True)
    node.kill()
    os._exit(3)


def show(done: int, count: int, seconds: float, totals: dict[str, Counter[str]]) -> None:
    """One line that moves on."""
    words = "; ".join(
        f"{name}: {', '.join(f'{n:,} {what}' for what, n in sorted(t.items()))}" for name, t in totals.items()
    )
    print(f"\r{done:,} of {count:,} files in {seconds:.0f} s; {words}", end="", flush=True)


def main() -> int:
    """Fuzz, and exit with 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, nargs="*", default=[])
    chosen = parser.parse_args()
    wrong = fuzz(chosen.count, chosen.seed, chosen.only, progress=True)
    print()
    print("\n".join(wrong[:MOST]) or "no other error, no hang, no wrong value")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
