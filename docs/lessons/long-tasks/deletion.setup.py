"""Keep the log and note its copies; fold it, so that there is a reference that outlives it."""

import tempfile
from dataclasses import replace
from pathlib import Path

from station import WIDE, reading

from store import Kept, Outline, Store

path = Path(tempfile.mkdtemp()) / "store.db"
store = Store(path)
log = reading()
size = len(log.data)
outline = Outline("team", "one morning", "why it ends in nan")
ref = store.fold_away(Kept(log, "business content"), 0, size, outline, WIDE).ref
rule = "raw logs go after 30 days"

if scenario == "copies":
    public = replace(log, id="station.log (public)", data=log.data.replace(b"nan", b"***"))
    store.keep(Kept(public, "redacted copy", transformed="the broken value", made_from="station.log"))
    store.note_copy("station.log", "v3", "Monday's backup tape")
elif scenario == "no_rule":
    rule = ""
elif scenario == "twice":
    store.delete("station.log", "v3", rule=rule, at="2026-12-02T00:00:00Z")
