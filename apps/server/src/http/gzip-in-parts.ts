import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib';

const deflated = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** What is compressed in one go; far more than the 32 KiB that a text can refer back to, so that parts cost next to nothing. */
const PART_BYTES = 1024 * 1024;
/** RFC 1952 §2.3: deflate, no flags, no time, fastest, Unix. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3]);
/** RFC 1951 §3.2.6: a last block with nothing in it. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/**
 * As zlib's `createGzip`, but the parts of a large reply are compressed beside each other on several threads, as `pigz` does. Each
 * part ends at a whole byte and none is the last, so that one after the other they are one deflate stream.
 */
export function createGzipInParts(options: ZlibOptions = {}): Transform {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  let checksum = 0;
  let size = 0;

  async function compressWaiting(stream: Transform): Promise<void> {
    const bytes = waiting.length === 1 ? (waiting[0] as Buffer) : Buffer.concat(waiting);
    waiting.length = waitingBytes = 0;
    const parts = partsOf(bytes).map((part) =>
      deflated(part, { ...options, finishFlush: constants.Z_SYNC_FLUSH }),
    );
    checksum = crc32(bytes, checksum);
    size += bytes.length;
    // All have failed or ended before anybody is told: none is left that nobody listens to.
    for (const part of await Promise.all(parts)) stream.push(part);
  }

  return new Transform({
    construct(done) {
      this.push(HEADER);
      done();
    },
    transform(chunk: Buffer, _, done) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes < PART_BYTES) done();
      else compressWaiting(this).then(() => done(), done);
    },
    flush(done) {
      compressWaiting(this).then(() => {
        this.push(LAST_BLOCK);
        this.push(trailer(checksum, size));
        done();
      }, done);
    },
  });
}

const partsOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, nth) =>
    bytes.subarray(nth * PART_BYTES, (nth + 1) * PART_BYTES),
  );

function trailer(checksum: number, size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(checksum, 0);
  bytes.writeUInt32LE(size % 2 ** 32, 4);
  return bytes;
}
