import type { Static, TObject, TSchema } from 'typebox';
import type { Need } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where a call says which farm it is about: directly, or through one of the farm's devices. */
export type Target =
  | { farm: { in: 'query' | 'body'; name: string } }
  | { device: { in: 'query' | 'body'; name: string } }
  | { group: { in: 'query' | 'body'; name: string } }
  /** By serial number, among the farms that the caller may read. */
  | { serial: { in: 'query'; name: string } };

/**
 * One call of the API: what it needs, what it takes and what it answers.
 * `key` is "METHOD /path" under `/v1`; the browser calls by this key and needs no schema at run time.
 */
export interface Endpoint<
  Key extends string = string,
  Query extends TObject | undefined = TObject | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Reply extends TSchema = TSchema,
> {
  key: Key;
  tag: string;
  summary: string;
  needs: Need;
  /** Where what is asked for decides what it needs: checked after the body, besides `needs`. */
  needsFor?: (body: never) => Need;
  target?: Target;
  query?: Query;
  body?: Body;
  /** Members of the body may stand in the query instead, for programs that send them there; the body wins. */
  bodyInQuery?: true;
  reply: Reply;
  /** Allowed to someone who still has to choose a password of their own. */
  beforeNewPassword?: true;
  /** Calls a minute from one address, where what is asked for could be guessed. */
  perMinute?: number;
  /** Status of success; 200 unless said. */
  status?: 200 | 201;
  /** The spec has an answer without a body for "nothing there": GET /farm. */
  emptyStatus?: 204;
  /** The failure is plain text, not the usual error object: POST /account/auth. */
  textError?: boolean;
}

export function defineEndpoint<
  const Key extends `${Method} /${string}`,
  Reply extends TSchema,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(endpoint: Endpoint<Key, Query, Body, Reply>): Endpoint<Key, Query, Body, Reply> {
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
