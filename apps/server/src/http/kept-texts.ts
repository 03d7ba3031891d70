import fastJson, { type ObjectSchema, type Schema } from 'fast-json-stringify';
import type { FastifyReply } from 'fastify';
import type { TObject } from 'typebox';
import { createBytePool } from './byte-pool.ts';
import { createSentLists, type SentList } from './sent-lists.ts';

type Reply = Record<string, unknown>;

const COMMA = 0x2c;
const END = Buffer.from(']}');
const pool = createBytePool();

/**
 * Serialises replies with a long list (`list`), reusing the bytes of the last reply to the same URL. Items that are the same objects as
 * then are copied in long runs, and only the others are serialised. Members that the schema doesn't declare are left out, as in every
 * reply.
 */
export function keptTexts(schema: TObject, list: string): (what: Reply, reply: FastifyReply) => Buffer {
  const { properties = {}, ...about } = schema as ObjectSchema;
  const { [list]: items, ...others } = properties;
  if (typeof items !== 'object' || !('items' in items)) throw new Error(`${list} is no list of the reply`);
  const required = about.required?.filter((name) => name !== list) ?? [];
  const writeOthers = fastJson({ ...about, required, properties: others });
  const writeItem = fastJson(items.items as Schema);
  const sent = createSentLists();
  return (what, reply) => {
    const rest = writeOthers(what).slice(1, -1);
    const head = Buffer.from(`{${rest}${rest && ','}"${list}":[`);
    const { url } = reply.request;
    const before = sent.get(url);
    const placed = place(what[list] as readonly object[], head.length, before, (item) =>
      Buffer.from(`${writeItem(item)},`),
    );
    const { bytes, giveBack } = putTogether(head, placed, before);
    reply.raw.once('close', sent.keep(url, { ...placed, bytes }, giveBack));
    return bytes;
  };
}

interface Placed extends Omit<SentList, 'bytes'> {
  /** The texts that aren't as before, by their member's number, in order. */
  readonly written: ReadonlyMap<number, Buffer>;
}

/** Writes what changed, and says where each text goes. */
function place(
  items: readonly object[],
  firstAt: number,
  before: SentList | undefined,
  write: (item: object) => Buffer,
): Placed {
  const starts = new Uint32Array(items.length + 1);
  const written = new Map<number, Buffer>();
  let at = firstAt;
  for (const [nth, item] of items.entries()) {
    starts[nth] = at;
    if (before && item === before.items[nth]) at += lengthOf(before, nth);
    else {
      const text = write(item);
      written.set(nth, text);
      at += text.length;
    }
  }
  starts[items.length] = at;
  return { items, starts, written };
}

const lengthOf = ({ starts }: SentList, nth: number) => (starts[nth + 1] ?? 0) - (starts[nth] ?? 0);

/** Every text ends with a comma; that of the last one gives way to the end. */
function putTogether(
  head: Buffer,
  { items, starts, written }: Placed,
  before: SentList | undefined,
): ReturnType<typeof pool.take> {
  const end = (starts[items.length] ?? 0) - (items.length > 0 ? 1 : 0);
  const taken = pool.take(end + END.length);
  const { bytes } = taken;
  const copySame = (from: number, to: number) =>
    before?.bytes.copy(bytes, starts[from], before.starts[from], before.starts[to]);
  head.copy(bytes);
  let next = 0;
  for (const [nth, text] of written) {
    if (next < nth) copySame(next, nth);
    text.copy(bytes, starts[nth]);
    next = nth + 1;
  }
  if (next < items.length) copySame(next, items.length);
  // The text that was the last one before has no comma any more.
  const last = before?.items.length ?? 0;
  if (last > 0 && last < items.length) bytes[(starts[last] ?? 0) - 1] = COMMA;
  END.copy(bytes, end);
  return taken;
}
