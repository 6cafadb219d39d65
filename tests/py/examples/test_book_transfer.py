"""A hand-over: nothing pending, nothing unknown, tools compared, and a check at the moment of starting."""

from dataclasses import replace

import pytest

from ledger import ENDED, Action
from practices import Budget, Material, fold
from transfer import Accepted, Handover, Tool, TransferRefused, World, accept, dispatch

LOG = Material("log-7", "08:40 测量 nan".encode(), "v3", "2026-11-02T08:45:00Z")
REF = fold(LOG, 0, 16, scope="team", covers="a line", omits="the rest", budget=Budget(999, 999))
READ = Tool("read_file", "1", '{"path":"string"}', effects=False)
MAIL = Tool("send_mail", "2", '{"to":"string"}', effects=True)
NEW = (replace(READ, name="open_file"), MAIL)
HANDOVER = Handover(
    record="messages-41",
    goal="find the missing value",
    goal_revision=2,
    context_version=7,
    tools=(READ, MAIL),
    mapping={"read_file": "open_file", "send_mail": "send_mail"},
    corrections=("Use local time.",),
    fields={"limit": 30.0, "span": {"hours": (8, 9)}},
    evidence=(REF,),
    decisions=("read the log first",),
    open_points=("is the sensor broken?",),
    limits=("10 requests",),
)
DONE = [Action("act-1", "read the log", False, 2, "done")]
WORLD = World(
    task="station",
    permitted=lambda tool: True,  # noqa: ARG005
    owner=lambda task: "new",  # noqa: ARG005
    updaters=lambda task: [],  # noqa: ARG005
    load=lambda ref: LOG,  # noqa: ARG005
    scopes=["team"],
)


def refused(call, *arguments):
    """Return the reasons for which a step is refused."""
    with pytest.raises(TransferRefused) as told:
        call(*arguments)
    return told.value.reasons


def test_whole_material_is_accepted_and_starts_a_session():
    """All of it stands in the one message, which is the user's: nobody is made to have said it."""
    session = dispatch(accept(HANDOVER, DONE, NEW, (2, 7)), "new", WORLD)
    [message] = session.messages
    assert message["role"] == "user"
    for part in (
        "messages-41",
        "goal_revision: 2",
        "context_version: 7",
        "Use local time.",
        '{"limit":30.0,"span":{"hours":[8,9]}}',
    ):
        assert part in message["content"]
    for part in (REF.sha256, "read the log first", "is the sensor broken?", "10 requests", "not yours"):
        assert part in message["content"]
    assert session.tools == ("open_file", "send_mail")
    assert "read_file" not in message["content"]


@pytest.mark.parametrize("current", [(3, 7), (2, 8)])
def test_material_of_an_older_revision_is_refused(current):
    """Of the goal, or of the context."""
    assert len(refused(accept, HANDOVER, DONE, NEW, current)) == 1


@pytest.mark.parametrize(
    ("state", "reason"), [("open", "act-1 has not ended"), ("unknown", "look up first: act-1 may be done")]
)
def test_old_actions_have_ended_and_are_known(state, reason):
    """What may have happened is looked up before anybody else goes on."""
    assert refused(accept, HANDOVER, [replace(DONE[0], state=state)], NEW, (2, 7)) == (reason,)
    for known in ENDED:
        assert accept(HANDOVER, [replace(DONE[0], state=known)], NEW, (2, 7)) == Accepted(HANDOVER)


@pytest.mark.parametrize("change", [{"version": "3"}, {"schema": '{"to":"array"}'}, {"effects": False}])
def test_an_equal_name_does_not_make_an_equal_tool(change):
    """Version, arguments and effects do."""
    [reason] = refused(accept, HANDOVER, DONE, (NEW[0], replace(MAIL, **change)), (2, 7))
    assert reason == "send_mail is not what send_mail was"


def test_each_tool_has_a_successor():
    """Mapped, and offered."""
    assert "no successor" in refused(accept, HANDOVER, DONE, NEW[:1], (2, 7))[0]
    assert "no successor" in refused(accept, replace(HANDOVER, mapping={}), DONE, NEW, (2, 7))[0]


def test_all_reasons_are_told():
    """Who mends one shall know of the others."""
    actions = [replace(DONE[0], state="open"), replace(DONE[0], identity="act-2", state="unknown")]
    assert len(refused(accept, HANDOVER, actions, (), (0, 0))) == 5


def gone(_):
    """Stand for a store that has deleted the original."""
    raise LookupError("log-7 was deleted")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"permitted": lambda tool: tool != "send_mail"}, "send_mail is not permitted now"),
        ({"owner": lambda _: "old"}, "the task is old's, not new's"),
        ({"updaters": lambda _: ["old"]}, "old still writes to the task"),
        ({"load": gone}, "log-7 was deleted"),
        ({"load": lambda _: replace(LOG, version="v4")}, "version v4, not v3"),
        ({"load": lambda _: replace(LOG, data=b"other bytes, as many")}, "its hash differs"),
        ({"scopes": ["public"]}, "scope team may not be shown"),
        ({"scopes": "team"}, "a list of texts"),
    ],
)
def test_the_dispatch_check_asks_what_is_true_now(change, reason):
    """Permission, ownership, updaters; each reference readable, and allowed to be sent."""
    [told] = refused(dispatch, Accepted(HANDOVER), "new", replace(WORLD, **change))
    assert reason in told


@pytest.mark.parametrize("end", [0, -1])
def test_a_reference_to_no_bytes_is_a_reason(end):
    """Nobody folds such a range, but material comes from elsewhere."""
    material = Accepted(replace(HANDOVER, evidence=(replace(REF, end=end),)))
    assert len(refused(dispatch, material, "new", WORLD)) == 1


def test_only_accepted_material_is_dispatched():
    """The first check cannot be left out by mistake."""
    with pytest.raises(AttributeError):
        dispatch(HANDOVER, "new", WORLD)


@pytest.mark.parametrize("change", [{"goal": " "}, {"record": ""}])
def test_material_names_its_goal_and_its_record(change):
    """Without them nothing can be traced."""
    with pytest.raises(ValueError, match="must be text"):
        replace(HANDOVER, **change)
