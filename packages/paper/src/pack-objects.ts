import { zlibSync } from 'fflate';

/** Where an object of a file lies: its number, and its bytes without `obj` and `endobj`. */
interface Found {
  readonly id: number;
  readonly body: Uint8Array;
}

/** A byte of each sign. */
export function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes);
/** Objects of one stream; who reads one of them unpacks all. */
const AT_A_TIME = 200;

/**
 * The same PDF with its dictionaries in compressed streams (PDF 1.5 and later). PDFKit writes each as an object of its own, and the tree of
 * a table has one for each cell: they were two thirds of the file.
 */
export function packObjects(pdf: Uint8Array): Uint8Array {
  const { objects, trailer } = readObjects(pdf);
  const out = createOutput(pdf.subarray(0, objects[0]?.from ?? 0));
  const plain: Found[] = [];
  for (const object of objects) {
    if (isStream(object.body)) out.object(object.id, object.body);
    else plain.push(object);
  }
  let next = Math.max(...objects.map(({ id }) => id)) + 1;
  for (let n = 0; n < plain.length; n += AT_A_TIME) out.packed(next++, plain.slice(n, n + AT_A_TIME));
  return out.finish(next, trailer);
}

const STREAM_END = 'endstream';
const isStream = (body: Uint8Array) =>
  textOf(body.subarray(-STREAM_END.length - 1))
    .trimEnd()
    .endsWith(STREAM_END);

/** By its own table of where they lie. */
function readObjects(pdf: Uint8Array): { objects: (Found & { from: number })[]; trailer: string } {
  const [, start = ''] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(textOf(pdf.subarray(-64))) ?? [];
  const table = textOfLong(pdf.subarray(Number(start)));
  const [rows = '', rest = ''] = table.split('trailer');
  const places = rows
    .split('\n')
    .slice(2)
    .flatMap((row, id) => (row.includes(' n') ? [{ id, from: Number(row.slice(0, 10)) }] : []))
    .toSorted((one, other) => one.from - other.from);
  const objects = places.map(({ id, from }, n) => {
    const whole = pdf.subarray(from, places[n + 1]?.from ?? Number(start));
    const head = `${id} 0 obj\n`;
    return { id, from, body: whole.subarray(head.length, endOf(whole)) };
  });
  const [, dictionary = ''] = /<<([\s\S]*)>>/.exec(rest) ?? [];
  return { objects, trailer: dictionary.replace(/\/Size \d+\s*/, '').trim() };
}

/** Where its `endobj` begins. */
function endOf(whole: Uint8Array): number {
  const tail = textOf(whole.subarray(-16));
  return whole.length - Math.min(16, whole.length) + tail.lastIndexOf('endobj');
}

function textOfLong(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += textOf(bytes.subarray(at, at + 8192));
  return text;
}

/** Of the table: an object's place in the file, or the stream that it is in and which of it it is. */
type Entry = readonly [kind: 1 | 2, place: number, index: number];

function createOutput(header: Uint8Array) {
  const chunks: Uint8Array[] = [];
  const entries = new Map<number, Entry>();
  let length = 0;
  const write = (bytes: Uint8Array) => {
    chunks.push(bytes);
    length += bytes.length;
  };
  write(header);

  function object(id: number, body: Uint8Array): void {
    entries.set(id, [1, length, 0]);
    write(ascii(`${id} 0 obj\n`));
    write(body);
    write(ascii('\nendobj\n'));
  }

  function stream(id: number, dictionary: string, content: Uint8Array): void {
    const bytes = zlibSync(content, { level: 6 });
    const head = ascii(`<< ${dictionary} /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n`);
    object(id, joined([head, bytes, ascii('\nendstream')]));
  }

  return {
    object,

    packed(id: number, objects: readonly Found[]): void {
      let at = 0;
      const places = objects.map(({ id: packed, body }, index) => {
        entries.set(packed, [2, id, index]);
        const place = `${packed} ${at}`;
        at += body.length + 1;
        return place;
      });
      const index = ascii(`${places.join(' ')}\n`);
      const bodies = objects.flatMap(({ body }) => [body, ascii('\n')]);
      stream(id, `/Type /ObjStm /N ${objects.length} /First ${index.length}`, joined([index, ...bodies]));
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
      stream(id, `/Type /XRef /Size ${id + 1} /W [1 4 2] ${trailer}`, table);
      write(ascii(`startxref\n${start}\n%%EOF\n`));
      return joined(chunks);
    },
  };
}
/** Bytes of a row: kind, place, index. */
const ENTRY = 7;

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
