import { basename } from 'node:path/posix';
import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import { RAW_WITHIN_SECONDS, type Sends } from '@headrace/contract/endpoint';
import { notFound } from './errors.ts';

type Piece = string | Uint8Array;
/** Of a long reply, made as they are taken. `over` is aborted when nobody takes them any more, or it took too long. */
export type Pieces = (over: AbortSignal) => AsyncIterable<Piece>;

/** What a handler answers where its endpoint `sends` something else than JSON. */
export interface Sent {
  /** One of the endpoint's content types; the first unless said. */
  type?: string;
  /** Browsers save it as a file of this name. Any text: what no file name may have is taken out. */
  fileName?: string;
  content: Piece | Pieces;
}

/** How the pieces of a stream are made. */
export interface Making {
  /** Runs the making of each. */
  onBehalf: <T>(work: () => Promise<T>) => Promise<T>;
  /** Asked before each is sent: whether the caller may still have it. */
  mayHave: () => Promise<boolean>;
}

/**
 * Sends the content unchanged. The first piece of a stream is made before the status is sent, so that a failure up to then gets the usual
 * error reply. A later failure breaks the connection, so that the client knows the file is incomplete.
 */
export async function sendRaw(
  reply: FastifyReply,
  { types, withinSeconds = RAW_WITHIN_SECONDS }: Sends,
  { type = types[0], fileName, content }: Sent,
  making: Making,
): Promise<FastifyReply> {
  if (!types.includes(type)) throw new Error(`${type} is not what the endpoint declares that it sends`);
  const body =
    typeof content === 'function' ? await streamOf(reply, content, withinSeconds, making) : content;
  reply.type(isText(type) ? `${type}; charset=utf-8` : type);
  if (fileName !== undefined) reply.header('content-disposition', contentDisposition(safeName(fileName)));
  return reply.send(body);
}

async function streamOf(
  reply: FastifyReply,
  pieces: Pieces,
  withinSeconds: number,
  { onBehalf, mayHave }: Making,
): Promise<Readable> {
  const over = new AbortController();
  const late = new Error(`A reply was not at its end after ${withinSeconds} s`);
  const iterator = pieces(over.signal)[Symbol.asyncIterator]();
  const stop = () => iterator.return?.();
  // The end as well: without it nobody takes the file for whole.
  const next = async () => {
    const piece = await onBehalf(() => iterator.next());
    if (!(await mayHave())) throw notFound();
    return piece;
  };
  let stream: Readable | undefined;
  const end = (error?: Error) => {
    over.abort(error);
    stream?.destroy(error);
  };
  const timer = setTimeout(() => end(late), withinSeconds * 1000).unref();
  reply.raw.once('close', () => {
    clearTimeout(timer);
    end();
  });
  try {
    const first = await next();
    over.signal.throwIfAborted();
    stream = Readable.from(piecesFrom(first, next, stop), { objectMode: false });
    return stream;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Whoever stops taking them early has the maker's `finally` run too. */
async function* piecesFrom(
  first: IteratorResult<Piece>,
  next: () => Promise<IteratorResult<Piece>>,
  stop: () => Promise<unknown> | undefined,
): AsyncGenerator<Piece> {
  try {
    for (let piece = first; piece.done !== true; piece = await next()) yield piece.value;
  } finally {
    await stop();
  }
}

const isText = (type: string) => type.startsWith('text/') || type.endsWith('json') || type.endsWith('xml');

const LONGEST_NAME = 120;
/** Control characters, halves of letters, and marks that turn the direction of text, separators of paths, and what Windows refuses. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]+/gu;

/** A name that every system can save under, and that means no folder: "../Top / bottom.csv" → "Top - bottom.csv". */
export function safeName(name: string): string {
  const cleaned = basename(name.replace(NOT_IN_NAMES, '-').trim()).replace(/^[.\-\s]+/, '');
  const [, stem = '', ending = ''] = /^(.*?)(\.\w{1,8})?$/s.exec(cleaned) ?? [];
  return `${Array.from(stem).slice(0, LONGEST_NAME).join('').trim() || 'file'}${ending}`;
}
