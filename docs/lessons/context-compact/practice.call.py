"""Run the parent to its end and print what was done with its history."""

from s08.user_code.agents import run_parent
from s08.user_code.files import Files
from s08.user_code.host import Host

host = Host(Files("."), models.summary, decide, start, budget=budget, max_summaries=summaries)
ended = run_parent(host, models, messages, plan)

for note in host.preparations:
    done = "summarised" if note["summarised"] else "trimmed" if note["receipts"] else "fits"
    done = done if "after" in note else "failed, not sent"
    print(f"request {note['request']}: {note['before']} -> {note.get('after', '-')} bytes, {done}")
print("requests:", requests, "- started:", host.outcome is not None)
print(f"status: {ended['status']} {ended['error'] or ''}")
print(ended["answer"])
