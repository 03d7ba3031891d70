import { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib';

const deflated = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** Bytes compressed in one go. Deflate refers back 32 KiB at most, so with parts this large next to nothing is lost. */
const PART_BYTES = 1024 * 1024;
/** RFC 1952 §2.3: deflate, no flags, no time, fastest, Unix. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3]);
/** RFC 1951 §3.2.6: a last block with nothing in it. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * As zlib's `createGzip`, but the parts of a large reply are compressed beside each other on several threads, as `pigz` does. Each
 * part ends at a whole byte and none is the last, so that one after the other they are one deflate stream.
 */
export const createGzipInParts = (options: ZlibOptions = {}): Duplex =>
  Duplex.from(async function* (chunks: AsyncIterable<Buffer | string>) {
    let checksum = 0;
    let size = 0;
    yield HEADER;
    for await (const bytes of gathered(chunks)) {
      const parts = partsOf(bytes).map((part) =>
        deflated(part, { ...options, finishFlush: constants.Z_SYNC_FLUSH }),
      );
      checksum = crc32(bytes, checksum);
      size += bytes.length;
      yield* await Promise.all(parts);
    }
    yield LAST_BLOCK;
    yield trailer(checksum, size);
  });

/** Small chunks put together to a part or more. */
async function* gathered(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PART_BYTES) continue;
    yield waiting.length === 1 ? piece : Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, nth) =>
    bytes.subarray(nth * PART_BYTES, (nth + 1) * PART_BYTES),
  );

/** RFC 1952 §2.3.1: the checksum and the size of what was compressed. */
function trailer(checksum: number, size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(checksum, 0);
  bytes.writeUInt32LE(size % 2 ** 32, 4);
  return bytes;
}
