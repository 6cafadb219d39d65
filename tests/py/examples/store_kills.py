"""Kill a process that writes to the store, at every point that can be aimed at, and look at what is left.

Runs as a program of its own: its argument is a folder, its output a JSON object of counts for each way of aiming. For
each point a child is forked, which does a fixed list of operations, says through a pipe which ones were confirmed,
and is killed at that point. What the store then holds must fit to what was confirmed.
"""

import json
import os
import resource
import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "docs" / "book" / "v2"))

import store as subject
from practices import Budget, Material
from store import Deleted, Kept, NotKept, Outline, Store

SMALL = Kept(Material("small", b"a result of the tool" * 40, "v1", "2026-11-02T08:15:00Z"), "business content")
LARGE = Kept(Material("large", bytes(range(256)) * 1024, "v1", "2026-11-02T08:16:00Z"), "protocol message")
FIRST = Kept(Material("first", b"an older result", "v1", "2026-11-02T08:00:00Z"), "business content")
WIDE = Budget(10_000, 10_000)


class Aimed(Store):
    """The store, with a function that SQLite calls at each step of its own machine."""

    def connect(self):
        """Open as the store does, and count steps."""
        db = super().connect()
        db.set_progress_handler(countdown, 1)
        return db


left = -1


def countdown(*_):
    """Kill this process when the count is at its end."""
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


def at_line(point):
    """Aim at a line of the store's own code."""
    global left
    left = point

    def see(frame, event, _arg):
        if frame.f_code.co_filename != subject.__file__:
            return None
        if event == "line":
            countdown()
        return see

    sys.settrace(see)
    return Store


def at_step(point):
    """Aim at a step of SQLite's virtual machine, within a statement (one in three, to be quick)."""
    global left
    left = 3 * point
    return Aimed


def at_byte(point):
    """Aim at a byte of a file: the kernel ends a process that writes past it, in the middle of SQLite's COMMIT."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (point * 9_973, point * 9_973))
    return Store


def operations(kind, path, say):
    """Do what the child does, and say what was confirmed."""
    opened = kind(path)
    for kept in (SMALL, LARGE):
        fold = opened.fold_away(kept, 0, 10, Outline("team", "all", "nothing"), WIDE)
        say(f"{fold.status} {kept.material.id}")
    opened.delete("first", "v1", rule="older than 30 days", at="2026-12-02T00:00:00Z")
    say("deleted first")


def run(aim, point, path):
    """Fork, aim, work. Return how the child ended (a signal, or 0) and what it had confirmed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        operations(aim(point), path, lambda text: os.write(writing, f"{text}\n".encode()))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode().split("\n")[:-1]
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, told


def kill_when_journal_appears(path, spins):
    """Kill a child from outside, some turns of a loop after its rollback journal appeared: within a write."""
    child = os.fork()
    if child == 0:
        operations(Store, path, lambda _: None)
        os._exit(0)
    ended = (0, 0)
    while not Path(f"{path}-journal").exists() and ended[0] == 0:
        ended = os.waitpid(child, os.WNOHANG)
    for _ in range(spins):
        pass
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)
    return os.WTERMSIG(ended[1]) if os.WIFSIGNALED(ended[1]) else 0, []


def look(path, told):
    """Return which entries there are, after checking that they are whole and fit to what was confirmed."""
    opened = Store(path)  # a new process would do just this
    with opened.writing() as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = []
    for kept in (FIRST, SMALL, LARGE):
        name = kept.material.id
        try:
            entry = opened.find(name, "v1")
        except NotKept:
            entry = None
        except Deleted as error:
            entry = error.tombstone
        if entry is None:
            assert f"committed {name}" not in told, f"{name} was confirmed and is lost"
        elif entry == kept:  # whole, never half
            found.append(name)
        else:
            assert (name, entry.rule) == ("first", "older than 30 days")
            found.append("tombstone")
    assert ("deleted first" in told) <= ("tombstone" in found)
    assert ("first" in found) != ("tombstone" in found), "an entry or its tombstone, one of the two"
    return found


def main(folder):
    """Go through all the points of each way of aiming, up to the first at which the child gets through alive."""
    folder, report = Path(folder), {}
    template, path = folder / "template.db", folder / "store.db"
    Store(template).keep(FIRST)

    def points(way, count, until_alive=True):
        seen = {"points": 0, "journals": 0, "outcomes": {}}
        for point in range(1, count + 1):
            for rest in folder.glob("store.db*"):
                rest.unlink()
            shutil.copy(template, path)
            ended, told = way(point)
            if ended == 0 and until_alive:
                break
            assert ended in (0, signal.SIGKILL, signal.SIGXFSZ)
            seen["points"] += 1
            seen["journals"] += Path(f"{path}-journal").exists()
            outcome = "+".join(look(path, told))
            seen["outcomes"][outcome] = seen["outcomes"].get(outcome, 0) + 1
        return seen

    for aim in (at_line, at_step, at_byte):
        report[aim.__name__] = points(lambda point, aim=aim: run(aim, point, path), 2_000)
    report["journal"] = points(lambda point: kill_when_journal_appears(path, point**3), 20, until_alive=False)
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
