"""Run the loop and print what became of the history."""

from s01.core.runtime import run_loop
from s08.core.runtime import history_bytes

ended = run_loop(messages, model, {"read_file": read_file}, prepare=prepare)

print(f"status: {ended['status']}, requests sent: {ended['calls']}")
print(f"answer: {ended['answer']!r}, error: {ended['error']}")
print(f"this file's own list: {len(messages)} messages, {history_bytes(messages)} bytes")
print("the first log in it:", messages[2]["content"][0]["content"][:40])
print("snapshots:", state["archives"])
