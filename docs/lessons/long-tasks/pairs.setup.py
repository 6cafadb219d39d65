"""Build the history of the scenario."""

from calls import answered, asked, call, lost_mail, question, refused_restart, result, two_readings

messages = [question(), *two_readings(), *refused_restart()]

if scenario == "unknown":
    messages += lost_mail()
elif scenario == "half":
    messages += [
        asked(call(5, "read_file", path="a.log"), call(6, "read_file", path="b.log"), call(7, "send_mail", to="chief")),
        answered(result(5, "done", "all well"), result(6, "done", "all well")),  # and call_7?
    ]
elif scenario == "late":
    messages += [asked(call(5, "read_file", path="a.log")), {"role": "user", "content": "Are you still there?"}]
    messages += [answered(result(5, "done", "all well"))]
elif scenario == "silent":
    messages += lost_mail()
    messages[-1]["content"][0]["content"] = "The mail is on its way."  # friendly, and no outcome
