"""An interpreter that starts from a kept memory runs a program as one that starts from nothing does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from worker_page import WorkerPage

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

    from tracepane.check.server import Served

# One program of many parts, so that one plain boot is enough to compare with.
PROGRAM = """
import collections, contextvars, dataclasses, datetime, decimal, enum, gc, json, logging, re, threading, zlib
import asyncio, os, random, secrets, sys, tempfile, time, uuid

print(random.random(), random.Random().random(), random.sample(range(100), 5), random.SystemRandom().random())
print(uuid.uuid4(), uuid.uuid1(), os.urandom(4), secrets.token_hex(4), os.path.basename(tempfile.mkdtemp()))

print(time.time(), time.monotonic(), time.perf_counter(), time.process_time(), time.localtime(), time.tzname)
print(sorted(os.environ.items()), os.getcwd(), sys.argv, sys.path, sys.flags, __name__, sys.getrecursionlimit())
print(sorted(sys.modules))
with open("a.txt", "w") as file:
    file.write("text")
print(os.listdir(), os.stat("a.txt").st_mtime, datetime.datetime.now())

words = {"one", "two", "three", "four", "five"}
print(list(words), [hash(word) for word in sorted(words)], frozenset(range(20, 0, -3)), hash((1, "x")), hash(1.5))

def down(n):
    global deepest
    deepest = n
    down(n + 1)

try:
    down(0)
except RecursionError as error:
    print(deepest, error)

variable = contextvars.ContextVar("variable", default=0)

async def one(n):
    variable.set(n)
    await asyncio.sleep(3 - n)
    return variable.get(), asyncio.current_task().get_name()

async def every():
    print(await asyncio.gather(*(one(n) for n in range(3))), asyncio.get_running_loop().time())

asyncio.run(every())

@dataclasses.dataclass
class Point:
    x: int

    def __del__(self):
        print("gone", self.x)

pair = [Point(1)]
pair.append(pair)
del pair
print(gc.collect() > 0, json.dumps({"a": [1.5, None]}), decimal.Decimal(1) / 7, re.sub("b+", "-", "abba"))
with threading.Lock():
    logging.warning("said %s", zlib.crc32(b"x"))
"""


def test_a_run_from_a_snapshot_gives_the_same_trace(cold_page: WorkerPage, tmp_path: Path) -> None:
    """Chance, clock, environment, order of sets, depth of recursion, tasks, modules: byte for byte."""
    plain = cold_page.run(tmp_path, PROGRAM)
    cold_page.until_idle()
    cold_page.run(tmp_path, "print('the one whose memory was kept')")
    cold_page.until_idle()
    assert boots(cold_page) == {"plain": 2, "snapshot": 1}
    restored = cold_page.run(tmp_path, PROGRAM)
    assert plain.end["status"] == "finished", plain.end
    first, second = plain.expand(), restored.expand()
    assert second["stdout"] == first["stdout"]
    assert second["events"] == first["events"]
    assert restored.end["digest"] == plain.end["digest"]


def test_the_next_visit_starts_from_the_snapshot(cold_page: WorkerPage, tmp_path: Path) -> None:
    """It is on the device; the first interpreter of another page starts from it."""
    warm_and_keep(cold_page)
    other = visit(cold_page)
    assert other.run(tmp_path, "print(1)").expand()["stdout"] == "1\n"
    assert boots(other)["plain"] == 0


# The pages of the kept memory, from the hundredth on, overwritten; the checksum is right.
RUIN = """async () => {
    const cache = await caches.open("tracepane-snapshots");
    const [request] = await cache.keys();
    const words = new Uint32Array(await (await cache.match(request)).arrayBuffer());
    words.fill(0xffffffff, 4 + words[2] + 100 * 1024);
    let [mixed, total] = [words.length, 0];
    words.forEach((word, at) => {
        if (at === 3) return;
        mixed = (Math.imul(mixed, 0x85ebca6b) + word) | 0;
        total = (total + (mixed ^ (mixed >>> 15))) | 0;
    });
    words[3] = (mixed ^ total) >>> 0;
    await cache.put(request, new Response(words));
}"""
DAMAGE = """async () => {
    const cache = await caches.open("tracepane-snapshots");
    const [request] = await cache.keys();
    const bytes = new Uint8Array(await (await cache.match(request)).arrayBuffer());
    bytes[bytes.length >> 1] ^= 4;
    await cache.put(request, new Response(bytes));
}"""


@pytest.mark.parametrize("harm", [DAMAGE, RUIN], ids=["a bit", "a memory that does not work"])
def test_a_bad_snapshot_is_replaced(cold_page: WorkerPage, tmp_path: Path, harm: str) -> None:
    """The reader notices nothing: the interpreter starts from nothing, and what the next one gives is kept."""
    warm_and_keep(cold_page)
    cold_page.page.evaluate(harm)
    other = visit(cold_page)
    assert other.run(tmp_path, "print(1)").expand()["stdout"] == "1\n"
    other.until_idle()
    assert boots(other) == {"plain": 2, "snapshot": 0}
    other.page.evaluate(KEPT)
    third = visit(other)
    third.warm()
    assert boots(third) == {"plain": 0, "snapshot": 1}


def test_without_a_storage_a_page_keeps_it_for_itself(page: Any, site: Served, tmp_path: Path) -> None:
    """No Cache Storage, as on an origin that is not secure: each visit starts plainly once."""
    page.add_init_script("delete CacheStorage.prototype.open; Object.defineProperty(globalThis, 'caches', {})")
    lone = WorkerPage(page, site)
    lone.warm()
    lone.run(tmp_path, "print(1)")
    lone.until_idle()
    assert boots(lone) == {"plain": 1, "snapshot": 1}


# Settles when the snapshot is on the device, which the page waits for no more than its reader does.
KEPT = """async () => {
    const cache = await caches.open("tracepane-snapshots");
    for (let frame = 0; frame < 600; frame++) {
        if ((await cache.keys()).length === 1) return;
        await new Promise(requestAnimationFrame);
    }
    throw new Error("nothing was kept");
}"""


def warm_and_keep(page: WorkerPage) -> None:
    """Have the page start an interpreter and keep its memory on the device."""
    page.warm()
    page.page.evaluate(KEPT)


def visit(page: WorkerPage) -> WorkerPage:
    """Another page of the same site, on the same device."""
    context: BrowserContext = page.page.context
    return WorkerPage(context.new_page(), page.site)


def boots(page: WorkerPage) -> dict[str, int]:
    """How the page's interpreters were started."""
    return dict(page.page.evaluate("() => tracepane.runtime.boots"))
