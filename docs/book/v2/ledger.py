"""Keep the program's own record of its actions, so that no summary has to be believed about them.

The ledger is a file of JSON lines. What an action is going to do is written *before* it starts, what came of it
afterwards. Whoever opens the file later, perhaps after a crash, sees which actions ended and how, and which ones
nobody knows the end of. The model is given a projection of it; a candidate that says otherwise is refused.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from candidate import Entry, Parts, check_same

OPEN, UNKNOWN = "open", "unknown"
ENDED = ("done", "failed", "not done")  # "not done": looked up, and it never happened

Projection = dict[str, dict[str, Entry]]  # "open_actions" and "unknowns", as a candidate has them
LookUp = Callable[[str], tuple[str, str] | None]  # identity to state and result
Run = Callable[[], str]  # to the result


@dataclass(frozen=True)
class Action:
    """One action: its identity, what it is to do, whether that has effects outside, and what is known of its end.

    `line` is where in the ledger this stands: each entry about an action has a line of its own.
    """

    identity: str
    intent: str
    effects: bool
    line: int
    state: str = OPEN
    result: str = ""

    def entry(self) -> Entry:
        """Return the action as the model is told about it, linked to its line."""
        return Entry(self.intent, self.identity, f"line {self.line}")


class Ledger:
    """The actions of a task, in a file that is only added to."""

    def __init__(self, path: str | Path) -> None:
        """Read what the file holds.

        A last line that a crash cut off was never confirmed: it is cut.
        """
        self.path, self.lines = Path(path), 0
        self.actions: dict[str, Action] = {}
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        for line in whole.decode("utf-8").split("\n")[:-1]:
            self.take(Action(**json.loads(line)))

    def intend(self, identity: str, intent: str, *, effects: bool) -> Action:
        """Write down an action before it starts.

        An identity is used once: a lost result is looked up by it.
        """
        if identity in self.actions:
            raise ValueError(f"{identity} is taken")
        line = self.lines + 1
        return self.write(Action(identity, intent, effects, line))

    def settle(self, identity: str, state: str, result: str = "") -> Action:
        """Write down how an action ended, or that this is unknown.

        What has ended is never ended again.
        """
        action = self.actions[identity]
        if action.state in ENDED or state not in (*ENDED, UNKNOWN):
            raise ValueError(f"{action.state} cannot become {state}")
        changed = replace(action, state=state, result=result)
        return self.write(replace(changed, line=self.lines + 1))

    def lose_open(self) -> list[Action]:
        """After a crash: what was begun is unknown, not failed."""
        actions = [*self.actions.values()]
        lost = [each.identity for each in actions if each.state == OPEN]
        return [self.settle(identity, UNKNOWN) for identity in lost]

    def project(self) -> Projection:
        """Return what every later request carries: open, and unknown."""
        projection: Projection = {"open_actions": {}, "unknowns": {}}
        for identity, action in self.actions.items():
            if action.state == OPEN:
                projection["open_actions"][identity] = action.entry()
            elif action.state == UNKNOWN:
                projection["unknowns"][identity] = action.entry()
        return projection

    def check_candidate(self, parts: Parts) -> None:
        """Raise CandidateRefused unless both parts are as projected."""
        for part, known in self.project().items():
            check_same(part, parts[part], known)

    def recover(self, identity: str, look_up: LookUp, repeat: Run) -> Action:
        """Find out about a lost result.

        With effects it is looked up, never repeated. Without, it may run
        again. `look_up(identity)` asks whoever was to act; None: it cannot
        tell.
        """
        action = self.actions[identity]
        if action.state != UNKNOWN:
            raise ValueError(f"nothing is lost: it is {action.state}")
        if not action.effects:
            return self.settle(identity, "done", repeat())
        found = look_up(identity)
        if found is None:
            return action  # still unknown, and each request says so
        state, result = found
        return self.settle(identity, state, result)

    def write(self, action: Action) -> Action:
        """Add a line, safely; OSError: nothing was added."""
        text = json.dumps(asdict(action), ensure_ascii=False) + "\n"
        data = text.encode("utf-8")
        with self.path.open("ab", buffering=0) as file:
            end = file.tell()
            try:
                if file.write(data) < len(data):
                    raise OSError("only a part of the line fitted in")
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
        return self.take(action)

    def take(self, action: Action) -> Action:
        """Know the action as its newest line has it."""
        self.actions[action.identity] = action
        self.lines += 1
        return action
