"""What holds for every history, whatever it looks like."""

import contextlib
import copy
import json
import math

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from preparation import Calls, prepare
from random_histories import BOOLEANS, damaged, histories

from s01.core.runtime import run_loop
from s08.core.runtime import archive_writer, context_state, history_bytes, split_history, trim_results

# A busy machine is no failure: neither slow examples nor slow generation.
SIXTY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

NO_JSON = [{1, 2}, b"bytes", object, {("a", 1): 2}, math.nan, -math.inf]


class TestOnRandomHistories:
    """What holds for every history."""

    @SIXTY
    @given(histories(), st.integers(1, 4))
    def test_a_cut_loses_and_splits_nothing(self, messages, keep):
        """The parts joined are the history; pairs stay pairs; the input stays."""
        before = copy.deepcopy(messages)
        parts = split_history(messages, keep)
        pairs = parts["older"] + parts["recent"]
        assert [parts["question"], *(message for two in pairs for message in two)] == messages == before
        assert len(parts["recent"]) == min(keep, len(pairs))

    @SIXTY
    @given(histories(), st.data())
    def test_a_history_that_lost_a_message_is_refused(self, messages, data):
        """No single message can go missing unseen."""
        gone = data.draw(st.integers(0, len(messages) - 1))
        with pytest.raises(ValueError):  # noqa: PT011 - which rule refuses it depends on the message
            split_history(messages[:gone] + messages[gone + 1 :])

    @SIXTY
    @given(histories(), st.integers(1, 4), st.integers(1, 700))
    def test_trimming_changes_large_older_bodies_only(self, messages, keep, limit):
        """Put the bodies back and it is the same history."""
        before = copy.deepcopy(messages)
        candidate = trim_results(messages, "context-1.jsonl", keep, limit)
        recent = 2 * min(keep, len(messages) // 2)
        for index in range(2, len(messages) - recent, 2):
            for old, new in zip(messages[index]["content"], candidate[index]["content"], strict=True):
                assert (old["content"] == new["content"]) == (len(old["content"]) <= limit)
                new["content"] = old["content"]
        assert candidate == messages == before

    @SIXTY
    @given(histories(10), st.integers(400, 2500), st.integers(1, 4), st.integers(0, 1), st.text(max_size=1100))
    def test_a_candidate_fits_or_nothing_happened(self, messages, budget, keep, summaries, summary):
        """Either a whole history within the budget, or a ValueError; the input never changes."""
        calls, state = Calls(summary=summary), context_state(summaries)
        try:
            candidate = prepare(messages, calls, state, budget=budget, keep_recent=keep)
        except ValueError:
            assert history_bytes(messages) > budget
        else:
            recent = split_history(messages, keep)["recent"]
            assert history_bytes(candidate) <= budget
            assert split_history(candidate, keep)["recent"] == recent
        event(f"archived {len(calls.archived)}, summarised {len(calls.summarized)}")
        assert state["summaries"] == len(calls.summarized) <= summaries
        assert len(state["archives"]) == len(calls.archived)

    @settings(SIXTY, max_examples=300)
    @given(damaged(), st.integers(400, 1600))
    def test_a_damaged_history_is_a_value_error_or_still_whole(self, messages, budget):
        """No KeyError, no TypeError, whatever stands where; and never a changed input."""
        calls = Calls()
        try:
            candidate = prepare(messages, calls, budget=budget)
        except ValueError:
            return
        assert split_history(candidate) is not None
        assert history_bytes(candidate) <= budget

    @SIXTY
    @given(damaged(), st.integers(1, 4))
    def test_a_damaged_history_is_cut_and_trimmed_whole_or_not_at_all(self, messages, keep):
        """A ValueError, or all of it; the input stays as it was, damage and all."""
        before = copy.deepcopy(messages)
        for shorten in (split_history, lambda given, keep: trim_results(given, "context-1.jsonl", keep)):
            with contextlib.suppress(ValueError):
                assert shorten(messages, keep)
            assert messages == before

    @SIXTY
    @given(histories(), st.sampled_from(NO_JSON), st.integers(400, 1600))
    def test_what_json_cannot_hold_is_a_type_error(self, messages, value, budget):
        """Nothing is archived, and nothing changed."""
        assume(len(messages) > 1)
        messages[1]["content"][-1]["input"]["value"] = value
        calls, state = Calls(), context_state()
        with pytest.raises(TypeError):
            prepare(messages, calls, state, budget=budget)
        assert (calls.archived, state) == ([], context_state())

    @SIXTY
    @given(histories(10), st.sampled_from([OSError, KeyError, RuntimeError, StopIteration]), BOOLEANS)
    def test_errors_of_archive_and_summariser_are_their_own(self, messages, kind, at_archive):
        """The very error comes through; the attempt stays counted, the input as it was."""
        error, calls, state = kind("own"), Calls(), context_state()

        def fail(_messages):
            raise error

        setattr(calls, "archive" if at_archive else "summarize", fail)
        raised = None
        try:
            prepare(messages, calls, state, budget=400)
        except Exception as caught:
            raised = caught
        event(type(raised).__name__)
        assert raised is error or not isinstance(raised, kind)
        if raised is error:
            assert (len(state["archives"]), state["summaries"]) == ((0, 0) if at_archive else (1, 1))

    @SIXTY
    @given(histories(), st.integers(0, 3), st.sampled_from(["raise", "none", "tuple"]))
    def test_the_loop_commits_all_of_a_candidate_or_nothing(self, messages, good, last):
        """However a preparation fails, and whatever it did to its copy, the active history is that of before."""
        prepared = []

        def prepare(given):
            prepared.append(copy.deepcopy(given))
            if len(prepared) <= good:
                return [*given]
            given.clear()
            if last == "raise":
                raise RuntimeError("no")
            return {"none": None, "tuple": ()}[last]

        def model(_request):
            return [{"type": "tool_use", "id": f"call_{len(prepared)}", "name": "read", "input": {}}]

        ended = run_loop(messages, model, {"read": lambda: "x"}, max_calls=good + 1, prepare=prepare)
        assert (ended["status"], ended["calls"], messages) == ("context_error", good, prepared[-1])

    @SIXTY
    @given(histories())
    def test_a_snapshot_reads_back(self, tmp_path_factory, messages):
        """Any history can be saved and read."""
        folder = tmp_path_factory.mktemp("snapshots")
        text = (folder / archive_writer(folder)(messages)).read_bytes().decode("utf-8")
        assert [json.loads(line) for line in text.removesuffix("\n").split("\n")] == messages
        assert len(text.encode("utf-8")) == history_bytes(messages) - len("[]") + len("\n")
