"""The story of the hand-over: one session looked for the fault, another one shall tell the technician."""

from practices import Budget, Material, fold
from transfer import Handover, Tool

LOG = Material("station.log", "08:39 温度 17.9\n08:40 温度 nan".encode(), "v3", "2026-11-02T08:45:00Z")
REF = fold(
    LOG,
    0,
    len(LOG.data),
    scope="team",
    covers="the last two lines",
    omits="the thirty-nine before",
    budget=Budget(bytes_limit=400, token_estimate_limit=100),
)

READ = Tool("read_file", "1", '{"path":"string"}', effects=False)
MAIL = Tool("send_mail", "2", '{"text":"string","to":"string"}', effects=True)
OPEN_FILE = Tool("open_file", "1", '{"path":"string"}', effects=False)  # another name for the same tool


def handover():
    """Return the material as the old session leaves it."""
    return Handover(
        record="session-1.jsonl",
        goal="tell the technician what is wrong",
        goal_revision=2,
        context_version=7,
        tools=(READ, MAIL),
        mapping={"read_file": "open_file", "send_mail": "send_mail"},
        corrections=("Write to the technician on duty, not to the chief.",),
        fields={"first_bad_value": "08:40", "limit": 30.0},
        evidence=(REF,),
        decisions=("The log is enough; the sensor is not opened.",),
        open_points=("Is it the sensor or the cable?",),
        limits=("one mail",),
    )
