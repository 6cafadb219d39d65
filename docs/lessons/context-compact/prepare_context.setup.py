"""Build the history of the scenario, the snapshots' writer, the summary and the counters."""

from story import log, pair, question, reading

from s08.core.runtime import archive_writer, context_state

BUDGET = 1600  # bytes

short = [(f"logs/{number:02}.txt", log(f"Log {number}", 2)) for number in range(1, 8)]
large = [("logs/monday.txt", log("Mon", 20)), ("logs/tuesday.txt", log("Tue", 20)), ("main.py", "print(6 * 7)")]
texts = {
    "fits": short[:3],
    "trimmed": large,
    "summary": short,
    "blank": short,
    "archive": large,
    "used_up": short,
    "recent": [("logs/all.txt", log("All", 40))],
}[scenario]

messages = [question()]
for number, (path, text) in enumerate(texts, start=1):
    messages += pair(reading(number, path, text))

# The writer is real. One scenario gives it less room than the history needs: it really fails.
save = archive_writer(".context", limit=500 if scenario == "archive" else 1_000_000)
state = context_state(max_summaries=2)
if scenario == "used_up":
    state["summaries"] = 2  # earlier requests of this run have spent them


def summarize(older):
    """Stand in for a model: the same text whatever the messages say, and once a blank one."""
    if scenario == "blank":
        return "  \n"
    return f"The agent read {len(older) // 2} logs. No job had a warning. Nothing was run yet."
