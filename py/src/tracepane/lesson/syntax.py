"""What the compiler knows about one source: its definitions, imports, names, and the lines that get events.

Standard library only, and nothing of ours: `interpreter.py` runs this file under CPython 3.14, the version that
lessons run on, whatever Python builds the site. Run as a script it answers one JSON line for each JSON line it reads.
"""

from __future__ import annotations

import ast
import base64
import dis
import io
import json
import sys
import tokenize
import types
import warnings
from collections.abc import Iterator
from typing import Any

# CPython never starts a line at these (Python/instrumentation.c, initialize_lines): a trace function does not see them.
SILENT = frozenset({"RESUME", "END_FOR", "END_ASYNC_FOR", "END_SEND", "POP_ITER", "CACHE"})
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, UnicodeError, tokenize.TokenError)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def describe(data: bytes) -> dict[str, Any]:
    """What a source holds, as JSON.

    `error` ({line, message} or null): it does not compile, and the lists are empty. `definitions`: [qualified
    name, first line with decorators, last line]; `imports`: [module, level, names]; `assigned`: {name bound in the
    module's namespace: line}; `names`: all names it reads; `statements`: [first, last] of each logical line; `codes`:
    {name, first, last, starts} of each code object, outer ones first, where `starts` are the lines that get a line
    event, in the order of the bytecode.
    """
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            code = compile(text, "<source>", "exec", dont_inherit=True, optimize=0)
        statements = list(logical_lines(text))
    except UNREADABLE as error:
        return {**EMPTY, "error": {"line": getattr(error, "lineno", None) or 1, "message": reason(error)}}
    return {
        "error": None,
        "definitions": list(definitions(tree, "")),
        "imports": list(imports(tree)),
        "assigned": assigned(tree),
        "names": sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}),
        "statements": statements,
        "codes": [outline(each) for each in codes(code)],
    }


EMPTY: dict[str, Any] = {"definitions": [], "imports": [], "assigned": {}, "names": [], "statements": [], "codes": []}


def reason(error: BaseException) -> str:
    """The error in words, without the place that SyntaxError appends."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    if isinstance(error, RecursionError | MemoryError):
        return f"{type(error).__name__}: it is nested too deeply"
    return f"{type(error).__name__}: {error}"


def definitions(node: ast.AST, prefix: str) -> Iterator[list[Any]]:
    """Functions and classes at any depth, by qualified name (`Class.method`, `outer.inner`)."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            yield [prefix + child.name, first, child.end_lineno or child.lineno]
            yield from definitions(child, f"{prefix}{child.name}.")
        else:
            yield from definitions(child, prefix)


def imports(tree: ast.AST) -> Iterator[list[Any]]:
    """Every import statement, wherever it stands, and `import_module("…")` with a literal name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ([each.name, 0, []] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield [node.module or "", node.level, [each.name for each in node.names]]
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__") and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield [name.value, 0, []]


def called(node: ast.Call) -> str:
    """The last part of the name that is called."""
    return getattr(node.func, "attr", None) or getattr(node.func, "id", None) or ""


def assigned(tree: ast.Module) -> dict[str, int]:
    """Names that the module binds in its own namespace when it runs, with the first line that does."""
    found: dict[str, int] = {}
    for name, line in bindings(tree):
        found[name] = min(line, found.get(name, line))
    return found


def bindings(node: ast.AST, only: set[str] | None = None) -> Iterator[tuple[str, int]]:
    """Names bound at or below a node in the module's namespace; inside a function those it declares global."""
    for child in ast.iter_child_nodes(node):
        line = getattr(child, "lineno", 0)
        for name in bound(child):
            if not only or name in only:
                yield name, line
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            names = {name for each in ast.walk(child) if isinstance(each, ast.Global) for name in each.names}
            if names:
                yield from bindings(child, names)
        elif not isinstance(child, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            yield from bindings(child, only)
        else:
            # A comprehension has a scope of its own; only `:=` reaches out of it.
            yield from ((each.target.id, each.lineno) for each in ast.walk(child) if isinstance(each, ast.NamedExpr))


def bound(node: ast.AST) -> list[str]:
    """The names that this very node binds."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, SCOPES):
        return [node.name]
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).split(".")[0]]
    names = [getattr(node, field, None) for field in ("name", "rest")]
    holders = (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)
    return [name for name in names if name] if isinstance(node, holders) else []


def logical_lines(text: bytes) -> Iterator[list[int]]:
    """[first, last] of each logical line: a simple statement, or the head of a compound one, over all its lines."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
    first = 0
    for token in tokenize.tokenize(io.BytesIO(text).readline):
        if token.type == tokenize.NEWLINE:
            yield [first, token.start[0]]
            first = 0
        elif token.type not in skipped and not first:
            first = token.start[0]


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those nested in it, outer ones first."""
    yield code
    for constant in code.co_consts:
        # Annotations are code that runs only when somebody asks for them (PEP 649): nobody waits there.
        if isinstance(constant, types.CodeType) and constant.co_name != "__annotate__":
            yield from codes(constant)


def outline(code: types.CodeType) -> dict[str, Any]:
    """Name, lines and event lines of one code object."""
    first = max(code.co_firstlineno, 1)
    lines = [line for _, _, line in code.co_lines() if line]
    return {
        "name": code.co_qualname,
        "first": min([first, *lines]),
        "last": max([first, *lines]),
        "starts": list(dict.fromkeys(starts(code))),
    }


def starts(code: types.CodeType) -> Iterator[int]:
    """Lines that get a line event, in the order of the bytecode; what runs before the first RESUME gets none."""
    resumed = False
    for each in dis.get_instructions(code):
        line = each.positions.lineno if each.positions else None
        if resumed and line and each.opname not in SILENT:
            yield line
        resumed = resumed or each.opname == "RESUME"


def serve() -> None:
    """Answer each line of standard input ({"data": base64}) with one line of standard output."""
    for line in sys.stdin:
        answer = describe(base64.b64decode(json.loads(line)["data"]))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
