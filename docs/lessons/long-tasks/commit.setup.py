"""One coordinator holds the current snapshot; two candidates are made from it, side by side."""

from practices import CompressionCandidate, Snapshot, validate_compression

parts = {"goal": "say why the station gives no more numbers", "fields": {"log": "station.log"}, "unknown": []}
current = Snapshot.capture(7, **parts)

first = CompressionCandidate.propose(7, **parts, summary="Numbers until 08:39, then nan.")
second = CompressionCandidate.propose(7, **parts, summary="41 lines, the last one is nan.")
for candidate in (first, second):
    validate_compression(current, candidate)  # both are good, now
