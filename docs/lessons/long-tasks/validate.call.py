"""Validate the candidate and print how much that says."""

from practices import CandidateRefused, validate_compression

try:
    print(validate_compression(snapshot, candidate))
    print("summary:", candidate.summary)
except CandidateRefused as error:
    print(f"{type(error).__name__}: {error}")
    print("the snapshot stays as it is, at revision", snapshot.revision)
