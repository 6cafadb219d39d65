/**
 * Known differences between native CPython and the browser's, told from the evidence at the first event that differs. The names
 * are those of `tracepane compare` (py/src/tracepane/check/reasons.py), and so are the marks by which they are known.
 */
import { type AtomText, type Evidence, integer } from "./evidence.ts";

export { Evidence } from "./evidence.ts";

export type Reason =
  | "pointer width"
  | "object size"
  | "errno"
  | "hash"
  | "id"
  | "last digit"
  | "set order"
  | "recursion depth"
  | "garbage collection"
  | "environment"
  | "message wording";

/** The likely reason of a difference, null when none of the known ones shows its mark. */
export function likelyReason(seen: Evidence): Reason | null {
  return RULES.find(([, rule]) => rule(seen))?.[0] ?? null;
}

/** Numbers of a 64-bit build and of a 32-bit one that stand for each other. */
const WIDTHS: readonly (readonly [bigint, bigint])[] = [
  [2n ** 63n - 1n, 2n ** 31n - 1n],
  [2n ** 64n - 1n, 2n ** 32n - 1n],
  [2n ** 64n, 2n ** 32n],
  [-(2n ** 63n), -(2n ** 31n)],
  [2n ** 63n, 2n ** 31n],
  [64n, 32n],
];

const OS_ERRORS = new Set(
  `OSError FileNotFoundError FileExistsError PermissionError IsADirectoryError NotADirectoryError BlockingIOError
  ChildProcessError ConnectionError InterruptedError TimeoutError ProcessLookupError`.split(/\s+/),
);

const SIZED = /maxsize|calcsize|sizeof|c_void_p|c_s?size_t|c_u?long\b|array\(|architecture|bit_length/;
const MEASURED = /getsizeof|__sizeof__|tracemalloc|getallocatedblocks/;
const MACHINE =
  /\bos\.(environ|getenv|name|uname|getpid|getuid|cpu_count|getlogin|get_terminal_size)|\bplatform\.|\bsys\.(platform|version|executable|prefix|path|flags|implementation|builtin_module_names|stdlib_module_names|int_info|float_info|thread_info|hash_info|api_version|hexversion|abiflags|modules)|\btime\.(tzname|timezone)|\bsysconfig\.|\blocale\.|\bsocket\.|\bgetpass\.|expanduser|Path\.home|astimezone|__file__/;

// In this order: the sharper mark first.
const RULES: readonly (readonly [Reason, (seen: Evidence) => boolean])[] = [
  ["pointer width", pointerWidth],
  ["object size", (seen) => seen.numbers && MEASURED.test(seen.code)],
  ["errno", errno],
  ["hash", (seen) => seen.numbers && /\bhash\(|__hash__/.test(seen.code)],
  ["id", identity],
  ["last digit", (seen) => seen.pairs.some(([a, b]) => areClose(a, b))],
  ["set order", setOrder],
  ["recursion depth", (seen) => seen.types.has("RecursionError") || seen.types.has("MemoryError")],
  ["garbage collection", collection],
  ["environment", (seen) => MACHINE.test(seen.code)],
  ["message wording", wording],
];

export const REASONS: readonly Reason[] = RULES.map(([name]) => name);

function pointerWidth(seen: Evidence): boolean {
  const pairs = seen.pairs.map(([a, b]) => [integer(a), integer(b)]);
  const are = (one: bigint, other: bigint) =>
    pairs.some(([a, b]) => (a === one && b === other) || (a === other && b === one));
  return WIDTHS.some(([wide, narrow]) => are(wide, narrow)) || (are(8n, 4n) && SIZED.test(seen.code));
}

function errno(seen: Evidence): boolean {
  const system = [...seen.types].some((type) => OS_ERRORS.has(type)) && seen.pairs.some(([a]) => integer(a) !== null);
  return system || /\bErrno\b/.test(seen.said) || /\berrno\b/.test(seen.code);
}

function identity(seen: Evidence): boolean {
  const address = seen.pairs.some(([a, b]) => a.text.startsWith("0x") && b.text.startsWith("0x"));
  return address || (seen.numbers && /\bid\(/.test(seen.code));
}

/** A set that is made where it is walked, so that no variable ever held it. */
const SET_MADE = /\bset\(|frozenset|\{[^:{}]*,[^:{}]*\}|\{[^:{}]*\bfor\b[^{}]*\}/;

function setOrder(seen: Evidence): boolean {
  const { pairs, sets } = seen;
  if (pairs.some(([a, b]) => sets.some((members) => members.has(a.text) && members.has(b.text)))) return true;
  const moved = pairs.length > 0 && sameAtoms(seen.left, seen.right);
  const walked = /\bfor\b/.test(seen.code) && pairs.some(([a, b]) => a.type === "str" && b.type === "str");
  return (moved || walked) && SET_MADE.test(seen.code);
}

function sameAtoms(left: readonly AtomText[], right: readonly AtomText[]): boolean {
  const sorted = (atoms: readonly AtomText[]) => atoms.map(({ type, text }) => `${type} ${text}`).sort();
  const other = sorted(right);
  return left.length === right.length && sorted(left).every((text, at) => text === other[at]);
}

/** Whether two different texts of floats are within a few units of the last place. */
function areClose(left: AtomText, right: AtomText): boolean {
  if (left.type !== "float" && right.type !== "float") return false;
  const [a, b] = [Number(left.text), Number(right.text)];
  return a !== b && Math.abs(a - b) <= 1e-13 * Math.max(Math.abs(a), Math.abs(b));
}

/** Garbage dies at any line, so the line behind the difference need not be the one that mentions it. */
function collection(seen: Evidence): boolean {
  const mentioned = /\bgc\.|\bweakref\b|__del__|finalize\(/.test(seen.source);
  return seen.functions.has("__del__") || (seen.diverted && mentioned);
}

function wording(seen: Evidence): boolean {
  const [one, other] = seen.versions;
  const texts = seen.pairs.every(([a, b]) => a.type === "str" && b.type === "str");
  return seen.types.size === 1 && !seen.diverted && one !== other && texts;
}
