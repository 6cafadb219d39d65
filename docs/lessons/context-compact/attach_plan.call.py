"""Attach the plan to a request; one scenario keeps that request as its history and goes on with it."""

from s05.core.plan import attach_plan
from s08.core.runtime import history_bytes, split_history

request = attach_plan(messages, state)

last = request[-1]["content"]
print("the request's last message ends with:", repr(last if isinstance(last, str) else last[-1]["text"]))
print(f"history: {history_bytes(messages)} bytes; messages of the request: {history_bytes(request)} bytes")
if scenario == "kept":
    messages[:] = request  # wrong: the plan is in the history now
print("the history can be cut:", len(split_history(messages)["recent"]), "recent pair(s)")
