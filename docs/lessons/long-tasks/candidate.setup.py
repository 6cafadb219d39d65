"""Write down the records and what the program knows; then let the candidate differ as the scenario says."""

from dataclasses import replace

from candidate import Base, Candidate, Entry, Record

records = {
    "message 1": Record("1", "Say why the station gives no more numbers. Wait at most 60 seconds for it."),
    "message 5": Record("1", "No, wait at most 30 seconds."),
    "result 3": Record("v3", "08:39 温度 17.9\n08:40 温度 nan"),
    "result 6": Record("1", "restart sent; the line went dead before an answer came"),
}
known = {
    "goal": {"goal": Entry("say why the station gives no more numbers", "message 1", "1")},
    "corrections": {"wait": Entry("30 seconds, not 60", "message 5", "1")},
    "fields": {"wait_s": Entry(30, "message 5", "1"), "first_nan": Entry("08:40", "result 3", "v3")},
    "evidence": {"nan": Entry("08:40 温度 nan", "result 3", "v3")},
    "decisions": {"restart": Entry("restart the station once", "result 3", "v3")},
    "open_actions": {"restart": Entry("sent, no answer", "result 6", "1")},
    "unknowns": {"restart": Entry("has it restarted?", "result 6", "1")},
}
base = Base(7, known)

parts = {part: dict(entries) for part, entries in known.items()}
if differs == "correction lost":
    del parts["corrections"]["wait"]
elif differs == "version":
    parts["evidence"]["nan"] = replace(known["evidence"]["nan"], version="v2")
elif differs == "quotation":
    parts["evidence"]["nan"] = replace(known["evidence"]["nan"], value="08:40 temperature nan")
elif differs == "tidied up":
    parts["open_actions"]["restart"] = replace(known["open_actions"]["restart"], value="done")
elif differs == "decision":
    parts["decisions"]["restart"] = replace(known["decisions"]["restart"], value="never restart the station")
candidate = Candidate(7, parts, summary="Numbers until 08:39. A restart was sent, its effect is unknown.")
