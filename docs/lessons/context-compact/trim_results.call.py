"""Trim the history and print, result by result, what became of it."""

from s08.core.runtime import trim_results

candidate = trim_results(messages, receipt, keep_recent=1, max_chars=600)

for index in range(2, len(messages), 2):
    for before, after in zip(messages[index]["content"], candidate[index]["content"], strict=True):
        told = "left alone" if after == before else f"now {len(after['content'])}"
        print(f"message {index}, {after['tool_use_id']}: {len(before['content'])} characters, {told}")
        print(f"    is_error {after['is_error']}; {after['content'][:50]}")
