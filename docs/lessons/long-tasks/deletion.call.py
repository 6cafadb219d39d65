"""Delete the log, then follow the reference that still stands in the history."""

from store import Deleted

try:
    grave = store.delete("station.log", "v3", rule=rule, at="2026-12-03T00:00:00Z")
    print("deleted; copies that remain:", list(grave.remaining))
except (ValueError, Deleted) as error:
    print(f"{type(error).__name__}: {error}")

try:
    print("the reference leads to", len(Store(path).load(ref).data), "bytes")
except Deleted as error:
    print("the reference says:", error)

print("a line of the log in the file:", log.data[:16] in path.read_bytes())
