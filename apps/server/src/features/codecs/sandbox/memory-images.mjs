/**
 * What an engine's memory held, as pages that differ from its first state.
 * @typedef {{ readonly pages: readonly { at: number, bytes: Uint8Array }[], readonly end: number, readonly size: number }} MemoryImage
 */

/**
 * Copies of a WebAssembly memory and the way back to them. Nothing may be running in it meanwhile.
 *
 * An engine's memory begins with its data, then comes room for the stack, five MiB of which a few KiB are ever used, then what it allocated.
 * The room in between is left out: with no call under way nothing in it counts. What lies above an image is what earlier
 * scripts left in memory that the engine takes as unallocated.
 * @param {WebAssembly.Memory} memory of an engine that has just been made
 */
export function createMemoryImages(memory) {
  const room = roomForTheStack(memory);
  const all = () => new Uint8Array(memory.buffer);
  let low = new Uint8Array();
  let high = new Uint8Array();
  const firstEnd = () => room.to + high.length;

  function restoreFirst() {
    const bytes = all();
    bytes.set(low);
    bytes.set(high, room.to);
  }

  return {
    /** Keeps this state as the first one, that all images build on. */
    begin() {
      low = all().slice(0, room.from);
      high = all().slice(room.to, endOf(memory));
    },
    /** Back to the first state, with nothing of others above it. */
    clear() {
      restoreFirst();
      all().fill(0, firstEnd());
    },
    /** @returns {MemoryImage} */
    take() {
      const end = Math.max(endOf(memory), firstEnd());
      const bytes = all();
      const pages = [
        ...changes(bytes.subarray(0, room.from), low, 0),
        ...changes(bytes.subarray(room.to, end), high, room.to),
      ];
      return { pages, end, size: pages.reduce((sum, page) => sum + page.bytes.length, 0) };
    },
    /** @param {MemoryImage} image */
    restore({ pages, end }) {
      restoreFirst();
      const bytes = all();
      bytes.fill(0, firstEnd(), end);
      for (const page of pages) bytes.set(page.bytes, page.at);
    },
  };
}

const WORD = 8;
const PAGE = 4096;
/** Data that is still zero lies right after the rest of it. */
const MARGIN = 64 * 1024;
const zeros = new Uint8Array(PAGE);

/**
 * Pages of now that aren't as they were; beyond what was, as zeros.
 * @param {Uint8Array} now
 * @param {Uint8Array} was
 * @param {number} from of the first byte in the memory
 */
function* changes(now, was, from) {
  for (let at = 0; at < now.length; at += PAGE) {
    const page = now.subarray(at, at + PAGE);
    const known = was.subarray(at, at + PAGE);
    const isSame =
      Buffer.compare(page.subarray(0, known.length), known) === 0 &&
      Buffer.compare(page.subarray(known.length), zeros.subarray(known.length, page.length)) === 0;
    if (!isSame) yield { at: from + at, bytes: page.slice() };
  }
}

/** @param {WebAssembly.Memory} memory */
function endOf(memory) {
  const words = new BigUint64Array(memory.buffer);
  let at = words.length;
  while (at > 0 && words[at - 1] === 0n) at -= 1;
  return at * WORD;
}

/**
 * The longest run of zeros, in bytes.
 * @param {WebAssembly.Memory} memory
 */
function roomForTheStack(memory) {
  const words = new BigUint64Array(memory.buffer, 0, endOf(memory) / WORD);
  let [from, to, start] = [0, 0, 0];
  for (let at = 0; at <= words.length; at += 1) {
    if (at < words.length && words[at] === 0n) continue;
    if (at - start > to - from) [from, to] = [start, at];
    start = at + 1;
  }
  const room = { from: from * WORD + MARGIN, to: to * WORD };
  if (room.to - room.from < MARGIN) throw new Error('the memory of the engine is not laid out as expected');
  return room;
}
