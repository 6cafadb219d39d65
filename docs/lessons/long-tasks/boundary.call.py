"""Try to commit; if a call is in flight, wait for it and try twice more."""

from boundary import commit_at_boundary, go_back


def attempt(now, rewrite):
    """Try once, and print what came of it."""
    outcome = commit_at_boundary(selected, now, rewrite, save)
    print(f"{'COMMITTED' if outcome.committed else 'kept the old'}: {outcome.reason}")
    return outcome.selected


if trouble == "in flight":
    station = ask_station()
    next(station)  # call_2 runs
    selected = attempt(now, rewrite)

    result = {"role": "user", "content": next(station)}
    selected = Selected([*selected.messages, result])
    now = Moment(replace(basis, revision=8))  # a new message is a new revision
    selected = attempt(now, rewrite)

    rewrite = Rewrite(now.basis, [*rewrite.messages, result])
    selected = attempt(now, rewrite)
else:
    selected = attempt(now, rewrite)

print("messages of the next request:", len(selected.messages))
if selected.way_back:
    print("messages on the way back:", len(go_back(selected, folder).messages))
