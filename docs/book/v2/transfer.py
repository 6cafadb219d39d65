"""Start a new session from accepted material: the other way to go on when the old input can no longer be rewritten.

First the material is accepted: it is whole, what the old session began has ended, no effect is unknown, and each tool
was compared with the one that takes its place. Then, at the moment of starting, a dispatch check asks what is true
*now*: permission, ownership, updaters that still live, and whether each reference can be read and may be sent. Only
then does the session start, with the material as the input of a new task.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from ledger import ENDED, UNKNOWN, Action
from practices import Budget, Material, MaterialRef, canonical_json, check_texts, expand, hash_bytes


@dataclass(frozen=True)
class Tool:
    """A tool as a session knows it. Its name says nothing about the rest."""

    name: str
    version: str
    schema: str  # canonical JSON of its arguments
    effects: bool

    def digest(self) -> str:
        """Return a hash of all but the name: equal digests mean that calls mean the same."""
        return hash_bytes(canonical_json([self.version, self.schema, self.effects]))


@dataclass(frozen=True)
class Handover:
    """The accepted material. `record` names the original record; `mapping` gives each old tool its new name."""

    record: str
    goal: str
    goal_revision: int
    context_version: int
    tools: tuple[Tool, ...]
    mapping: Mapping[str, str]
    corrections: tuple[str, ...]
    fields: Mapping[str, object]
    evidence: tuple[MaterialRef, ...]
    decisions: tuple[str, ...]
    open_points: tuple[str, ...]
    limits: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse material without a goal, or without the record that everything in it can be traced to."""
        check_texts(record=self.record, goal=self.goal)


@dataclass(frozen=True)
class Accepted:
    """Material that `accept` let through. It may start a session once `dispatch` agrees too."""

    handover: Handover


@dataclass(frozen=True)
class World:
    """What is true at the moment of starting, asked anew: nothing of it is taken from the old session."""

    task: str
    permitted: Callable[[str], bool]  # may this tool be used now?
    owner: Callable[[str], str]  # which session owns the task?
    updaters: Callable[[str], Sequence[str]]  # which sessions still write to it?
    load: Callable[[MaterialRef], Material]  # the original, or a LookupError that says why not
    scopes: Sequence[str]  # what may be sent to the new session


@dataclass(frozen=True)
class Session:
    """A session that may start: who it is, the tools it may use, and its first and only message."""

    name: str
    tools: tuple[str, ...]
    messages: tuple[dict[str, str], ...]


class TransferRefused(Exception):
    """The hand-over does not take place; `reasons` are all that were found, not only the first."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


def accept(
    handover: Handover,
    actions: Sequence[Action],
    tools: Sequence[Tool],
    current: tuple[int, int],
) -> Accepted:
    """Return the material if it can be taken over.

    `actions` are those of the old session's ledger, `tools` are the new
    session's, `current` the goal's revision and the context's version.
    TransferRefused: with all reasons, not only the first.
    """
    reasons = []
    made = (handover.goal_revision, handover.context_version)
    if made != current:
        reasons.append(f"goal and context were {made}, are {current}")
    for action in actions:
        if action.state == UNKNOWN:
            reasons.append(f"look up first: {action.identity} may be done")
        elif action.state not in ENDED:
            reasons.append(f"{action.identity} has not ended")

    offered = {tool.name: tool for tool in tools}
    for tool in handover.tools:
        name = handover.mapping.get(tool.name)
        if name not in offered:
            reasons.append(f"the tool {tool.name} has no successor")
        elif offered[name].digest() != tool.digest():
            reasons.append(f"{name} is not what {tool.name} was")

    if reasons:
        raise TransferRefused(reasons)
    return Accepted(handover)


def dispatch(accepted: Accepted, session: str, world: World) -> Session:
    """Return the session that may start.

    No permission comes with the material: each tool is asked for anew.
    TransferRefused: with all reasons that hold now.
    """
    handover, reasons = accepted.handover, []
    names = [handover.mapping[tool.name] for tool in handover.tools]
    for name in names:
        if not world.permitted(name):
            reasons.append(f"{name} is not permitted now")
    owner = world.owner(world.task)
    if owner != session:
        reasons.append(f"the task is {owner}'s, not {session}'s")
    for name in world.updaters(world.task):
        reasons.append(f"{name} still writes to the task")
    for ref in handover.evidence:
        problem = unreadable(ref, world)
        if problem:
            reasons.append(problem)

    if reasons:
        raise TransferRefused(reasons)
    message = {"role": "user", "content": opening(handover)}
    return Session(session, tuple(names), (message,))


def unreadable(ref: MaterialRef, world: World) -> str | None:
    """Say why a reference cannot be read or may not be sent in the new scope, or None. Being read is not enough."""
    try:
        whole = Budget(bytes_limit=ref.end - ref.start, token_estimate_limit=ref.end - ref.start)
        expand(ref, world.load(ref), allowed=world.scopes, budget=whole)
    except (LookupError, ValueError) as error:
        return str(error)
    return None


def opening(handover: Handover) -> str:
    """Return the new task's input. It speaks as the host, and never as an assistant that had said all this."""
    parts = asdict(handover)
    parts["tools"] = [handover.mapping[tool.name] for tool in handover.tools]
    del parts["mapping"]
    lines = ["Go on with a task that another session began. What follows was handed over and accepted by the host."]
    lines += [f"{name}: {canonical_json(plain(value)).decode()}" for name, value in parts.items()]
    lines.append(
        "Permissions that were given to the other session are not yours. Expand a reference before relying on it."
    )
    return "\n".join(lines)


def plain(value: object) -> object:
    """Return the value with lists where it has tuples, as JSON knows them."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value
