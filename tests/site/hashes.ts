/** A page that was not fetched over a safe connection: the browser lends it no SHA-256. */
export async function withoutHashes(act: () => Promise<void>): Promise<void> {
  await replaceSubtle(undefined, act);
}

/** What hashes is another while `act` goes on. */
export async function replaceSubtle(subtle: unknown, act: () => Promise<void>): Promise<void> {
  const before = Object.getOwnPropertyDescriptor(globalThis, "crypto")!;
  Object.defineProperty(globalThis, "crypto", { value: { subtle }, configurable: true });
  try {
    await act();
  } finally {
    Object.defineProperty(globalThis, "crypto", before);
  }
}
