"""A run with two calls behind it, a rewrite made from it, and a tool that is a real generator: it can be half done."""

from dataclasses import replace
from pathlib import Path

from boundary import Basis, Moment, Rewrite, Selected, record_keeper
from practices import canonical_json

messages = [
    {"role": "user", "content": "Say why the station gives no more numbers."},
    {"role": "assistant", "content": "call_1: read station.log"},
    {"role": "user", "content": "result of call_1: " + "08:01 温度 17.1 ... " * 30},
]
selected = Selected(messages)
basis = Basis(7, 2, canonical_json({"wait_s": 30}), open_actions=("restart",), unknowns=("has it restarted?",))
rewrite = Rewrite(basis, [messages[0], {"role": "user", "content": "Summary: numbers until 08:39, then nan."}])


def ask_station():
    """Send the question, and take the answer when somebody comes back for it."""
    yield "sent"
    yield "result of call_2: nan"


# The keeper of records is real. One scenario gives it less room than the record needs: it really fails.
folder = Path("records")
save = record_keeper(folder, limit=500 if trouble == "no room" else 1_000_000)

now = {
    "none": Moment(basis),
    "in flight": Moment(basis, in_flight=("call_2",)),
    "unresolved": Moment(basis, unresolved=("call_2",)),
    "objection": Moment(basis, objection="this interface wants its reasoning back in full"),
    "goal": Moment(replace(basis, goal_revision=3)),
    "no room": Moment(basis),
}[trouble]
