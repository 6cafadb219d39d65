/** A session on which tests play events, with a run that they let grow. */
import type { TraceEnd } from "../../site/src/protocol.ts";
import {
  initialState,
  type SessionEvent,
  type SessionState,
  type Setup,
  statusOf,
  stopFinder,
  update,
} from "../../site/src/session.ts";
import { statementsOf } from "../../site/src/trace/stepping.ts";
import { Trace } from "../../site/src/trace/trace.ts";
import { HEADER, Recording } from "./recording.ts";

const STOPS = new Map([
  [1, 1],
  [2, 2],
  [3, 5],
  [4, 5],
  [5, 5],
  [6, 5],
  [7, 7],
]);

const SETUP: Setup = {
  file: "prog.py",
  stopOf: stopFinder(STOPS),
  statements: statementsOf("prog.py", STOPS),
  references: { normal: { digest: "d1", job: HEADER.job }, odd: null },
  sources: {},
};

/** A session with the events so far, and a run that a test lets grow. */
export class Stage {
  state: SessionState;
  readonly recording = new Recording();
  trace = new Trace(HEADER);

  constructor(...events: SessionEvent[]) {
    this.state = initialState(SETUP, "normal");
    this.send(...events);
  }

  send(...events: SessionEvent[]): this {
    for (const event of events) this.state = update(this.state, event);
    return this;
  }

  get status() {
    return statusOf(this.state);
  }

  get run(): number {
    return this.state.run?.id ?? -1;
  }

  /** Presses Debug and lets the run start. */
  debug(): this {
    this.send({ type: "press", record: true });
    return this.send({ type: "started", run: this.run }, { type: "opened", run: this.run, trace: this.trace });
  }

  /** Lets the run record. */
  grow(record: (recording: Recording) => void): this {
    record(this.recording);
    this.trace.append(this.recording.flush());
    return this.send({ type: "grew", run: this.run });
  }

  end(end: Partial<TraceEnd> = {}): this {
    this.grow((recording) => recording.end());
    this.trace.finish({ status: "finished", steps: this.trace.steps, digest: "d1", ...end });
    return this.send({ type: "ended", run: this.run, end: this.trace.end as TraceEnd });
  }

  get at(): string {
    const { trace, cursor } = this.state;
    return trace && cursor >= 0 ? `${trace.kind(cursor)} ${trace.line(cursor)}` : "nowhere";
  }
}

export const begin = (recording: Recording) => {
  recording.call("<module>", 1);
  recording.lines(1, 2);
};
