"""Write the ledger of a morning, then make the candidate of the scenario from it."""

from dataclasses import replace

from candidate import Entry
from ledger import Ledger

ledger = Ledger("ledger.jsonl")
ledger.intend("act-1", "read station.log", effects=False)
ledger.settle("act-1", "done", "the last line is nan")
ledger.intend("act-2", "mail the technician", effects=True)
ledger.settle("act-2", "unknown")  # the connection broke after the mail was handed over
ledger.intend("act-3", "watch the sensor until noon", effects=False)

parts = ledger.project()
unknown = parts["unknowns"]["act-2"]

if scenario == "left_out":
    del parts["unknowns"]["act-2"]  # "the technician was told"
elif scenario == "made_up":
    parts["open_actions"]["act-4"] = Entry("restart the station", "act-4", "line 6")
elif scenario == "reworded":
    parts["unknowns"]["act-2"] = replace(unknown, value="mail the technician again")
elif scenario == "older":
    ledger.settle("act-3", "failed", "no sensor")  # since the candidate was made
