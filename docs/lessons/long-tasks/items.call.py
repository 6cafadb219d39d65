"""Take the answer, change the record as the scenario says, and check it as the next request would."""

from continuation import ContinuationChanged

record = adapter.take([question], answer)
for item in adapter.held[0]:
    print(f"{item.kind}: {item.text}")

if scenario == "signature":
    record[1]["content"][0] = {"type": "thinking", "thinking": "The last value is nan."}  # "what is that for?"
elif scenario == "dropped":
    del record[1]["output"][0]["encrypted_content"]  # "nobody can read it anyway"
elif scenario == "shortened":
    record[1]["reasoning_content"] = "It is the sensor."  # "the rest is chatter"

try:
    adapter.check(record)
    print("the record carries all of it")
except ContinuationChanged as error:
    print("ContinuationChanged:", error)
print("against a rewrite:", adapter.objection(task_needs_tools=True))
