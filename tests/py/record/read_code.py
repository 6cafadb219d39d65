"""Reads the codes of modules given by name as the recorder does, and with `dis`; prints where the two differ."""

from __future__ import annotations

import dis
import importlib.util
import opcode
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "py" / "src"))
TOOL = 3  # an id of sys.monitoring
LINE = opcode.opmap.get("INSTRUMENTED_LINE", -1)


def codes(code: CodeType) -> Iterator[CodeType]:
    """A code and all that are in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes(each)


def long(count: int) -> CodeType:
    """A code with more names and longer jumps than fit one byte."""
    lines = [f"    a{n} = b{n}.c{n}[{n}]; a{n} += g(x{n}, k{n}=1)" for n in range(count)]
    return compile("def f():\n  for i in h:\n    global " + ", ".join(f"a{n}" for n in range(count)) + "\n"
                   + "\n".join(lines) + "\n", "long.py", "exec")  # fmt: skip


def differences(code: CodeType) -> Iterator[str]:
    """What is read of each instruction that is not what `dis` says."""
    from tracepane.record.bytecode.instructions import JUMPS, STEPS, Bytecode

    bytecode = Bytecode(code)
    place = 0
    inner = []
    each: Any
    for each in dis.get_instructions(code):
        while place < each.offset:
            place += STEPS[code.co_code[place]]
        found: Any = (place, bytecode.argument(place) if each.arg is not None else None, bytecode.span(place).line)
        told: Any = (each.offset, each.arg, each.line_number)
        if JUMPS[each.opcode] or (each.jump_target is not None and each.opname != "END_ASYNC_FOR"):
            found, told = (*found, bytecode.target(place)), (*told, each.jump_target)
        name = bytecode.name(place)
        if name:
            found, told = (*found, name), (*told, each.argval)
        elif isinstance(each.argval, str) and each.argval and "NAME" in each.opname:
            told = (*told, each.argval)
        if found != told:
            yield f"{code.co_qualname} {each.opname}: {found}, not {told}"
        if isinstance(each.argval, CodeType):
            inner.append((each.argval, each.line_number or each.argval.co_firstlineno))
    if bytecode.inner() != inner:
        yield f"{code.co_qualname}: {bytecode.inner()}, not {inner}"
    if bytecode.starts() != starts(code, STEPS):
        yield f"{code.co_qualname}: lines start at {sorted(bytecode.starts() ^ starts(code, STEPS))}, or not"
    for entry in dis._parse_exception_table(code):  # type: ignore[attr-defined]
        for place in (entry.start, entry.end - 2):
            if bytecode.handler(place) != entry.target:
                yield f"{code.co_qualname}: exceptions at {place} lead to {bytecode.handler(place)}, not {entry.target}"


def starts(code: CodeType, steps: bytes) -> set[int]:
    """Where CPython itself puts the instruction that makes line events, when a tool asks for them."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined]
    if monitoring.get_tool(TOOL) is None:
        monitoring.use_tool_id(TOOL, "starts")
    monitoring.set_local_events(TOOL, code, monitoring.events.LINE)
    raw = code._co_code_adaptive  # type: ignore[attr-defined]
    monitoring.set_local_events(TOOL, code, 0)
    places, place = [], 0
    while place < len(raw):
        places.append(place)
        place += steps[code.co_code[place]]
    return {place for place in places if raw[place] == LINE}


def main() -> None:
    """Each module, and a code that needs EXTENDED_ARG."""
    count = 0
    found = [long(300)]
    for name in sys.argv[1:]:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        found.append(compile(Path(spec.origin).read_bytes(), name, "exec", dont_inherit=True))
    for whole in found:
        for code in codes(whole):
            count += 1
            for each in differences(code):
                print(each)
    print(count, "codes")


if __name__ == "__main__":
    main()
