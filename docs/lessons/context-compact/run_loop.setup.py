"""Give the loop a history, a tool, a fixed model, and a preparation that succeeds or fails."""

from story import QUESTION, log, question, reading

from s08.core.runtime import archive_writer, context_state, prepare_context

BUDGET = 1600  # bytes
LOGS = {"logs/monday.txt": log("Mon", 20), "logs/tuesday.txt": log("Tue", 20)}

messages = [question()]
state = context_state()

# The writer is real. One scenario gives it less room than the history needs: it really fails.
save = archive_writer(".context", limit=500 if scenario == "raises" else 1_000_000)


def read_file(path):
    """Return a log."""
    return LOGS[path]


def model(request):
    """Stand in for a model: read one log after the other, then answer, whatever they say."""
    done = len(request) // 2
    if scenario == "cut" and done == len(LOGS):
        raise ConnectionError("the line was cut")
    if done == len(LOGS):
        return [{"type": "text", "text": "Both logs are read."}]
    call, _result = reading(done + 1, list(LOGS)[done], "")
    return [call]


def prepare(given):
    """Prepare a candidate. One scenario has the bug that everybody writes once."""
    candidate = prepare_context(given, QUESTION, state, save, lambda _older: "Logs were read.", budget=BUDGET)
    if scenario == "no_list" and state["archives"]:
        return None  # the candidate is ready, and nobody returns it
    return candidate
