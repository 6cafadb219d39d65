/**
 * The form in which an interpreter's memory is kept: its pages without those that hold only zeros, which are more than
 * half. Inflating would take longer than reading what deflating saves.
 *
 * Four words (what it is, bytes in all, pages, checksum), then the pages' numbers, then the pages.
 */
const MAGIC = 0x54504d31;
const HEAD = 4;
const PAGE = 4096;
const WORDS = PAGE / 4;
/** No interpreter that has just started holds so much. */
const LARGEST = 1 << 28;

export function packMemory(memory: Uint8Array): ArrayBuffer {
  const words = wholeWords(memory);
  const numbers = findPages(words);
  const packed = new Uint32Array(HEAD + numbers.length * (1 + WORDS));
  packed.set([MAGIC, memory.length, numbers.length, 0]);
  packed.set(numbers, HEAD);
  numbers.forEach((number, index) => {
    const page = words.subarray(number * WORDS, (number + 1) * WORDS);
    packed.set(page, HEAD + numbers.length + index * WORDS);
  });
  packed[3] = checksum(packed);
  return packed.buffer;
}

/** Throws when it is not, to the last bit, what `packMemory` gave. */
export function unpackMemory(kept: ArrayBuffer): Uint8Array {
  const packed = kept.byteLength % 4 === 0 ? new Uint32Array(kept) : new Uint32Array();
  const [magic, length, count, sum] = packed as unknown as [number, number, number, number];
  if (magic !== MAGIC || length > LARGEST) throw new Error("this is no snapshot");
  if (packed.length !== HEAD + count * (1 + WORDS) || sum !== checksum(packed)) throw new Error("it is damaged");
  const words = new Uint32Array(Math.ceil(length / PAGE) * WORDS);
  for (let index = 0; index < count; index++) {
    const start = HEAD + count + index * WORDS;
    words.set(packed.subarray(start, start + WORDS), (packed[HEAD + index] as number) * WORDS);
  }
  return new Uint8Array(words.buffer, 0, length);
}

function wholeWords(memory: Uint8Array): Uint32Array {
  const aligned = memory.length % 4 === 0 && memory.byteOffset % 4 === 0;
  const whole = aligned ? memory : new Uint8Array(Math.ceil(memory.length / 4) * 4);
  if (!aligned) whole.set(memory);
  return new Uint32Array(whole.buffer, whole.byteOffset, whole.length / 4);
}

/** The numbers of the pages that hold anything. */
function findPages(words: Uint32Array): number[] {
  const found: number[] = [];
  for (let start = 0; start < words.length; start += WORDS) {
    const end = Math.min(start + WORDS, words.length);
    let at = start;
    while (at < end && words[at] === 0) at++;
    if (at < end) found.push(start / WORDS);
  }
  return found;
}

/** Of all words but the sum's own. A browser's SHA-256 takes five times as long, and nobody forges what is theirs. */
function checksum(words: Uint32Array): number {
  let [mixed, total] = [words.length, 0];
  for (let at = 0; at < words.length; at++) {
    if (at === HEAD - 1) continue;
    mixed = (Math.imul(mixed, 0x85ebca6b) + (words[at] as number)) | 0;
    total = (total + (mixed ^ (mixed >>> 15))) | 0;
  }
  return (mixed ^ total) >>> 0;
}
