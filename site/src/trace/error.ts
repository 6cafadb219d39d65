/** A trace that is damaged, cut short, or of a form that this reader does not know. The message says which part and why. */
export class TraceError extends Error {
  override readonly name = "TraceError";
}

/** Throws a TraceError unless `fact` holds. A message that names numbers is made only when it is needed: there are millions of facts. */
export function insist(fact: boolean, message: string | (() => string)): asserts fact {
  if (!fact) throw new TraceError(typeof message === "string" ? message : message());
}
