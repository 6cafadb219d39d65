"""One preparation, with stand-ins that note what they were given."""

import copy

from s08.core.runtime import context_state, prepare_context


class Calls:
    """Stand-ins for archive and summary that note what they were given."""

    def __init__(self, receipt="context-1.jsonl", summary="Read the logs; nothing was run."):
        """Answer with this receipt and this summary."""
        self.receipt, self.summary = receipt, summary
        self.archived, self.summarized = [], []

    def archive(self, messages):
        """Note, spoil and answer."""
        self.archived.append(copy.deepcopy(messages))
        messages.clear()
        return self.receipt

    def summarize(self, messages):
        """Note, spoil and answer."""
        self.summarized.append(copy.deepcopy(messages))
        messages.clear()
        return self.summary


def prepare(messages, calls, state=None, question="Host's question?", **options):
    """Prepare, and prove that the history given was not changed, whatever happens."""
    before = copy.deepcopy(messages)
    try:
        return prepare_context(
            messages, question, context_state() if state is None else state, calls.archive, calls.summarize, **options
        )
    finally:
        assert messages == before
