"""Take the record of a long morning, and the shorter history that somebody proposes."""

import copy

from calls import lost_mail, question, refused_restart, result, two_readings

record = [question(), *two_readings(), *refused_restart(), *lost_mail()]

if scenario == "settled":
    proposed = [question(), *refused_restart(), *lost_mail()]
elif scenario == "refusal":
    proposed = [question(), *lost_mail()]
elif scenario == "tidied":
    proposed = copy.deepcopy(record)
    proposed[6]["content"] = [result(4, "done", "the mail was sent")]
elif scenario == "half":
    proposed = copy.deepcopy(record)
    del proposed[1]["content"][1], proposed[2]["content"][1]  # the reading that failed
