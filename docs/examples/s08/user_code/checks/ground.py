"""What the checks stand on: how a rule is registered, what breaks it, and histories to try it with."""

CHECKS = {}  # by module: rules and the functions that check them


class Broken(Exception):
    """A rule does not hold."""


def check(rule):
    """Register a function as the check of a rule."""

    def register(function):
        CHECKS.setdefault(function.__module__, []).append((rule, function))
        return function

    return register


def expect(condition, why="it does not hold"):
    """Raise Broken unless the condition holds; `assert` would fall silent under `python3 -O`."""
    if not condition:
        raise Broken(why)


def refuses(function, *arguments, kind=ValueError, says="", **options):
    """Expect an error of this kind whose text holds `says`."""
    try:
        function(*arguments, **options)
    except kind as error:
        expect(says in str(error), f"refused, but for another reason: {error}")
        return
    raise Broken(f"accepted: {arguments}")


def call(name, **arguments):
    """Return a call with this id."""
    return {"type": "tool_use", "id": name, "name": "read_file", "input": arguments}


def result(name, content="done", is_error=False):
    """Return a result for the call with this id."""
    return {"type": "tool_result", "tool_use_id": name, "content": content, "is_error": is_error}


def pair(*results):
    """Return the two messages of one exchange."""
    calls = [call(block["tool_use_id"]) for block in results]
    return [{"role": "assistant", "content": calls}, {"role": "user", "content": list(results)}]


def history(*groups):
    """Return a question and one pair for each group of results."""
    return [{"role": "user", "content": "What is wrong?"}, *(message for group in groups for message in pair(*group))]


def short(count):
    """Return a history of that many pairs with 150 characters each: trimming gains nothing there."""
    return history(*([result(f"c{number}", "x" * 150)] for number in range(count)))


BIG = "测" * 601
LARGE_OLD = history([result("a", "x" * 3000), result("b", BIG, True)], [result("c", BIG)])
