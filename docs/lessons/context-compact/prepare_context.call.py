"""Prepare the next request as the loop does: commit a success, keep the history after a failure."""

import copy

from story import QUESTION

from s08.core.runtime import history_bytes, prepare_context

before = copy.deepcopy(messages)
print(f"history: {len(messages)} messages, {history_bytes(messages)} bytes; the budget is {BUDGET}")

try:
    candidate = prepare_context(messages, QUESTION, state, save, summarize, budget=BUDGET)
    print("input unchanged:", messages == before)
    messages[:] = candidate  # what the loop does: all of it, at one moment
    print(f"committed: {len(messages)} messages, {history_bytes(messages)} bytes")
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    print("input unchanged:", messages == before, "- the request is not sent")

print("snapshots:", state["archives"])
print(f"summaries used: {state['summaries']} of {state['max_summaries']}")
