/**
 * The browser's reader in a process that tests/fuzz/fuzz.py feeds: first the good files, then file after file with the index of
 * the one it comes from. Each is answered with one line: a verdict and what was said.
 */
import { Trace, TraceError } from "../../site/src/trace/trace.ts";

/** Takes bytes off standard input as they are asked for. */
class Input {
  private pieces: Buffer[] = [];
  private size = 0;
  private readonly source = process.stdin[Symbol.asyncIterator]();

  async take(count: number): Promise<Buffer | null> {
    while (this.size < count) {
      const next = await this.source.next();
      if (next.done) return null;
      this.pieces.push(next.value as Buffer);
      this.size += (next.value as Buffer).length;
    }
    const whole = Buffer.concat(this.pieces);
    this.pieces = [whole.subarray(count)];
    this.size -= count;
    return whole.subarray(0, count);
  }
}

const columnsOf = (trace: Trace): string =>
  JSON.stringify(Object.values(trace.tables.columns).map((column) => [...column.view(0, column.length)]));

/** Everything that a reader can be shown, at a few steps. */
function dump(trace: Trace): string {
  const last = trace.steps - 1;
  const steps = [...new Set([0, last >> 1, last])].filter((step) => step >= 0 && step <= last);
  return JSON.stringify({
    header: trace.header,
    end: trace.end,
    columns: columnsOf(trace),
    moments: steps.map((step) => ({
      stack: trace.stack(step),
      output: trace.outputText(step),
      files: trace.files(step).map(({ path }) => trace.fileContent(path, step)?.length),
      variables: trace.variables(step).map(({ name, ref, changed }) => [name, changed, trace.expanded(ref, step)]),
    })),
  });
}

interface Good {
  readonly text: string;
  readonly columns: string;
  readonly digest: string;
}

const goodOf = (trace: Trace): Good => ({
  text: dump(trace),
  columns: columnsOf(trace),
  digest: trace.end?.digest ?? "",
});

/**
 * A forged file may be another trace as long as it does not carry the digest of the good one. Header, wall time and the number
 * of steps are no part of the digest; in a file that was merely damaged, not even these may differ.
 */
async function judge(file: Uint8Array, good: Good, strict: boolean): Promise<string> {
  try {
    const trace = await Trace.parse(file);
    const text = dump(trace);
    if (text === good.text || (!strict && columnsOf(trace) === good.columns)) return "the same";
    return strict || trace.end?.digest === good.digest ? "WRONG VALUE" : "another trace";
  } catch (error) {
    if (error instanceof TraceError) return `refused\t${error.message.replaceAll("\n", " ")}`;
    return `OTHER ERROR\t${String((error as Error).stack).replaceAll("\n", " ")}`;
  }
}

const input = new Input();
const number = async () => (await input.take(4))?.readUInt32LE() ?? 0;
const goods: Good[] = [];
for (let left = await number(); left > 0; left--) {
  const trace = await Trace.parse((await input.take(await number())) as Buffer);
  goods.push(goodOf(trace));
}
for (let head = await input.take(9); head; head = await input.take(9)) {
  const file = (await input.take(head.readUInt32LE(5))) as Buffer;
  const good = goods[head.readUInt32LE()] as Good;
  process.stdout.write(`${await judge(new Uint8Array(file), good, head[4] === 1)}\n`);
}
