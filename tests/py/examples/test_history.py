"""The rules of the s08 example: pairs, cuts, stubs and snapshots, one by one."""

import copy
import json
import re

import pytest
from histories import call, history, pair, result, short_pairs

from s08.core.runtime import archive_writer, checked_exchange, history_bytes, split_history, trim_results

BIG = "x" * 601


class TestCheckedExchange:
    """A pair is a group of calls and all of its results."""

    def test_accepts_one_call(self):
        """The plainest pair comes back as it is."""
        request, response = pair(result("a"))
        assert checked_exchange(request, response) == (request, response)

    def test_accepts_text_beside_calls_and_results_in_another_order(self):
        """Text may stand beside calls, and results may come back in any order."""
        request = {"role": "assistant", "content": [{"type": "text", "text": "Two files."}, call("a"), call("b")]}
        response = {"role": "user", "content": [result("b"), result("a", is_error=True)]}
        assert checked_exchange(request, response) == (request, response)

    @pytest.mark.parametrize("message", [None, "text", [], ("role", "assistant")])
    def test_refuses_what_is_no_dict(self, message):
        """Both sides of a pair are dicts."""
        request, response = pair(result("a"))
        with pytest.raises(ValueError, match="assistant"):
            checked_exchange(message, response)
        with pytest.raises(ValueError, match="user"):
            checked_exchange(request, message)

    @pytest.mark.parametrize("role", ["user", "system", None, ["assistant"]])
    def test_refuses_another_role_of_the_request(self, role):
        """The calls are the assistant's."""
        request, response = pair(result("a"))
        with pytest.raises(ValueError, match="assistant"):
            checked_exchange(request | {"role": role}, response)

    @pytest.mark.parametrize("role", ["assistant", "tool", None])
    def test_refuses_another_role_of_the_response(self, role):
        """The results are the user's."""
        request, response = pair(result("a"))
        with pytest.raises(ValueError, match="user"):
            checked_exchange(request, response | {"role": role})

    @pytest.mark.parametrize("content", ["text", None, ({"type": "text"},), {}])
    def test_refuses_content_that_is_no_list(self, content):
        """Both contents are lists of blocks."""
        request, response = pair(result("a"))
        with pytest.raises(ValueError, match="list of blocks"):
            checked_exchange(request | {"content": content}, response)
        with pytest.raises(ValueError, match="list of blocks"):
            checked_exchange(request, response | {"content": content})

    def test_refuses_a_pair_without_its_content(self):
        """A message that has no content at all is refused, not a KeyError."""
        with pytest.raises(ValueError, match="list of blocks"):
            checked_exchange({"role": "assistant"}, {"role": "user"})

    @pytest.mark.parametrize("block", ["text", None, {}, {"type": "image"}, {"type": ["text"]}, result("a")])
    def test_refuses_other_request_blocks(self, block):
        """An assistant's blocks are text and tool_use."""
        request, response = pair(result("a"))
        request["content"].append(block)
        with pytest.raises(ValueError, match="text and tool_use"):
            checked_exchange(request, response)

    @pytest.mark.parametrize("content", [[], [{"type": "text", "text": "The end."}]])
    def test_refuses_a_request_without_a_call(self, content):
        """A final answer is no pair."""
        with pytest.raises(ValueError, match="at least one tool"):
            checked_exchange({"role": "assistant", "content": content}, {"role": "user", "content": []})

    @pytest.mark.parametrize("call_id", ["", None, 7, ["a"]])
    def test_refuses_an_id_that_is_not_text(self, call_id):
        """A call's id is non-empty text."""
        with pytest.raises(ValueError, match="non-empty"):
            checked_exchange({"role": "assistant", "content": [call(call_id)]}, {"role": "user", "content": []})

    def test_refuses_one_id_twice(self):
        """Two calls never share an id."""
        with pytest.raises(ValueError, match="share one id"):
            checked_exchange(*pair(result("a"), result("a")))

    @pytest.mark.parametrize("block", ["done", None, {}, {"type": "text", "text": "done"}, call("a")])
    def test_refuses_other_response_blocks(self, block):
        """The message after a call holds results and nothing else."""
        request, response = pair(result("a"))
        response["content"].append(block)
        with pytest.raises(ValueError, match="tool_result blocks only"):
            checked_exchange(request, response)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("tool_use_id", value) for value in (7, None)),
            *(("content", value) for value in ([BIG], None, b"x")),
            *(("is_error", value) for value in (0, None, "no")),
        ],
    )
    def test_refuses_other_types_in_a_result(self, name, value):
        """A result's fields have exactly their types: 0 is no False."""
        request, response = pair(result("a"))
        response["content"][0][name] = value
        with pytest.raises(ValueError, match=name):
            checked_exchange(request, response)

    @pytest.mark.parametrize("name", ["tool_use_id", "content", "is_error"])
    def test_refuses_a_result_that_lacks_a_field(self, name):
        """A result has all three fields."""
        request, response = pair(result("a"))
        del response["content"][0][name]
        with pytest.raises(ValueError, match=name):
            checked_exchange(request, response)

    @pytest.mark.parametrize("answered", [[], ["b"], ["a"], ["a", "a"], ["a", "b", "b"], ["a", "b", "c"]])
    def test_refuses_results_that_do_not_match(self, answered):
        """Each call has one result, each result one call."""
        request = {"role": "assistant", "content": [call("a"), call("b")]}
        with pytest.raises(ValueError, match="one to one"):
            checked_exchange(request, {"role": "user", "content": [result(name) for name in answered]})


