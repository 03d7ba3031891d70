import type { Api, ApiKey, RawKey } from '@headrace/contract/api';
import type { ErrorReply } from '@headrace/contract/errors';
import { fillPath, splitKey } from '@headrace/contract/endpoint';
import { CLIENT_ID_HEADER, IDEMPOTENCY_HEADER } from '@headrace/contract/limits';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { takeEarlyReply } from './early-replies.ts';
import { onceKey, settleOnce } from './once-keys.ts';
import { isMissingCode, MISSING_CODE_TEXT } from './missing-code.ts';
import { turn } from './one-by-one.ts';
import { pageId } from './page-id.ts';
import { hearServer, missDatabase, missServer } from './reach.ts';
import { learnTime } from './server-time.ts';
import { deviceUid, session, signOut } from './session.ts';

export const API_BASE = '/v1';
export const UNREACHABLE_TEXT = "Server couldn't be reached";
/** A call that takes longer has failed, ms. */
const CALL_TIMEOUT_MS = 30_000;

/** A call that failed. `status` 0: no answer came. `message` is what to show a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  /** Of a 409 between two people: the record as it is now. */
  readonly current: unknown;
  /** After how many seconds the same call may work, where the server said so. */
  readonly retryAfterS: number | null;

  constructor(status: number, reply: ErrorReply, retryAfterS: number | null = null) {
    super(reply.errorMessage);
    this.status = status;
    this.code = reply.code;
    this.field = reply.field;
    this.requestId = reply.requestId;
    this.current = reply.current;
    this.retryAfterS = retryAfterS;
  }

  get errorMessage(): string {
    return this.message;
  }
}

/** Whether what was asked for by its id isn't there: the server knows no such id, or it can't be one. */
export const isMissing = ({ data, error }: { data: unknown; error: unknown }): boolean =>
  data === undefined && error instanceof ApiError && (error.status === 404 || error.status === 400);

/** No answer came, or one that the server has nothing to answer from now: the same call may work later. */
export const isUnanswered = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 0 || error.code === 'databaseAway');

type Given<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : { [K in Name]: T };
export type CallOptions<K extends ApiKey> = Given<'query', Api[K]['query']> &
  Given<'body', Api[K]['body']> & { signal?: AbortSignal };
/** The options may be left out when the call takes neither query nor body. */
type CallArgs<K extends ApiKey> = [Api[K]['query'], Api[K]['body']] extends [undefined, undefined]
  ? [options?: CallOptions<K>]
  : [options: CallOptions<K>];

/** One call of the API. Throws ApiError, or the signal's AbortError when it was called off. */
export async function call<K extends Exclude<ApiKey, RawKey>>(
  key: K,
  ...[options]: CallArgs<K>
): Promise<Api[K]['reply']> {
  const response = await answered(key, options);
  return (await response.json()) as Api[K]['reply'];
}

/** What a call answers with a file, whole, and the name that the server gives it. Throws as `call` does. */
export async function download<K extends RawKey>(
  key: K,
  ...[options]: CallArgs<K>
): Promise<{ name: string; content: Blob }> {
  const response = await answered(key, options);
  const name = fileNameIn(response.headers.get('content-disposition') ?? '');
  try {
    return { name, content: await response.blob() };
  } catch {
    // Broken off: half a file is none.
    throw new ApiError(0, { errorMessage: UNREACHABLE_TEXT });
  }
}

/** RFC 6266: the name in all its letters where there is one, else the plain one. */
function fileNameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (encoded) return decodeURIComponent(encoded);
  const [, plain = 'file'] = /filename="?([^";]+)"?/i.exec(disposition) ?? [];
  return plain;
}

async function answered<K extends ApiKey>(key: K, options?: CallOptions<K>): Promise<Response> {
  const { method, path: pattern } = splitKey(key);
  const { path, query } = fillPath(pattern, options?.query);
  const { token } = session();
  const headers: Record<string, string> = { Authorization: token, DeviceUID: deviceUid() };
  const body = options?.body === undefined ? null : JSON.stringify(options.body);
  if (body !== null) headers['Content-Type'] = 'application/json';
  if (method !== 'GET') headers[CLIENT_ID_HEADER] = pageId;
  const url = `${API_BASE}${path}${queryText(query)}`;
  const wanted = method === 'POST' && body !== null ? `${url} ${body}` : null;
  if (wanted !== null) headers[IDEMPOTENCY_HEADER] = onceKey(wanted);
  const early = method === 'GET' ? takeEarlyReply(url, token) : undefined;
  const response = (early && (await early)) ?? (await send(url, { method, headers, body }, options?.signal));
  learnTime(response.headers.get('date'));
  if (wanted !== null && response.status < 500) settleOnce(wanted);
  if (!response.ok) throw await failure(response, token);
  hearServer();
  // Nothing there, as for a farm that isn't any more.
  if (response.status === 204) throw new ApiError(404, { errorMessage: NOT_FOUND_TEXT });
  return response;
}

function queryText(query: object | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  const text = new URLSearchParams(pairs).toString();
  return text && `?${text}`;
}

async function send(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
  const others = turn();
  if (others) await others;
  const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
  try {
    return await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  } catch (error) {
    if (signal?.aborted) throw error;
    missServer();
    throw new ApiError(0, { errorMessage: UNREACHABLE_TEXT });
  }
}

async function failure(response: Response, token: string): Promise<ApiError> {
  // An answer to an older token must not end the session that came after it.
  if (response.status === 401 && token && token === session().token) signOut('ended');
  const reply = errorReply(await response.text().catch(() => ''), response);
  const error = new ApiError(response.status, reply, retryAfterOf(response));
  if (error.code === 'databaseAway') missDatabase();
  else hearServer();
  return error;
}

/** In seconds; a proxy may also give a date, which says nothing where our clock is another. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function errorReply(text: string, response: Response): ErrorReply {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (!isJson) {
    const isPlain = response.headers.get('content-type')?.startsWith('text/plain') ?? false;
    // A proxy before the server has limits of its own, and its pages aren't for people.
    if (response.status === 429) return { errorMessage: tooManyText(retryAfterOf(response)) };
    return { errorMessage: isPlain && text ? text : UNREACHABLE_TEXT };
  }
  try {
    const reply = JSON.parse(text) as Partial<ErrorReply>;
    return { ...reply, errorMessage: reply.errorMessage ?? 'Oops, something went wrong.' };
  } catch {
    return { errorMessage: 'Oops, something went wrong.' };
  }
}

const tooManyText = (seconds: number | null) =>
  `Too many requests. Please try again in ${seconds === null ? 'a minute' : `${seconds} seconds`}.`;

/** What to tell a person of any failure. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return isMissingCode(error) ? MISSING_CODE_TEXT : 'Oops, something went wrong.';
}
