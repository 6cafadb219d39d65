"""Send a mail and lose the answer; then look from a new process at what the ledger says."""

import json
from pathlib import Path

from ledger import Ledger

OUTBOX = Path("outbox.jsonl")  # the mail server's own record, by identity
sent = []


def send(identity):
    """Hand a mail over to the server."""
    sent.append(identity)
    with OUTBOX.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"identity": identity, "state": "done", "receipt": "250 accepted"}) + "\n")


def look_up(identity):
    """Ask the server whether it knows an action: state and receipt, or None when it cannot say."""
    print("looked up:", identity)
    if scenario == "no_answer":
        return None  # it keeps its record for an hour, and that is over
    for line in OUTBOX.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["identity"] == identity:
            return entry["state"], entry["receipt"]
    return "not done", "the server never saw it"


def repeat():
    """Read the log again."""
    print("read again: station.log")
    return "the last line is nan"


OUTBOX.write_text("", encoding="utf-8")
before = Ledger("ledger.jsonl")
before.intend("act-1", "read station.log", effects=False)
before.intend("act-2", "mail the technician", effects=True)
if scenario not in ("never", "known"):
    send("act-2")
if scenario == "known":
    before.settle("act-2", "failed", "the server refused it")

# Here the process ended. Nobody wrote down how the two actions did.
ledger = Ledger("ledger.jsonl")
print("lost:", [action.identity for action in ledger.lose_open()])
identity = "act-1" if scenario == "reading" else "act-2"
