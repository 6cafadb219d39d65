/** Random programs as recordings: calls, generators, exceptions, output, and objects that hold each other and change. */
import {
  cell,
  dict,
  exception,
  instance,
  list,
  Recording,
  type Thing,
  type Value,
  type Variables,
} from "./recording.ts";

export type Random = (below: number) => number;

/** Numbers from 0 to before `below`, always the same for a seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Live {
  readonly id: number;
  readonly kind: number;
}

const NAMES = ["a", "b", "c", "g:x", "g:y", "c:n"];

class Program {
  private readonly things: Thing[] = [list(), dict(), instance("P", {}), cell(0)];
  private readonly stack: Live[] = [];
  private readonly suspended: Live[] = [];

  constructor(
    private readonly random: Random,
    private readonly recording: Recording,
  ) {}

  run(events: number): Recording {
    this.open("<module>", 0);
    for (let count = 0; count < events; count++) this.act();
    while (this.stack.length > 0) this.leave("return");
    this.recording.end();
    return this.recording;
  }

  private act(): void {
    this.mutate();
    const choice = this.random(20);
    if (this.stack.length === 0) this.open("<module>", 0);
    else if (choice < 10) this.recording.line(1 + this.random(8), this.variables());
    else if (choice < 12) this.open(this.random(2) ? "f" : "g", 2 + this.random(3));
    else if (choice < 14) this.leave("return");
    else if (choice < 15) this.throw();
    else if (choice < 17 && this.top.kind >= 3) this.leave("yield");
    else if (choice < 18 && this.suspended.length > 0) this.resume();
    else this.recording.print(`${this.random(100)}\n`, this.random(3) ? "stdout" : "stderr");
  }

  private get top(): Live {
    return this.stack.at(-1) as Live;
  }

  private open(name: string, kind: number): void {
    this.stack.push({
      id: this.recording.call(name, 1 + this.random(8), kind === 0 ? {} : this.variables(), kind),
      kind,
    });
  }

  private leave(how: "return" | "yield"): void {
    const frame = this.stack.pop() as Live;
    this.recording[how](this.value(), this.variables(frame.kind));
    if (how === "yield") this.suspended.push(frame);
  }

  private throw(): void {
    const error = exception("ValueError", this.random(10));
    this.recording.raise(error);
    if (this.random(2)) this.recording.line(1 + this.random(8));
    if (this.random(2)) return;
    this.recording.unwind(error);
    this.stack.pop();
  }

  private resume(): void {
    const [frame] = this.suspended.splice(this.random(this.suspended.length), 1);
    this.recording.resume((frame as Live).id, this.value());
    this.stack.push(frame as Live);
  }

  private variables(kind = this.stack.at(-1)?.kind ?? 2): Variables {
    const names = kind === 0 ? ["a", "b"] : NAMES;
    const chosen = names.filter(() => this.random(4) === 0);
    return Object.fromEntries(chosen.map((name) => [name, this.random(8) ? this.value() : undefined]));
  }

  private value(): Value {
    return this.random(2) ? this.random(5) : (this.things[this.random(this.things.length)] as Thing);
  }

  private mutate(): void {
    if (this.random(3)) return;
    if (this.random(10) === 0)
      this.things.push(this.random(2) ? list(this.value()) : instance("Q", { v: this.value() }));
    const thing = this.things[this.random(this.things.length)] as Thing;
    if (thing.shape === 9) thing.items = this.random(4) ? [this.random(5)] : [];
    else if (thing.shape === 6) thing.items.push(this.random(100), this.value());
    else if (thing.shape === 7) thing.attributes = { ...thing.attributes, [`k${this.random(4)}`]: this.value() };
    else if (this.random(3) === 0) thing.items.splice(this.random(thing.items.length + 1), 2);
    else thing.items.splice(this.random(thing.items.length + 1), 0, this.value());
  }
}

export function randomRun(
  random: Random,
  events = 120,
  recording = new Recording({ snapshots: true, splice: true }),
): Recording {
  return new Program(random, recording).run(events);
}
