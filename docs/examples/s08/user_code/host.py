"""The host of the practice: what a history that may be shortened must not decide.

Models only ask. The host keeps the counters, the snapshots, the loaded rules and the user's word.
"""

from functools import partial

from s08.core.runtime import archive_writer, compact_json, context_state, history_bytes, prepare_context
from s08.user_code.texts import QUESTION


class Host:
    """One run: `files` of the project, `decide` is the user, `start` runs a program."""

    def __init__(self, files, summary, decide, start, budget=3200, max_summaries=2):
        self.files, self.decide, self.start = files, decide, start
        self.context = context_state(max_summaries)
        self.shorten = partial(
            prepare_context,
            question=QUESTION,
            state=self.context,
            archive=archive_writer(files.directory / ".context"),
            summarize=summary,
            budget=budget,
        )
        self.rules = None  # the skill that is loaded
        self.preparations, self.asked, self.outcome = [], [], None

    def prepare(self, messages):
        """Return a candidate for the next request, and note what was done for it."""
        note = {"request": len(self.preparations) + 1, "before": history_bytes(messages)}
        self.preparations.append(note)
        saved, tried = len(self.context["archives"]), self.context["summaries"]
        try:
            candidate = self.shorten(messages)
            note["after"] = history_bytes(candidate)
        finally:  # a failure leaves its snapshot and its attempt too
            note["receipts"] = self.context["archives"][saved:]
            note["summarised"] = self.context["summaries"] > tried
        if note["summarised"]:
            self.rules = None  # a text about the rules is not the rules
        return candidate

    def load_skill(self, skill):
        """Return the rules of a skill; from now on they are loaded."""
        rules = self.files.read(f"skills/{skill}.md")
        self.rules = skill
        return rules

    def run_program(self, path):
        """Start a program by loaded rules, and after a yes to this very start."""
        if self.rules is None:
            raise PermissionError("load the rules first: none are loaded")
        program = self.files.inside(path)
        allowed = self.decide(f"May {path} be started now?") is True
        self.asked.append({"path": path, "allowed": allowed})
        if not allowed:
            raise PermissionError(f"{path} was not started: the user did not allow it")
        self.outcome = self.start(program)
        return compact_json(self.outcome)