class TestSplitHistory:
    """A history is cut between whole pairs, or not at all."""

    def test_keeps_the_last_pair_by_default(self):
        """Three pairs: two are older, one is recent."""
        messages = short_pairs(3)
        parts = split_history(messages)
        assert parts["question"] == messages[0]
        assert parts["older"] == [tuple(messages[1:3]), tuple(messages[3:5])]
        assert parts["recent"] == [tuple(messages[5:7])]

    @pytest.mark.parametrize(("keep", "older"), [(1, 4), (2, 3), (4, 1)])
    def test_keeps_as_many_pairs_as_asked(self, keep, older):
        """`keep_recent` counts pairs."""
        parts = split_history(short_pairs(5), keep)
        assert (len(parts["older"]), len(parts["recent"])) == (older, keep)

    @pytest.mark.parametrize("count", [0, 1, 2])
    def test_short_histories_are_all_recent(self, count):
        """Nothing is older when there are no more pairs than are kept."""
        parts = split_history(short_pairs(count), 2)
        assert (len(parts["older"]), len(parts["recent"])) == (0, count)

    @pytest.mark.parametrize("keep", [True, False, 0, 5, -1, 1.0, "1", None])
    def test_refuses_another_keep_recent(self, keep):
        """Only the ints 1 to 4 are counts; True is none."""
        with pytest.raises(ValueError, match="keep_recent"):
            split_history(short_pairs(2), keep)

    @pytest.mark.parametrize("messages", [None, [], (), "text", {}])
    def test_refuses_what_is_no_history(self, messages):
        """A history is a list that is not empty."""
        with pytest.raises(ValueError, match="starts with the question"):
            split_history(messages)

    @pytest.mark.parametrize(
        "first",
        ["text", None, {"role": "user"}, {"role": "assistant", "content": "Hello"}, {"role": "user", "content": []}],
    )
    def test_refuses_another_first_message(self, first):
        """The first message is the user's, and text."""
        with pytest.raises(ValueError, match="first message"):
            split_history([first, *pair(result("a"))])

    def test_refuses_an_odd_number_of_messages_before_it_looks_at_pairs(self):
        """A call without its results is told as such, even when an earlier pair is broken."""
        messages = [*history([result("a")]), {"role": "assistant", "content": [call("b")]}]
        messages[1]["content"] = "broken"
        with pytest.raises(ValueError, match="results are not all in"):
            split_history(messages)

    def test_checks_the_pairs_in_order(self):
        """The first broken pair is the one that is told."""
        messages = short_pairs(3)
        messages[4]["content"][0]["tool_use_id"] = "other"
        messages[6]["content"] = None
        with pytest.raises(ValueError, match=r"\['call_2'\] and results \['other'\]"):
            split_history(messages)

    def test_checks_recent_pairs_too(self):
        """A broken pair is refused wherever it stands."""
        messages = short_pairs(3)
        messages[6]["content"] = []
        with pytest.raises(ValueError, match="one to one"):
            split_history(messages)

    def test_returns_copies(self):
        """What a caller does to the parts is not done to the history."""
        messages = short_pairs(2)
        before = copy.deepcopy(messages)
        parts = split_history(messages)
        parts["question"]["content"] = parts["older"][0][1]["content"][0]["content"] = "changed"
        parts["recent"][0][0]["content"].clear()
        assert messages == before


