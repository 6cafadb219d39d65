/**
 * Takes the network, and all else that the interpreter does not need, from the worker. An allow list: a browser
 * that learns a new way to reach out tomorrow does not open a hole.
 */

const LANGUAGE = [
  "AggregateError",
  "Array",
  "ArrayBuffer",
  "AsyncDisposableStack",
  "Atomics",
  "BigInt",
  "BigInt64Array",
  "BigUint64Array",
  "Boolean",
  "DataView",
  "Date",
  "DisposableStack",
  "Error",
  "EvalError",
  "FinalizationRegistry",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "Infinity",
  "Int16Array",
  "Int32Array",
  "Int8Array",
  "Intl",
  "Iterator",
  "JSON",
  "Map",
  "Math",
  "NaN",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "RangeError",
  "ReferenceError",
  "Reflect",
  "RegExp",
  "Set",
  "SharedArrayBuffer",
  "String",
  "SuppressedError",
  "Symbol",
  "SyntaxError",
  "TypeError",
  "URIError",
  "Uint16Array",
  "Uint32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "WeakMap",
  "WeakRef",
  "WeakSet",
  "decodeURI",
  "decodeURIComponent",
  "encodeURI",
  "encodeURIComponent",
  "escape",
  "globalThis",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "undefined",
  "unescape",
];

// What Emscripten's code names while a program runs: memory, time, text, timers.
const PLATFORM = [
  "DOMException",
  "TextDecoder",
  "TextEncoder",
  "WebAssembly",
  "clearTimeout",
  "constructor",
  "crypto",
  "performance",
  "queueMicrotask",
  "self",
  "setTimeout",
];

const KEPT = new Set<PropertyKey>([...LANGUAGE, ...PLATFORM, Symbol.toStringTag]);

/** Removes from `scope` and its prototypes every name that is not on the list; gives the names that it could not remove. */
export function lockScope(scope: object): string[] {
  const left: string[] = [];
  for (
    let level: object | null = scope;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Reflect.ownKeys(level)) {
      if (!KEPT.has(name) && !remove(level, name)) left.push(String(name));
    }
  }
  closeCompilers();
  silenceConsole(scope);
  return left;
}

function remove(level: object, name: PropertyKey): boolean {
  if (Reflect.deleteProperty(level, name)) return true;
  // What cannot be deleted may still be emptied.
  return Reflect.defineProperty(level, name, { value: undefined, writable: false });
}

/** Bytes that a program may hold: beyond it Python says MemoryError, and the browser does not kill the whole page. */
const MEMORY = 1 << 30;
const PAGE = 65536;

export function limitMemory(limit = MEMORY): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE > limit) throw new RangeError("the program's memory is used up");
    return grow.call(this, pages);
  };
}

/** Text becomes code by `eval` (removed above) and by the four function constructors, which every function leads to. */
function closeCompilers(): void {
  const samples = [() => undefined, async () => undefined, function* () {}, async function* () {}];
  for (const sample of samples) {
    Object.defineProperty(Object.getPrototypeOf(sample), "constructor", {
      value: undefined,
      writable: false,
      configurable: false,
    });
  }
}

/** Pyodide reports its own death there, which is how every run ends; what matters of it is in the run's end. */
function silenceConsole(scope: object): void {
  const silent = new Proxy({}, { get: () => () => undefined });
  Object.defineProperty(scope, "console", { value: silent, writable: false, configurable: false });
}
