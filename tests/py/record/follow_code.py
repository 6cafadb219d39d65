"""Run the programs of the tests under a trace function that holds CPython to what stretches say of the next event.

Prints how many lines and returns came as said, and each that did not.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "py" / "src"), str(Path(__file__).parent)]

from corpus import PROGRAMS  # noqa: E402
from stored import PROGRAMS as STORED  # noqa: E402

from tracepane.record.bytecode.code import Code  # noqa: E402
from tracepane.record.bytecode.instructions import Bytecode, table  # noqa: E402
from tracepane.record.bytecode.lines import Stretch  # noqa: E402

SECONDS = 20
RETURNS = table(("RETURN_VALUE",))
# Programs of the library, whose code is traced as well: much that no test program has.
LIBRARY = {
    "asyncio": """
import asyncio
async def numbers():
    for number in range(3):
        await asyncio.sleep(0)
        yield number
async def main():
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(asyncio.sleep(0, n)) for n in range(3)]
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(1)
    except TimeoutError:
        pass
    return [each.result() for each in tasks], [number async for number in numbers()]
asyncio.run(main())
""",
    "declared": """
import contextlib, dataclasses, enum, typing
@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: list = dataclasses.field(default_factory=list)
class Side(enum.Flag):
    LEFT = 1
    RIGHT = 2
    BOTH = 3
with contextlib.ExitStack() as stack:
    stack.callback(str)
    stack.enter_context(contextlib.suppress(ValueError))
    raise ValueError(Point(1) < Point(2), Side.LEFT | Side.RIGHT, typing.get_type_hints(Point))
""",
    "texts": """
import argparse, ast, difflib, inspect, json, pprint, re, textwrap, tokenize, io
source = inspect.getsource(textwrap)
ast.unparse(ast.parse(source))
list(tokenize.generate_tokens(io.StringIO(source).readline))
re.compile(r"(?P<a>x+)|(?:y*?z){2,3}(?<=q)[^a-z]")
json.dumps({"a": [1, {"b": None}]}, indent=2)
pprint.pformat({"a": list(range(40))})
list(difflib.unified_diff(["a", "b"], ["a", "c"]))
parser = argparse.ArgumentParser()
parser.add_argument("-x", type=int)
parser.parse_args(["-x", "4"])
""",
}


class Follower:
    """Knows the stretches of all code that runs, each line of which begins when it first runs."""

    def __init__(self) -> None:
        self._codes: dict[types.CodeType, Code] = {}
        self.right, self.wrong = 0, list[str]()

    def trace(self, frame: types.FrameType, _event: str, _arg: Any) -> Any:
        """The global trace function: a local one for each frame."""
        code = frame.f_code
        if code not in self._codes:
            self._codes[code] = Code(code, code.co_filename, code.co_firstlineno)
        stretches = self._codes[code].stretches
        returns = Bytecode(code).places(RETURNS)  # an exception leaves a frame elsewhere
        ran: Stretch | None = stretches.at(frame.f_lasti)

        def local(frame: types.FrameType, event: str, _arg: Any) -> Any:
            nonlocal ran
            here = stretches.at(frame.f_lasti)
            if event == "line":
                if ran is not None and ran.following is not None:
                    self._judge(ran.following is here, frame, ran)
                if not here.begun and here.line:
                    here.begun = True
                    stretches.begin(frame.f_lasti, here)
            elif event == "return" and frame.f_lasti in returns and ran is not None and ran.returns >= 0:
                self._judge(ran.returns == frame.f_lineno, frame, ran)
            ran = here if event == "line" else None
            return local

        return local

    def _judge(self, right: bool, frame: types.FrameType, ran: Stretch) -> None:
        if right:
            self.right += 1
        else:
            place = f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}"
            self.wrong.append(f"{place}: line {frame.f_lineno} at {frame.f_lasti} came after line {ran.line}")


def follow(name: str, source: str, told: int) -> None:
    """Run one program, and tell."""
    # Programs may replace what they like.
    write, leave, set_trace, text = os.write, os._exit, sys.settrace, str
    follower = Follower()
    signal.alarm(SECONDS)
    try:
        code = compile(source, name, "exec")
        sys.settrace(follower.trace)
        try:
            exec(code, {"__name__": "__main__", "__builtins__": dict(vars(__builtins__))})
        finally:
            set_trace(None)
    except BaseException:
        pass
    for each in follower.wrong[:5]:
        write(told, f"wrong: {each}\n".encode())
    write(told, b"right: " + text(follower.right).encode() + b"\n")
    leave(0)


def main() -> None:
    """Each program in a process of its own."""
    told = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        programs = {**PROGRAMS, **STORED, **LIBRARY}
        del programs["lines_untold"]  # it asks for no line events; the recorder takes the long way
        for name, source in programs.items():
            child = os.fork()
            if not child:
                follow(name, source, told)
            os.waitpid(child, 0)


if __name__ == "__main__":
    assert asyncio  # what is imported here is not traced when programs import it
    main()
