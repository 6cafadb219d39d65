"""The coordinator commits what it is handed, one after the other, and keeps only what a commit returns."""

from practices import CandidateRefused, commit_compression

if story == "goal changes":  # the user has said something new: that is a revision too
    current = Snapshot.capture(8, **{**parts, "goal": "repair the station"})

handed_in = {
    "one": [(first, 7)],
    "two": [(first, 7), (second, 7)],
    "second insists": [(first, 7), (second, 8)],
    "goal changes": [(first, 8)],
}[story]

for candidate, expected_revision in handed_in:
    before = current
    try:
        current = commit_compression(current, candidate, expected_revision)
        print(f"committed: {before.revision} -> {current.revision}; the old snapshot still says {before.revision}")
    except CandidateRefused as error:
        print(f"{type(error).__name__}: {error}")
        print("nothing changed:", current is before)
