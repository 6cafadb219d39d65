/** One run: the records that the interpreter writes become messages, and whatever ended it becomes an end. */
import type { FromWorker, ToWorker, TraceEnd, TraceHeader } from "../protocol.ts";
import type { Interpreter } from "./boot.ts";

type Post = (message: FromWorker, transfer: Transferable[]) => void;

/** Bytes before a record's own: type, codec, stored length, raw length, CRC (docs/reference/trace-format.md). */
const HEAD = 14;

/** Thrown out of the interpreter when the end has been posted: nothing of the program runs after it. */
class Left extends Error {}

export function execute(interpreter: Interpreter, message: ToWorker & { type: "run" }, post: Post): void {
  const { run, record } = message;
  let steps = 0;
  let ended = false;
  const end = (value: TraceEnd): void => {
    if (!ended) post({ type: "end", run, end: value }, []);
    ended = true;
  };
  const receive = (bytes: Uint8Array): void => {
    if (ended) throw new Left();
    const body = bytes.slice(HEAD);
    if (bytes[0] === 1) post({ type: "header", run, header: parse<TraceHeader>(body) }, []);
    if (bytes[0] === 2) {
      steps += countSteps(body);
      post({ type: "chunk", run, bytes: body.buffer }, [body.buffer]);
    }
    if (bytes[0] === 3) {
      end(parse<TraceEnd>(body));
      throw new Left();
    }
  };
  try {
    interpreter.run(JSON.stringify(message.job), record, receive);
    end({ status: "crashed", steps, detail: "the run returned without an end" });
  } catch (error) {
    if (!ended) rescue(interpreter);
    end(explain(error, steps, interpreter.lastWords));
  }
}

/** An interpreter that died may be past helping; what was sent before stays. */
function rescue(interpreter: Interpreter): void {
  try {
    interpreter.rescue();
  } catch {
    // Nothing more is to be had of it.
  }
}

const parse = <T>(bytes: Uint8Array): T => JSON.parse(new TextDecoder().decode(bytes)) as T;

/** The first table of a chunk is that of the events, number 0, if there are any; before its rows stands how many. */
const countSteps = (chunk: Uint8Array): number =>
  chunk.length < 6 || chunk[0] !== 0 ? 0 : new DataView(chunk.buffer, chunk.byteOffset).getUint32(2, true);

/** The end of an interpreter that died: `os._exit` says so with a status, all else is a crash. */
export function explain(error: unknown, steps: number, lastWords: readonly string[]): TraceEnd {
  const { name, message, status } = error as { name?: string; message?: string; status?: unknown };
  if (name === "Exit" || name === "ExitStatus") return { status: "exit", steps, code: Number(status ?? 0) };
  const told = `${name ?? "Error"}: ${message ?? String(error)}`;
  if (STACK.test(told))
    return { status: "crashed", limit: "stack", steps, detail: `the browser's stack is used up (${told})` };
  return { status: "crashed", steps, detail: [told, ...lastWords.slice(0, 20)].join("\n") };
}

/** V8 and JavaScriptCore; SpiderMonkey. */
const STACK = /^RangeError: Maximum call stack|^InternalError: too much recursion/;
