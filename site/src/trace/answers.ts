/** What the questions to a trace are answered with. */

export interface Position {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly depth: number;
}

export interface StackFrame extends Position {
  readonly frame: number;
  /** The frame's last event up to the step asked for, output and files left out. */
  readonly step: number;
}

/** What a frame gave back, or the exception that it raised or that left it. */
export interface Outcome {
  readonly kind: "return" | "yield" | "raise" | "unwind" | "resume";
  readonly ref: number;
}

/** A step at which a variable or an object took a new value; `ref` 0: the variable ceased to exist. */
export interface Written {
  readonly step: number;
  readonly ref: number;
}

/** One stay of a frame on the stack: from its call or a resume to the event that pops it. */
export interface Activation {
  readonly frame: number;
  /** The frame that it was called or resumed by, −1 for none. */
  readonly parent: number;
  /** The step that pushed it. */
  readonly start: number;
  /** The step that popped it, −1 while it lasts. */
  readonly end: number;
}
