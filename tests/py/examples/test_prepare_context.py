"""The rules of the s08 example: the preparation of a request, one by one."""

import pytest
from histories import history, pair, result, short_pairs
from preparation import Calls, prepare

from s08.core.runtime import check_candidate, compact_opening, context_state, history_bytes, trim_results

LARGE_OLD = history([result("a", "x" * 3000)], [result("b", "short")])
MANY_SHORT = short_pairs(12, 150)


class TestPrepareContext:
    """The order: check, archive, trim, summarise, check again."""

    def test_what_fits_is_copied(self):
        """Within the budget nothing is archived, nothing summarised."""
        calls, state, messages = Calls(), context_state(), short_pairs(2)
        candidate = prepare(messages, calls, state, budget=history_bytes(short_pairs(2)))
        assert candidate == messages
        assert candidate is not messages
        assert candidate[1] is not messages[1]
        assert (calls.archived, calls.summarized, state) == ([], [], context_state())

    def test_one_byte_over_is_archived(self):
        """The budget is an upper limit, in bytes."""
        calls = Calls()
        prepare(LARGE_OLD, calls, budget=history_bytes(LARGE_OLD) - 1)
        assert calls.archived == [LARGE_OLD]

    def test_trimming_is_enough(self):
        """The snapshot holds the full history, the candidate stubs; no summary is used."""
        calls, state = Calls(), context_state()
        candidate = prepare(LARGE_OLD, calls, state)
        assert candidate == trim_results(LARGE_OLD, "context-1.jsonl")
        assert (calls.archived, calls.summarized) == ([LARGE_OLD], [])
        assert state == {"archives": ["context-1.jsonl"], "summaries": 0, "max_summaries": 2}

    def test_a_summary_replaces_the_older_pairs(self):
        """The first message is new, the recent pair is whole."""
        calls, state = Calls(summary="  All logs say warning 7.\n"), context_state()
        candidate = prepare(MANY_SHORT, calls, state, budget=1600)
        text = candidate[0]["content"]
        assert candidate[1:] == MANY_SHORT[-2:]
        assert text.startswith("Host's question?\n")
        assert "reference only]\nAll logs say warning 7.\n\n" in text
        assert text.index("reference only") < text.index("context-1.jsonl") < text.index("do not authorise this run")
        assert "Load the rules again" in text
        assert state == {"archives": ["context-1.jsonl"], "summaries": 1, "max_summaries": 2}

    def test_the_summary_sees_the_question_and_trimmed_older_messages(self):
        """What is summarised is what would be replaced, after trimming."""
        calls = Calls()
        messages = [*short_pairs(12, 150)]
        messages[2]["content"][0]["content"] = "x" * 601
        prepare(messages, calls, budget=1600)
        assert calls.summarized == [trim_results(messages, "context-1.jsonl")[:-2]]

    def test_a_second_compression_stacks_nothing(self):
        """The opening is rebuilt from the host's question; the summariser still sees the old summary."""
        calls, state = Calls(summary="First."), context_state()
        messages = prepare(MANY_SHORT, calls, state, budget=1600) + MANY_SHORT[1:-2]
        calls.summary = "Second."
        candidate = prepare(messages, calls, state, budget=1600)
        assert candidate[0] == compact_opening("Host's question?", "Second.", "context-1.jsonl")
        assert "First." in calls.summarized[1][0]["content"]
        assert state["summaries"] == 2

    def test_keep_recent_is_used_everywhere(self):
        """Two recent pairs survive a summary."""
        assert prepare(MANY_SHORT, Calls(), budget=1600, keep_recent=2)[1:] == MANY_SHORT[-4:]

    @pytest.mark.parametrize("budget", [True, 399, 0, -1, 3200.0, "3200", None])
    def test_refuses_another_budget(self, budget):
        """Only ints of at least 400 are budgets."""
        with pytest.raises(ValueError, match="budget"):
            prepare(short_pairs(1), Calls(), budget=budget)

    @pytest.mark.parametrize("question", ["", " \n", None, 7, b"text"])
    def test_refuses_another_question(self, question):
        """The host's question is non-empty text."""
        with pytest.raises(ValueError, match="question"):
            prepare(short_pairs(1), Calls(), question=question)

    def test_the_smallest_budget_is_400(self):
        """It is a budget like any other."""
        assert prepare(history(), Calls(), budget=400) == history()

    def test_a_trimmed_candidate_may_fill_the_budget(self):
        """Exactly the budget fits; one byte less needs a summary."""
        size, calls = history_bytes(trim_results(LARGE_OLD, "context-1.jsonl")), Calls()
        prepare(LARGE_OLD, calls, budget=size)
        assert calls.summarized == []
        prepare(LARGE_OLD, calls, budget=size - 1)
        assert len(calls.summarized) == 1

    def test_a_summarised_candidate_may_fill_the_budget(self):
        """Exactly the budget fits; one byte less does not."""
        size = history_bytes(prepare(MANY_SHORT, Calls(), budget=1600))
        assert history_bytes(prepare(MANY_SHORT, Calls(), budget=size)) == size
        with pytest.raises(ValueError, match=f"still takes {size} bytes, over {size - 1}"):
            prepare(MANY_SHORT, Calls(), budget=size - 1)

    def test_a_broken_history_is_refused_before_anything_is_saved(self):
        """Even one that would fit."""
        calls = Calls()
        for messages in (short_pairs(2)[:-1], MANY_SHORT[:-1]):
            with pytest.raises(ValueError, match="not all in"):
                prepare(messages, calls, budget=1600)
        assert calls.archived == []

    def test_another_keep_recent_is_refused_though_the_history_fits(self):
        """Arguments are checked first."""
        with pytest.raises(ValueError, match="keep_recent"):
            prepare(short_pairs(1), Calls(), keep_recent=True)

    @pytest.mark.parametrize("receipt", ["", "  ", None, 7, ["r"]])
    def test_refuses_an_archive_without_a_receipt(self, receipt):
        """Without a receipt nothing is trimmed, and none is recorded."""
        calls, state = Calls(receipt=receipt), context_state()
        with pytest.raises(ValueError, match="no receipt"):
            prepare(LARGE_OLD, calls, state)
        assert (calls.summarized, state) == ([], context_state())

    def test_an_archive_that_raises_ends_the_attempt(self):
        """Its own error comes through; nothing is counted."""

        def full(_messages):
            raise OSError("no space left")

        calls, state = Calls(), context_state()
        calls.archive = full
        with pytest.raises(OSError, match="no space left"):
            prepare(LARGE_OLD, calls, state)
        assert (calls.summarized, state) == ([], context_state())

    def test_refuses_a_recent_exchange_that_is_too_large(self):
        """There is nothing older to shorten; the pair is never split; the snapshot stays counted."""
        calls, state = Calls(), context_state()
        told = r"recent exchange alone too large: shrink the tool output.*snapshots saved: 1, summaries used: 0 of 2"
        with pytest.raises(ValueError, match=told):
            prepare(history([result("a", "x" * 4000)]), calls, state)
        assert calls.summarized == []
        assert state["archives"] == ["context-1.jsonl"]

    @pytest.mark.parametrize(("used", "limit"), [(0, 0), (2, 2), (3, 2)])
    def test_refuses_when_the_summaries_are_used_up(self, used, limit):
        """The summariser is not asked again."""
        calls, state = Calls(), context_state(limit) | {"summaries": used}
        with pytest.raises(ValueError, match="no summary is left"):
            prepare(MANY_SHORT, calls, state, budget=1600)
        assert (calls.summarized, state["summaries"]) == ([], used)

    @pytest.mark.parametrize("summary", ["", " \n\t", None, 7, b"text", ["text"], "x" * 1001, " " * 999 + "xx"])
    def test_refuses_another_summary_but_counts_it(self, summary):
        """Blank, no text, or over 1000 characters as returned: the attempt is used up."""
        calls, state = Calls(summary=summary), context_state()
        with pytest.raises(ValueError, match=r"the summary .*summaries used: 1 of 2"):
            prepare(MANY_SHORT, calls, state, budget=3000)
        assert state["summaries"] == 1

    def test_a_thousand_characters_are_allowed(self):
        """The limit itself is a summary."""
        assert prepare(MANY_SHORT, Calls(summary="x" * 1000), budget=1900)

    def test_the_attempt_is_counted_before_the_summary_is_asked(self):
        """A summariser that raises has cost a request."""
        state, seen = context_state(), []

        def broken(_messages):
            seen.append(state["summaries"])
            raise ConnectionError("cut")

        calls = Calls()
        calls.summarize = broken
        with pytest.raises(ConnectionError, match="cut"):
            prepare(MANY_SHORT, calls, state, budget=1600)
        assert (seen, state["summaries"]) == ([1], 1)

    def test_refuses_a_candidate_that_is_still_too_large(self):
        """The recent pair was the large one."""
        messages = [*short_pairs(4, 100), *pair(result("last", "x" * 2000))]
        with pytest.raises(ValueError, match="still takes"):
            prepare(messages, Calls(), budget=1600)

    def test_refuses_a_candidate_that_gained_nothing(self):
        """A candidate as large as the history is no progress."""
        messages = short_pairs(1)
        with pytest.raises(ValueError, match="not smaller"):
            check_candidate(messages, messages, 1600, 1, context_state())

    def test_a_failure_says_what_it_leaves_behind(self):
        """The history is unchanged; snapshot and attempt are not taken back."""
        with pytest.raises(ValueError, match=r"history unchanged; snapshots saved: 1, summaries used: 1 of 2"):
            prepare(MANY_SHORT, Calls(summary=""), budget=1600)
