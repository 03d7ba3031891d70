import { zlibSync } from 'fflate';
import type { FileObject, FileObjects } from './file-objects.ts';

/** Makes zlib's format of bytes. A server has a quicker one than browsers. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;
export const deflated: Deflate = (bytes) => zlibSync(bytes, { level: 6 });

const ENCODER = new TextEncoder();

/** A byte of each sign. */
export function ascii(text: string): Uint8Array {
  const encoded = ENCODER.encode(text);
  if (encoded.length === text.length) return encoded;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Objects of one stream; who reads one of them unpacks all. */
const AT_A_TIME = 200;

/**
 * A PDF with its dictionaries in compressed streams (PDF 1.5 and later). PDFKit writes each as an object of its own, and the tree of a
 * table has one for each cell: they were two thirds of the file. `head`: its first lines.
 */
export function packObjects(
  head: Uint8Array,
  { objects, trailer }: FileObjects,
  deflate: Deflate,
): Uint8Array {
  const out = createOutput(head, deflate);
  const plain: FileObject[] = [];
  for (const object of objects) {
    if (object.stream) out.object(object.id, object.dictionary, object.stream);
    else plain.push(object);
  }
  let next = Math.max(...objects.map(({ id }) => id)) + 1;
  for (let n = 0; n < plain.length; n += AT_A_TIME) out.packed(next++, plain.slice(n, n + AT_A_TIME));
  return out.finish(next, trailer);
}

/** Of the table: an object's place in the file, or the stream that it is in and which of it it is. */
type Entry = readonly [kind: 1 | 2, place: number, index: number];

function createOutput(head: Uint8Array, deflate: Deflate) {
  const chunks: Uint8Array[] = [];
  const entries = new Map<number, Entry>();
  let length = 0;
  const write = (bytes: Uint8Array) => {
    chunks.push(bytes);
    length += bytes.length;
  };
  write(head);

  function object(id: number, dictionary: string, stream: Uint8Array): void {
    entries.set(id, [1, length, 0]);
    write(ascii(`${id} 0 obj\n${dictionary}\nstream\n`));
    write(stream);
    write(ascii('\nendstream\nendobj\n'));
  }

  function packedStream(id: number, dictionary: string, content: Uint8Array): void {
    const bytes = deflate(content);
    object(id, `<< ${dictionary} /Filter /FlateDecode /Length ${bytes.length} >>`, bytes);
  }

  return {
    object,

    packed(id: number, objects: readonly FileObject[]): void {
      let at = 0;
      const places = objects.map(({ id: packed, dictionary }, index) => {
        entries.set(packed, [2, id, index]);
        const place = `${packed} ${at}`;
        at += dictionary.length + 1;
        return place;
      });
      const index = `${places.join(' ')}\n`;
      const bodies = objects.map(({ dictionary }) => `${dictionary}\n`);
      const count = `/Type /ObjStm /N ${objects.length} /First ${index.length}`;
      packedStream(id, count, ascii(index + bodies.join('')));
    },

    /** With the table as a stream itself. */
    finish(id: number, trailer: string): Uint8Array {
      const start = length;
      entries.set(id, [1, start, 0]);
      const table = new Uint8Array((id + 1) * ENTRY);
      for (const [of, [kind, place, index]] of entries) {
        const row = [kind, place >>> 24, place >>> 16, place >>> 8, place, index >>> 8, index];
        table.set(row, of * ENTRY);
      }
      packedStream(id, `/Type /XRef /Size ${id + 1} /W [1 4 2] ${membersOf(trailer)}`, table);
      write(ascii(`startxref\n${start}\n%%EOF\n`));
      return joined(chunks);
    },
  };
}
/** Bytes of a row: kind, place, index. */
const ENTRY = 7;

/** Of the file's own dictionary, but how many objects there are: that is said anew. */
const membersOf = (trailer: string) =>
  trailer
    .replace(/^<<|>>$/g, '')
    .replace(/\/Size \d+\s*/, '')
    .trim();

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
