import type { Static, TObject, TSchema } from 'typebox';
import type { Need } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where a call says which farm it is about: directly, or through one of the farm's devices. */
export type Target =
  | { farm: { in: 'query' | 'body'; name: string } }
  | { device: { in: 'query' | 'body'; name: string } }
  | { group: { in: 'query' | 'body'; name: string } }
  | { alert: { in: 'query' | 'body'; name: string } }
  | { backup: { in: 'query' | 'body'; name: string } }
  /** A schedule template, a deleted one too. */
  | { template: { in: 'query' | 'body'; name: string } }
  /** By serial number, among the farms that the caller may read. */
  | { serial: { in: 'query'; name: string } }
  /** Of GET calls: a sprinkler, by `name` or else by its serial number among the farms where the caller may do this. */
  | { sprinkler: { in: 'query'; name: string; serial: string } };

/** How a raw reply comes. */
export interface Sends {
  /** Its content types, the usual one first. */
  types: readonly [string, ...string[]];
  /** A stream that isn't at its end after so long is broken off, s; RAW_WITHIN_SECONDS unless said. */
  withinSeconds?: number;
}

/** How long a raw reply may take where its endpoint doesn't say, s. */
export const RAW_WITHIN_SECONDS = 60;

/** What `reply` stands for where an endpoint sends bytes: the browser downloads them, see `download`. */
export interface Raw {
  readonly isRaw: true;
}

/**
 * One call of the API: what it needs, what it takes and what it answers.
 * `key` is "METHOD /path" under `/v1`; the browser calls by this key and needs no schema at run time.
 */
export interface Endpoint<
  Key extends string = string,
  Query extends TObject | undefined = TObject | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Reply extends TSchema = TSchema,
  Of extends Target | undefined = Target | undefined,
  Needs extends Need = Need,
> {
  key: Key;
  tag: string;
  summary: string;
  needs: Needs;
  /** Where what is asked for decides what it needs: checked after the body, besides `needs`. */
  needsFor?: (body: never) => Need;
  target?: Of;
  query?: Query;
  body?: Body;
  /** Members of the body may stand in the query instead, for programs that send them there; the body wins. */
  bodyInQuery?: true;
  /** Of the body; BODY_BYTES unless said. */
  bodyMaxBytes?: number;
  /** Content types of a body that is no JSON: `body` is RawBody then, its bytes as they came. */
  takes?: readonly [string, ...string[]];
  reply: Reply;
  /** A reply that is no JSON of a schema, as a file, text or a long stream: `reply` is RawReply then. */
  sends?: Sends;
  /** It makes something: with an Idempotency-Key the same call makes it once, however often it comes within a day. */
  once?: true;
  /** Allowed to someone who still has to choose a password of their own. */
  beforeNewPassword?: true;
  /** Calls a minute from one address, where what is asked for could be guessed; of the operator, all in all. */
  perMinute?: number;
  /** It makes a file of what is kept: an account has FILES_A_DAY of them. */
  makesFile?: true;
  /** Status of success; 200 unless said. */
  status?: 200 | 201;
  /** The spec has an answer without a body for "nothing there": GET /farm. */
  emptyStatus?: 204;
  /** The failure is plain text, not the usual error object: POST /account/auth. */
  textError?: boolean;
}

/** How large a body may be where its endpoint doesn't say: of anybody, and of who has signed in. */
export const BODY_BYTES = { stranger: 16 * 1024, person: 1024 * 1024 } as const;

/** How large a call's body may be, bytes. */
export const bodyMaxOf = ({ bodyMaxBytes, needs }: Pick<Endpoint, 'bodyMaxBytes' | 'needs'>): number =>
  bodyMaxBytes ?? ('public' in needs || 'operator' in needs ? BODY_BYTES.stranger : BODY_BYTES.person);

export function defineEndpoint<
  const Key extends `${Method} /${string}`,
  Reply extends TSchema,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  const Of extends Target | undefined = undefined,
  const Needs extends Need = Need,
>(endpoint: Endpoint<Key, Query, Body, Reply, Of, Needs>): Endpoint<Key, Query, Body, Reply, Of, Needs> {
  return endpoint;
}

/** What a call with this body needs besides the endpoint's own `needs`; the latter where nothing more is asked. */
export function needOf(endpoint: Endpoint, body: unknown): Need {
  return endpoint.needsFor?.(body as never) ?? endpoint.needs;
}

type StaticOr<S> = S extends TSchema ? Static<S> : undefined;

/** The types of a call's parts, for handlers and clients. */
export type QueryOf<E> = E extends Endpoint<string, infer Q, infer _B, infer _R> ? StaticOr<Q> : never;
export type BodyOf<E> = E extends Endpoint<string, infer _Q, infer B, infer _R> ? StaticOr<B> : never;
export type TargetOf<E> = E extends { target?: infer Of } ? Of : never;
export type NeedsOf<E> = E extends { needs: infer Needs } ? Needs : never;
export type ReplyOf<E> = E extends Endpoint<string, infer _Q, infer _B, infer R> ? Static<R> : never;

/** Names in a path, like `id` of `/sensor-history/:id`. Each is a member of the endpoint's query, too. */
export const pathNames = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');

/** A path with its names filled in from the query, and what is left of the query. */
export function fillPath(path: string, query: object = {}): { path: string; query: object } {
  const given = new Map(Object.entries(query));
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(given.get(name))));
  return { path: filled, query: omit(query, pathNames(path)) };
}

const omit = (from: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

export function splitKey(key: string): { method: Method; path: string } {
  const space = key.indexOf(' ');
  return { method: key.slice(0, space) as Method, path: key.slice(space + 1) };
}
