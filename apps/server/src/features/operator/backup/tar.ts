/**
 * The part of tar (POSIX ustar) that a backup needs: plain files, small enough to be held whole. So an operator without
 * Headrace can still unpack a backup and give each part to COPY.
 */

const BLOCK = 512;
/** More than any entry that we write; what claims to be larger is damage. */
const ENTRY_MAX_BYTES = 16 * 1024 * 1024;
const CHECKSUM_AT = 148;

/** What stands in the archive is not what was written there. */
export class ArchiveFault extends Error {}

export interface ArchiveEntry {
  name: string;
  body: Buffer;
}

/** The blocks of one file, readable by its owner alone; `name` has 100 ASCII characters or fewer. */
export function tarEntry(name: string, body: Buffer, at: Date): Buffer[] {
  const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
  return [header(name, body.length, at), body, padding];
}

/** Two empty blocks close an archive. */
export const tarEnd = Buffer.alloc(2 * BLOCK);

/** @throws ArchiveFault where the bytes are no tar archive, or end before it does */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const block = await bytes.take(BLOCK);
    if (block.every((byte) => byte === 0)) break;
    const { name, size } = readHeader(block);
    const body = await bytes.take(size);
    await bytes.take((BLOCK - (size % BLOCK)) % BLOCK);
    yield { name, body };
  }
  // The compressed stream checks its own end only when it is read to the end.
  await bytes.drain();
}

function header(name: string, size: number, at: Date): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100, 'latin1');
  block.write('0000600\x000000000\x000000000\x00', 100, 'latin1'); // Mode, user, group.
  block.write(`${octal(size, 11)}\x00${octal(Math.floor(at.getTime() / 1000), 11)}\x00`, 124, 'latin1');
  block.write('0', 156, 'latin1'); // A plain file.
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${octal(checksum(block), 6)}\x00 `, CHECKSUM_AT, 'latin1');
  return block;
}

function readHeader(block: Buffer): { name: string; size: number } {
  const number = (from: number, length: number) =>
    Number.parseInt(block.toString('latin1', from, from + length), 8);
  const name = block.toString('latin1', 0, 100).split('\x00', 1)[0] ?? '';
  const size = number(124, 11);
  if (number(CHECKSUM_AT, 6) !== checksum(block)) throw new ArchiveFault('a header is not what was written');
  if (!(size <= ENTRY_MAX_BYTES)) throw new ArchiveFault(`${name} claims ${size} bytes`);
  return { name, size };
}

/** The sum of all bytes, the field itself counted as spaces. */
function checksum(block: Buffer): number {
  const bytes = [...block.subarray(0, CHECKSUM_AT), ...block.subarray(CHECKSUM_AT + 8)];
  return bytes.reduce((sum, byte) => sum + byte, 8 * 32);
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

/** Takes exact lengths from chunks of any length. */
class ByteReader {
  #chunks: Buffer[] = [];
  #length = 0;
  readonly #source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    while (this.#length < length) {
      const next = await this.#source.next();
      if (next.done) throw new ArchiveFault('it ends too early');
      this.#chunks.push(next.value);
      this.#length += next.value.length;
    }
    const all = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [all.subarray(length)];
    this.#length -= length;
    return all.subarray(0, length);
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }
}
