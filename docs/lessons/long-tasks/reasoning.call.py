"""Three turns of the user. In the second one no tool is called; before it, the scenario may interfere."""

from continuation import RunStopped

record = []
try:
    for number, text in enumerate(["Why are there no numbers?", "Thanks.", "So what is it?"], start=1):
        record = [*record, {"role": "user", "content": text}]
        if number == 2 and scenario == "shortened":
            record[1] = dict(record[1], reasoning_content="The log.")
        if number == 2 and scenario == "dropped":
            tools = []  # "for a word of thanks it needs none"

        message = service.ask(adapter.request(record, tools))
        record = adapter.take(record, message)
        while message.get("tool_calls"):
            record = [*record, {"role": "tool", "tool_call_id": "call_1", "content": "08:40 nan"}]
            message = service.ask(adapter.request(record, tools))
            record = adapter.take(record, message)
        print(f"    {text} - {message['content']}")
except RunStopped as error:
    print(f"{type(error).__name__}: {error}")
print("the record:", len(record), "messages; the service answered", len(service.given), "times")
