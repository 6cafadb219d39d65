import type { Source } from "./compare.ts";
import type { Expanded } from "./expanded.ts";
import { CALL, END, RESUME, SHAPE } from "./layout.ts";
import type { Trace } from "./trace.ts";

export interface AtomText {
  readonly type: string;
  readonly text: string;
}

/** More than this of an event is not looked at: the first difference is what tells. */
const MOST = 20_000;

/** What is known of the first event at which two traces differ. */
export class Evidence {
  readonly left: readonly AtomText[];
  readonly right: readonly AtomText[];
  /** The text of all sources. */
  readonly source: string;
  /** The source lines that may have caused the difference: those that ran before the event in its frame, and its own. */
  readonly code: string;

  constructor(
    private readonly one: Trace,
    private readonly other: Trace,
    private readonly step: number,
    sources: readonly Source[],
  ) {
    this.left = atomsOf(one, step);
    this.right = atomsOf(other, step);
    const lines = new Set([...linesBehind(one, step, sources), ...linesBehind(other, step, sources)]);
    this.code = [...lines].join("\n");
    this.source = sources.map(({ text }) => text ?? "").join("\n");
  }

  /** The atoms that differ, left with right, in the order in which the events hold them. */
  get pairs(): [AtomText, AtomText][] {
    const count = Math.min(this.left.length, this.right.length);
    const pairs = Array.from({ length: count }, (_, at): [AtomText, AtomText] => [this.left[at]!, this.right[at]!]);
    return pairs.filter(([a, b]) => a.text !== b.text || a.type !== b.type);
  }

  /** Another way was taken: the events stand in different places or are of different kinds. */
  get diverted(): boolean {
    return place(this.one, this.step) !== place(this.other, this.step);
  }

  /** Whole numbers differ, or the way that the program took (a test on a number does that). */
  get numbers(): boolean {
    return this.pairs.some(([a, b]) => integer(a) !== null && integer(b) !== null) || this.diverted;
  }

  /** Names of the exception types of either event. */
  get types(): ReadonlySet<string> {
    return new Set(
      [exceptionType(this.one, this.step), exceptionType(this.other, this.step)].filter((type) => type !== ""),
    );
  }

  /** Names of the functions of either event, without what they are in. */
  get functions(): ReadonlySet<string> {
    return new Set(
      [this.one, this.other].map((trace) => positionOf(trace, this.step)?.function.split(".").at(-1) ?? ""),
    );
  }

  /** The members of every set of two or more that either trace holds: texts of strings, `#3` for objects. */
  get sets(): ReadonlySet<string>[] {
    return [...setsOf(this.one), ...setsOf(this.other)];
  }

  get versions(): readonly [string, string] {
    return [this.one.header.runtime?.["version"] ?? "", this.other.header.runtime?.["version"] ?? ""];
  }

  /** All that either event prints or says in an exception, as one text. */
  get said(): string {
    return [...this.left, ...this.right].map(({ text }) => text).join(" ");
  }
}

/** The number that an atom says, if it is a whole one of usual size. */
export function integer({ type, text }: AtomText): bigint | null {
  return type === "int" && /^[-+]?\d{1,40}$/.test(text) ? BigInt(text) : null;
}

function atomsOf(trace: Trace, step: number): AtomText[] {
  if (step >= trace.steps) return [];
  const atoms: AtomText[] = [];
  for (const { ref, changed } of trace.variables(step)) if (changed) collect(trace.expanded(ref, step), atoms);
  const outcome = trace.outcome(step);
  if (outcome) collect(trace.expanded(outcome.ref, step), atoms);
  if (trace.kind(step) === "output") atoms.push(...wordsOf(trace.outputPiece(trace.outputCount(step) - 1).text));
  if (trace.code(step) === END && trace.end?.exception) atoms.push(...wordsOf(trace.end.exception.message));
  return atoms.slice(0, MOST);
}

/** The atoms of a value in reading order. An object stands among them as its id, under the type `#`. */
function collect(value: Expanded, atoms: AtomText[]): void {
  const waiting: Expanded[] = [value];
  for (let next = waiting.pop(); next && atoms.length < MOST; next = waiting.pop()) {
    if (next.id !== undefined) atoms.push({ type: "#", text: `#${next.id}` });
    if (next.text !== undefined) atoms.push({ type: next.type ?? "", text: next.text });
    const inner = [...(next.items ?? []), ...(next.entries ?? []).flat(), ...Object.values(next.attributes ?? {})];
    for (const part of inner.reverse()) waiting.push(part);
  }
}

/** The words and numbers of a printed text, numbers under the type that they look like. */
export function wordsOf(text: string): AtomText[] {
  const parts = text.slice(0, MOST).match(/0x[0-9a-fA-F]+|[-+]?\d[\w.+-]*|\w+|[^\w\s]/g) ?? [];
  return parts.map((part) => ({ type: typeOf(part), text: part }));
}

function typeOf(part: string): string {
  if (/^[-+]?\d+$/.test(part)) return "int";
  return /^[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)$/.test(part) ? "float" : "str";
}

function positionOf(trace: Trace, step: number) {
  return step < trace.steps ? trace.position(step) : null;
}

function place(trace: Trace, step: number): string {
  if (step >= trace.steps) return "";
  const position = trace.position(step);
  return [trace.kind(step), position?.file, position?.line, position?.function].join(" ");
}

function exceptionType(trace: Trace, step: number): string {
  if (step >= trace.steps) return "";
  if (trace.code(step) === END) return trace.end?.exception?.type ?? "";
  const outcome = trace.outcome(step);
  const raised = outcome?.kind === "raise" || outcome?.kind === "unwind";
  return raised ? trace.view(outcome.ref, step).type : "";
}

function* linesBehind(trace: Trace, step: number, sources: readonly Source[]): Generator<string> {
  if (trace.steps === 0) return;
  const at = Math.min(step, trace.steps - 1);
  for (const event of [eventBehind(trace, at), at]) {
    const position = event < 0 ? null : trace.position(event);
    const source = sources.find(({ name }) => name === position?.file);
    if (source?.text !== undefined && position) yield statementText(source.text, position.line);
  }
}

/** The event before in the same frame; of a call, a resume and the end the one before in any frame. */
function eventBehind(trace: Trace, step: number): number {
  const frame = trace.frame(step);
  const code = trace.code(step);
  const any = frame < 0 || code === CALL || code === RESUME || code === END;
  return any ? step - 1 : trace.previousIn(frame, step);
}

/** A line, with those after it while brackets are open. */
function statementText(source: string, line: number): string {
  const lines = source.split("\n");
  let end = line;
  const text = () => lines.slice(line - 1, end).join("\n");
  while (end < lines.length && end < line + 20 && openBrackets(text()) > 0) end++;
  return text();
}

function openBrackets(text: string): number {
  return (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
}

function* setsOf(trace: Trace): Generator<ReadonlySet<string>> {
  const { objects, columns, strings } = trace.tables;
  for (let version = 0; version < columns.versionShape.length; version++) {
    const shape = objects.shape(version) & 127;
    if ((shape !== SHAPE.set && shape !== SHAPE.frozenset) || objects.length(version) < 2) continue;
    const texts = [...objects.refs(version)].flatMap((ref) => {
      if (ref < 0) return [`#${-ref}`];
      const text = strings.text(ref - 1);
      return text.startsWith("s") ? [text.slice(1)] : [];
    });
    yield new Set(texts);
  }
}
