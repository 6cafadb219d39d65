"""Take a snapshot of what must survive, and make the candidate of the scenario."""

from practices import CompressionCandidate, Snapshot

goal = "say why the station gives no more numbers"
fields = {"log": "station.log", "version": "v3", "first_nan": "08:40", "limit_s": 30}
unknown = ["is the sensor broken?"]
snapshot = Snapshot.capture(7, goal, fields, unknown)

summary = {
    "right": "41 lines read. Numbers until 08:39, nan at 08:40. Nothing is known of the sensor.",
    "wrong": "41 lines read. All of them are fine.",
}[wording]
told = {
    "nothing": (7, goal, fields, unknown),
    "revision": (6, goal, fields, unknown),
    "field": (7, goal, {**fields, "limit_s": 30.0}, unknown),
    "unknown": (7, goal, fields, []),
}[differs]
candidate = CompressionCandidate.propose(*told, summary=summary)
