"""Build the history of the scenario and save a snapshot of it: trimming asks for its receipt."""

from story import log, pair, question, reading

from s08.core.runtime import archive_writer

small = reading(1, "main.py", "print(6 * 7)")
large = reading(2, "logs/monday.txt", log("Mon", 20))
broken = reading(3, "logs/friday.txt", "Cut off while reading.\n" + log("Fri", 20), is_error=True)

if scenario == "old":
    messages = [question(), *pair(large), *pair(small)]
elif scenario == "error":
    messages = [question(), *pair(broken, small), *pair(reading(4, "expected.txt", "42"))]
elif scenario == "recent":
    messages = [question(), *pair(small), *pair(large)]
elif scenario == "no_receipt":
    messages = [question(), *pair(large), *pair(small)]

save = archive_writer(".context")  # a real file in the workspace of this run
receipt = "" if scenario == "no_receipt" else save(messages)
print("snapshot saved:", receipt or "none")