class TestTrimResults:
    """Only large bodies of older results are replaced."""

    def test_replaces_a_large_older_result(self):
        """The stub names receipt, message, block and call, and says what it is not."""
        messages = history([result("a"), result("b", BIG)], [result("c", BIG)])
        stub = trim_results(messages, "context-1.jsonl")[2]["content"][1]["content"]
        for part in ("context-1.jsonl", "message 2", "block 1", "tool call b", "Not a result of execution"):
            assert part in stub
        assert len(stub) < 200

    def test_names_the_message_of_a_later_pair(self):
        """The index counts messages of the history."""
        messages = history([result("a")], [result("b", BIG)], [result("c")])
        assert "message 4, block 0" in trim_results(messages, "r")[4]["content"][0]["content"]

    def test_the_limit_is_allowed(self):
        """Exactly `max_chars` characters stay."""
        messages = history([result("a", BIG[:-1])], [result("b")])
        assert trim_results(messages, "r") == messages

    def test_max_chars_counts_characters(self):
        """Not bytes: 600 Chinese characters stay."""
        messages = history([result("a", "测" * 600)], [result("b")])
        assert trim_results(messages, "r") == messages

    def test_one_character_is_a_limit(self):
        """The smallest limit there is."""
        messages = history([result("a", "x"), result("b", "xx")], [result("c")])
        bodies = [block["content"] for block in trim_results(messages, "r", max_chars=1)[2]["content"]]
        assert (bodies[0], "tool call b" in bodies[1]) == ("x", True)

    def test_changes_only_the_body(self):
        """Roles, ids, error flags, calls and their order stay."""
        messages = history([result("a", BIG, is_error=True), result("b")], [result("c", BIG)])
        candidate = trim_results(messages, "r")
        candidate[2]["content"][0]["content"] = BIG
        assert candidate == messages

    def test_keeps_recent_pairs(self):
        """With two kept, only the first of three is trimmed."""
        messages = history(*([result(name, BIG)] for name in "abc"))
        candidate = trim_results(messages, "r", keep_recent=2)
        assert [candidate[index] == messages[index] for index in (2, 4, 6)] == [False, True, True]

    def test_a_message_that_stands_twice_is_trimmed_once(self):
        """The same objects as an older and as the recent pair: the recent one stays."""
        same = pair(result("a", BIG))
        candidate = trim_results([*history(), *same, *same], "r")
        assert candidate[2] != candidate[4] == same[1]

    @pytest.mark.parametrize("receipt", ["", "  ", None, 7, b"r"])
    def test_refuses_a_missing_receipt(self, receipt):
        """Nothing is trimmed before a snapshot was saved."""
        with pytest.raises(ValueError, match="snapshot"):
            trim_results(short_pairs(2), receipt)

    @pytest.mark.parametrize("limit", [True, False, 0, -1, 1.5, "600", None])
    def test_refuses_another_max_chars(self, limit):
        """Only ints above 0 are limits; True is none."""
        with pytest.raises(ValueError, match="max_chars"):
            trim_results(short_pairs(2), "r", max_chars=limit)

    def test_refuses_a_broken_history(self):
        """The history is checked as for a cut."""
        with pytest.raises(ValueError, match="not all in"):
            trim_results(short_pairs(2)[:-1], "r")


class TestArchive:
    """Snapshots are JSON Lines files, written once."""

    def test_saves_one_message_a_line(self, tmp_path):
        """What is read back is what was saved; non-ASCII is kept; the directory is made."""
        messages = history([result("a", "测试\nline two")])
        name = archive_writer(tmp_path / "new" / "deep")(messages)
        text = (tmp_path / "new" / "deep" / name).read_bytes().decode("utf-8")
        assert [json.loads(line) for line in text.removesuffix("\n").split("\n")] == messages
        assert "测试" in text

    def test_names_the_file(self, tmp_path):
        """The receipt is the file's name, another one each time."""
        save = archive_writer(tmp_path)
        names = [save(short_pairs(1)), save(short_pairs(1))]
        assert all(re.fullmatch(r"context-[0-9a-f]{12}\.jsonl", name) for name in names)
        assert sorted(names) == sorted(path.name for path in tmp_path.iterdir())
        assert names[0] != names[1]

    def test_never_overwrites(self, tmp_path, monkeypatch):
        """A name that is taken is an error, and the file stays as it was."""
        monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 2 * size)
        save = archive_writer(str(tmp_path))
        before = (tmp_path / save(short_pairs(1))).read_bytes()
        with pytest.raises(FileExistsError):
            save(short_pairs(2))
        assert (tmp_path / "context-000000000000.jsonl").read_bytes() == before

    def test_the_limit_is_a_million_bytes(self, tmp_path):
        """Exactly 1,000,000 bytes are written; one more is refused and writes nothing."""
        messages = history(question="测" * 10)
        room = 1_000_000 - history_bytes(messages) + len("[]") - len("\n")
        messages[0]["content"] += "x" * room
        assert (tmp_path / archive_writer(tmp_path)(messages)).stat().st_size == 1_000_000
        messages[0]["content"] += "x"
        with pytest.raises(ValueError, match="1000001 bytes"):
            archive_writer(tmp_path / "none")(messages)
        assert not (tmp_path / "none").exists()

    def test_history_bytes_counts_utf8_of_compact_json(self):
        """No spaces, no escapes."""
        assert history_bytes([{"a": 1, "b": "测"}]) == len('[{"a":1,"b":"') + 3 + len('"}]')
