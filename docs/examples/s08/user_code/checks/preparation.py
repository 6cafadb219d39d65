"""The preparation of a request, in its order."""

import copy

from s08.core.runtime import check_candidate, context_state, history_bytes, prepare_context, trim_results
from s08.user_code.checks.ground import BIG, LARGE_OLD, check, expect, history, refuses, result, short


class Probe:
    """Archive and summary that note what they are given, and spoil it: only a copy may be given."""

    def __init__(self, receipt="context-1.jsonl", summary=" All is well.\n", most=2):
        self.receipt, self.text, self.state = receipt, summary, context_state(most)
        self.archived, self.summarised, self.counts = [], [], []

    def archive(self, messages):
        """Answer with the receipt."""
        self.archived.append(copy.deepcopy(messages))
        messages.clear()
        return self.receipt

    def summarize(self, messages):
        """Answer with the summary; note how many attempts are counted by now."""
        self.counts.append(self.state["summaries"])
        self.summarised.append(copy.deepcopy(messages))
        messages.clear()
        return self.text

    def prepare(self, messages, budget=1600, question="The host's question?", **options):
        """Prepare; whatever happens, the history that was given must be what it was."""
        before = copy.deepcopy(messages)
        try:
            return prepare_context(
                messages, question, self.state, self.archive, self.summarize, budget=budget, **options
            )
        finally:
            expect(messages == before, "the input was changed")


@check("a budget is an int of at least 400, the question is text; both are checked first")
def _():
    for budget in (True, 399, 3200.0, None):
        refuses(Probe().prepare, short(1), budget=budget, says="budget")
    expect(Probe().prepare(history(), budget=400) == history())
    refuses(Probe().prepare, short(1), question=" ", says="question")
    refuses(Probe().prepare, short(1), keep_recent=True, says="keep_recent")


@check("what fits is copied: no snapshot, no summary; the limit itself fits")
def _():
    probe, messages = Probe(), short(2)
    candidate = probe.prepare(messages, budget=history_bytes(messages))
    expect(candidate == messages and candidate[1] is not messages[1])
    expect(probe.archived == [] and probe.state == context_state())


@check("the full history is archived first, and the receipt is recorded")
def _():
    probe = Probe()
    probe.prepare(LARGE_OLD, budget=3200)
    expect(probe.archived == [LARGE_OLD] and probe.state["archives"] == ["context-1.jsonl"])


@check("no receipt, no trimming: the attempt ends and records none")
def _():
    for receipt in ("", None, 7):
        probe = Probe(receipt)
        refuses(probe.prepare, LARGE_OLD, says="no receipt")
        expect(probe.state == context_state() and probe.summarised == [])


@check("where trimming is enough no summary is used")
def _():
    probe = Probe()
    expect(probe.prepare(LARGE_OLD, budget=3200) == trim_results(LARGE_OLD, "context-1.jsonl"))
    expect(probe.summarised == [] and probe.state["summaries"] == 0)


@check("a recent exchange alone too large is an error; it is never split")
def _():
    probe = Probe()
    refuses(probe.prepare, history([result("a", "x" * 4000)]), says="shrink the tool output")
    expect(probe.summarised == [])


@check("when the summaries are used up nobody is asked")
def _():
    probe = Probe(most=0)
    refuses(probe.prepare, short(12), says="no summary is left")
    expect(probe.summarised == [])


@check("an attempt is counted before the summary is asked for")
def _():
    probe = Probe()
    probe.prepare(short(12))
    expect(probe.counts == [1])


@check("a blank summary is refused, and counted")
def _():
    for summary in ("", " \n", None, 7):
        probe = Probe(summary=summary)
        refuses(probe.prepare, short(12), says="summaries used: 1 of 2")


@check("a summary has at most 1000 characters as returned, blanks included")
def _():
    refuses(Probe(summary=" " * 1000 + "x").prepare, short(12), says="1001 characters")
    expect(Probe(summary="x" * 1000).prepare(short(20), budget=2400))


@check("the summary is asked about the question and the older messages, trimmed, as a copy")
def _():
    probe, messages = Probe(), short(12)
    messages[2]["content"][0]["content"] = BIG
    probe.prepare(messages)
    expect(probe.summarised == [trim_results(messages, "context-1.jsonl")[:-2]])


@check("the first message is the host's question, the stripped summary for reference only, and the note")
def _():
    candidate = Probe().prepare(short(12))
    text = candidate[0]["content"]
    places = [
        text.index(part)
        for part in ("The host's question?", "reference only", "]\nAll is well.\n", "context-1.jsonl", "Load the rules")
    ]
    expect(places == sorted(places) and text.startswith("The host's question?"))
    expect("do not authorise this run" in text)
    expect(candidate[1:] == short(12)[-2:], "the recent pair is not whole")


@check("a second compression stacks no summary on a summary")
def _():
    probe = Probe(summary="First.")
    messages = probe.prepare(short(12)) + short(12)[1:-2]
    probe.text = "Second."
    text = probe.prepare(messages)[0]["content"]
    expect("First." not in text and text.count("Summary") == 1 and text.count("The host's question?") == 1)


@check("a candidate must be whole, must fit, and must be smaller")
def _():
    refuses(check_candidate, short(2)[:-1], short(3), 1600, 1, context_state(), says="not all in")
    refuses(check_candidate, short(3), short(9), 400, 1, context_state(), says="still takes")
    refuses(check_candidate, short(3), short(3), 3200, 1, context_state(), says="not smaller")
    refuses(Probe(summary="x" * 1000).prepare, short(12), budget=1200, says="still takes")


@check("a failure says what it leaves behind")
def _():
    refuses(Probe(summary="").prepare, short(12), says="history unchanged; snapshots saved: 1, summaries used: 1 of 2")
