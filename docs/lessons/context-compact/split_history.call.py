"""Cut the history and print what came out."""

from story import QUESTION

from s08.core.runtime import split_history

parts = split_history(messages, keep_recent=1)

for name in ("older", "recent"):
    for request, response in parts[name]:
        calls = [block["id"] for block in request["content"]]
        results = [block["tool_use_id"] for block in response["content"]]
        print(f"{name}: calls {calls}, results {results}")

parts["question"]["content"] = "Something else"  # a copy: the history does not notice
print("history unchanged:", messages[0]["content"] == QUESTION)
