"""Pairs, cuts, stubs and snapshots."""

import json
import re
import tempfile
from pathlib import Path

from s08.core.runtime import archive_writer, checked_exchange, history_bytes, split_history, trim_results
from s08.user_code.checks.ground import BIG, LARGE_OLD, check, expect, history, pair, refuses, result, short


@check("a pair: each call has one result and each result one call, in any order")
def _():
    request, response = pair(result("a"), result("b"))
    response["content"].reverse()
    expect(checked_exchange(request, response) == (request, response))
    for ids in ([], ["a"], ["a", "a"], ["a", "b", "b"], ["a", "c"]):
        refuses(
            checked_exchange, request, {"role": "user", "content": [result(name) for name in ids]}, says="one to one"
        )


@check("a pair: dicts, assistant then user, both contents lists")
def _():
    request, response = pair(result("a"))
    for wrong in (None, [], {**request, "role": "user"}, {**request, "content": "text"}):
        refuses(checked_exchange, wrong, response)
    for wrong in ("text", {**response, "role": "assistant"}, {**response, "content": ()}):
        refuses(checked_exchange, request, wrong)


@check("a pair: text and tool_use before, tool_result after, at least one call")
def _():
    request, response = pair(result("a"))
    refuses(checked_exchange, {**request, "content": [*request["content"], {"type": "image"}]}, response)
    refuses(checked_exchange, request, {**response, "content": [*response["content"], {"type": "text", "text": ""}]})
    refuses(checked_exchange, {**request, "content": []}, {**response, "content": []}, says="at least one")


@check("a pair: ids are distinct texts that are not empty")
def _():
    for name in ("", 7, None):
        refuses(checked_exchange, *pair(result(name)))
    refuses(checked_exchange, *pair(result("a"), result("a")), says="share one id")


@check("a pair: a result's fields have exactly their types; 0 is not False")
def _():
    for field, value in (("content", None), ("content", [BIG]), ("is_error", 0), ("tool_use_id", 1)):
        request, response = pair(result("a"))
        response["content"][0][field] = value
        refuses(checked_exchange, request, response)


@check("a cut: keep_recent is an int from 1 to 4; True is none")
def _():
    for keep in (True, 0, 5, 1.0, "1", None):
        refuses(split_history, short(3), keep, says="keep_recent")
    expect([len(split_history(short(5), keep)["recent"]) for keep in (1, 2, 3, 4)] == [1, 2, 3, 4])


@check("a cut: the first message is the user's, and text")
def _():
    for first in ({"role": "assistant", "content": "Hi"}, {"role": "user", "content": []}, "text"):
        refuses(split_history, [first, *pair(result("a"))], says="first message")


@check("a cut: an odd number of messages after the question is refused")
def _():
    refuses(split_history, short(2)[:-1], says="results are not all in")


@check("a cut: every pair is checked, in order")
def _():
    broken = short(3)
    broken[4]["content"] = broken[6]["content"] = []
    refuses(split_history, broken, says="['c1']")


@check("a cut never splits a pair, and loses nothing")
def _():
    messages = history([result("a"), result("b", is_error=True)], [result("c")], [result("d")])
    parts = split_history(messages)
    whole = [message for two in parts["older"] + parts["recent"] for message in two]
    expect([parts["question"], *whole] == messages)
    expect([len(response["content"]) for _request, response in parts["older"]] == [2, 1])


@check("a cut gives copies")
def _():
    messages = short(2)
    parts = split_history(messages)
    parts["question"]["content"] = parts["older"][0][1]["content"][0]["content"] = "spoilt"
    expect(messages == short(2))


@check("trimming needs a receipt that is text")
def _():
    for receipt in ("", " ", None, 7):
        refuses(trim_results, LARGE_OLD, receipt, says="snapshot")


@check("trimming: max_chars is an int above 0; True is none")
def _():
    for most in (True, 0, -1, 1.5, None):
        refuses(trim_results, LARGE_OLD, "r", max_chars=most, says="max_chars")


@check("trimming replaces old large results only; what has just the limit stays")
def _():
    messages = history([result("a", "x" * 600), result("b", "x" * 601)], [result("c", BIG)])
    bodies = [block["content"] for message in trim_results(messages, "r")[2::2] for block in message["content"]]
    expect([bodies[0] == "x" * 600, bodies[1] == "x" * 601, bodies[2] == BIG] == [True, False, True])


@check("trimming keeps roles, original ids, error flags and the assistant's messages")
def _():
    candidate = trim_results(LARGE_OLD, "r")
    candidate[2]["content"][0]["content"], candidate[2]["content"][1]["content"] = "x" * 3000, BIG
    expect(candidate == LARGE_OLD)


@check("a stub names receipt, message, block and call, and is no result")
def _():
    stub = trim_results(LARGE_OLD, "context-1.jsonl")[2]["content"][1]["content"]
    for part in ("context-1.jsonl", "message 2", "block 1", "tool call b", "Not a result of execution"):
        expect(part in stub, f"the stub does not say: {part}")
    expect(len(stub) < 200)


@check("sizes are UTF-8 bytes of compact JSON with non-ASCII kept")
def _():
    expect(history_bytes([{"a": "测"}]) == len('[{"a":""}]') + 3)


@check("what JSON cannot hold is a TypeError, and nan is no JSON")
def _():
    for value in (float("nan"), float("-inf"), {1, 2}, b"bytes"):
        refuses(history_bytes, [{"a": value}], kind=TypeError)


@check("a snapshot is JSON Lines: one message a line, non-ASCII kept")
def _():
    with tempfile.TemporaryDirectory() as folder:
        name = archive_writer(Path(folder, "new"))(LARGE_OLD)
        text = Path(folder, "new", name).read_bytes().decode("utf-8")
    expect([json.loads(line) for line in text.splitlines()] == LARGE_OLD)
    expect("测" in text)
    expect(re.fullmatch(r"context-[0-9a-f]{12}\.jsonl", name), f"named {name}")


@check("a snapshot of more than 1,000,000 bytes is refused and not written")
def _():
    with tempfile.TemporaryDirectory() as folder:
        refuses(archive_writer(Path(folder, "new")), history([result("a", "x" * 1_000_000)]), says="limit")
        expect(not Path(folder, "new").exists())


@check("a snapshot never overwrites: each save has a file of its own")
def _():
    with tempfile.TemporaryDirectory() as folder:
        save = archive_writer(folder)
        names = {save(short(1)) for _ in range(5)}
        expect(len(names) == 5 == len(list(Path(folder).iterdir())))
        opened = []
        real = Path.open
        Path.open = lambda path, mode="r", *rest, **options: opened.append(mode) or real(path, mode, *rest, **options)
        try:
            save(short(1))
        finally:
            Path.open = real
    expect(opened == ["xb"], "not created exclusively")
