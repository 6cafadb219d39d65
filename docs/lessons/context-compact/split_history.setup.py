"""Build the history of the scenario: what the agent has seen so far."""

from story import pair, question, reading

messages = [
    question(),
    *pair(reading(1, "logs/monday.txt", "12 jobs, all passed")),
    *pair(reading(2, "logs/tuesday.txt", "12 jobs, 1 was slow")),
    *pair(reading(3, "main.py", "print(6 * 7)")),
]

if scenario == "missing":
    messages.pop()  # the model has called, the tool has not answered yet
elif scenario == "mismatch":
    messages[4]["content"][0]["tool_use_id"] = "call_9"  # an answer to a call that nobody made
elif scenario == "several":
    messages[1:5] = pair(
        reading(1, "logs/monday.txt", "12 jobs, all passed"),
        reading(2, "logs/tuesday.txt", "12 jobs, 1 was slow"),
        reading(4, "logs/friday.txt", "no such file", is_error=True),
    )
    messages[2]["content"].reverse()  # results may come back in any order
