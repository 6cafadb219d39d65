"""Fold the log, then come back as a new process would: with the file, and nothing else."""

from station import WIDE

from practices import Budget, expand
from store import Outline

material = kept.material
size = len(material.data)


def fold_with(store):
    """Fold the whole entry and say how that went."""
    done = store.fold_away(kept, 0, size, Outline("team", "one morning", "why it ends in nan"), WIDE)
    print(f"{done.status}: {len(done.content)} bytes of {size} stand in the input. {done.reason}".rstrip())
    return done


first = fold_with(store)

other.close()  # the other program ends, and its lock with it
again = Store(path)

if first.ref is None:
    print("Later, with room and without the lock:")
    first = fold_with(again)
if first.ref is not None:
    end = first.ref.end
    small = Budget(bytes_limit=64, token_estimate_limit=16)
    fragment = expand(first.ref, again.load(first.ref), allowed=["team"], budget=small, start=end - 34, end=end)
    print("expanded:", fragment.decode())
