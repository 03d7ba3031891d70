import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { endpoints, type Api, type ApiKey, type RawKey } from '@headrace/contract/api';
import { type Endpoint, pathNames } from '@headrace/contract/endpoint';
import { ErrorReply } from '@headrace/contract/errors';
import * as data from './fixtures.ts';

/** A call as the server would see it. */
export interface FakeCall<K extends ApiKey = ApiKey> {
  query: Api[K]['query'];
  body: Api[K]['body'];
  headers: Headers;
}
/** What an endpoint sends that answers with a file. */
export class FakeFile {
  readonly fileName: string;
  readonly text: string;
  constructor(fileName: string, text: string) {
    this.fileName = fileName;
    this.text = text;
  }
}
type Reply<K extends ApiKey> = K extends RawKey ? FakeFile : Api[K]['reply'];
type Handler<K extends ApiKey> = (call: FakeCall<K>) => Reply<K> | Failure | Promise<Reply<K> | Failure>;

/** An answer that is a failure: a JSON error, or plain text where the endpoint's failures are text. */
export class Failure {
  readonly status: number;
  readonly errorMessage: string;
  /** The field that is at fault, which failure it is, or the record as somebody else left it. */
  readonly more: { field?: string; code?: string; current?: unknown; retryAfterS?: number };
  constructor(status: number, errorMessage: string, more: Failure['more'] = {}) {
    this.status = status;
    this.errorMessage = errorMessage;
    this.more = more;
  }
}
/** The server can't be reached. */
export const UNREACHABLE = new Failure(0, 'network');

const ajv = addFormats.default(new Ajv({ strict: false }));
/** An address is all text; a reply must be of its types to the letter, and must not be changed by the check. */
const queryAjv = addFormats.default(new Ajv({ strict: false, coerceTypes: true }));
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object, by: Ajv): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const made = by.compile(schema);
  validators.set(schema, made);
  return made;
}

function check(schema: object, value: unknown, what: string, by = ajv): void {
  const validate = validatorOf(schema, by);
  if (!validate(value)) throw new Error(`${what} breaks the contract: ${ajv.errorsText(validate.errors)}`);
}

const endpointOf = (key: string): Endpoint | undefined => endpoints.find((endpoint) => endpoint.key === key);

/** Endpoints with names in their paths, and what their calls look like. */
const withNames = endpoints.flatMap(({ key }) => {
  const names = pathNames(key);
  const pattern = new RegExp(`^${key.replaceAll(/:\w+/g, '([^/]+)')}$`);
  return names.length > 0 ? [{ key, names, pattern }] : [];
});

/** The key of the endpoint that a call is for, and what its path says: `GET /sensor-history/:id` and `{ id }`. */
function readPath(called: string): { key: string; named: Record<string, string> } {
  for (const { key, names, pattern } of withNames) {
    const [, ...values] = pattern.exec(called) ?? [];
    if (values.length > 0)
      return { key, named: Object.fromEntries(names.map((name, nth) => [name, values[nth] ?? ''])) };
  }
  return { key: called, named: {} };
}

/** What is there several times is a list. */
function readQuery(params: URLSearchParams): Record<string, string | string[]> {
  const all = [...new Set(params.keys())].map((name) => [name, params.getAll(name)] as const);
  return Object.fromEntries(
    all.map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
}

/**
 * A stand-in for the server at its wire: what it answers is checked against the contract, and so is what it is
 * asked. Without `on()` it answers for three farms of one owner, without tanks.
 */
export class FakeApi {
  readonly faults: string[] = [];
  private readonly handlers = new Map<string, Handler<ApiKey>>();
  private readonly made = new Map<string, FakeCall[]>();

  constructor() {
    const answer = <K extends ApiKey>(key: K, reply: Reply<K>) => this.on(key, reply);
    answer('POST /account/auth', data.buildLogin());
    answer('POST /account/logout', { success: true });
    answer('GET /sharing/second-step', {
      from: null,
      hasOwn: false,
      people: [],
      askedBy: [],
      requiredBy: [],
    });
    answer('POST /analytics/page-view', { success: true });
    answer('GET /settings', data.storedSettings);
    this.on('PUT /settings', ({ body }) => body);
    answer('GET /ims-settings', data.globalSettings);
    answer('GET /farms-card', data.farms);
    answer('GET /farms-summary', { farms: data.summaries });
    this.on('GET /farm', ({ query }) => {
      const card = data.farms.find((farm) => farm._id === query.uid);
      return card
        ? data.buildFarmRecord(card)
        : new Failure(404, "Sorry, we couldn't find what you're looking for.");
    });
    answer('GET /lvl/suminfo', { tanks: [] });
    answer('GET /flow/suminfo', { flows: [] });
    answer('GET /telemetry/sites', { sites: [] });
    answer('GET /gateway/monitor', null);
    answer('GET /headline/io', null);
    answer('GET /headline/metrics', { metrics: [] });
    answer('GET /weather/forecast', null);
    answer('GET /alerts/open', { open: [], cut: [], inBellAlone: [] });
    answer('GET /insights', { at: '2026-11-21T05:00:00.000Z', tanks: [], meters: [], sites: [] });
    answer('GET /tank/site-info', data.emptySite);
    answer('GET /group/units', data.emptyGroup);
    answer('GET /groups', { groups: [] });
    answer('GET /flow/check', { check: null });
    answer('GET /irr-diary-logs/last', data.noWatering);
    answer('GET /ipc/status', data.noSprinklers);
    answer('GET /fmhealth/health', data.noHealth);
    answer('GET /fmhealth/comms', data.noComms);
    answer('POST /commands/plan', data.nothingInTheWay);
    answer('GET /commands', { commands: [], more: false });
    answer('GET /commands/unseen', { commands: [] });
    answer('GET /commands/units', { commands: [] });
    answer('POST /commands/seen', { success: true });
    answer('GET /schedules/list', []);
    this.on('GET /paddock-holds', { holds: [] });
    this.on('GET /ipc/fullinfo', new Failure(404, "Sorry, we couldn't find what you're looking for."));
    answer('GET /telemetry/soil-moisture', { span: 'reading', data: [] });
    answer('GET /farms/deleted', { farms: [] });
    answer('GET /changes', { changes: [], more: false });
    answer('GET /dead-letters', { letters: [], more: false, keptDays: 30 });
    answer('GET /invites', { invites: [] });
    answer('GET /agent/list-accounts', { accounts: [] });
    answer('GET /permissions-list', { permissions: data.farms.map((farm) => data.permissionsOn(farm)) });
  }

  /** Answers a call from now on. */
  on<K extends ApiKey>(key: K, answer: Reply<K> | Failure | Handler<K>): this {
    const handler = typeof answer === 'function' ? answer : () => answer;
    this.handlers.set(key, handler as unknown as Handler<ApiKey>);
    return this;
  }

  calls<K extends ApiKey>(key: K): FakeCall<K>[] {
    return (this.made.get(key) ?? []) as FakeCall<K>[];
  }

  /** To stand in for `fetch`. */
  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://localhost');
    const called = `${init.method ?? 'GET'} ${url.pathname.replace(/^\/v1/, '')}`;
    try {
      return await this.answer(called, url, init);
    } catch (error) {
      // Nor is it the answer's fault that the page took its question back.
      if (error instanceof TypeError || init.signal?.aborted) throw error;
      this.faults.push(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };

  private async answer(called: string, url: URL, init: RequestInit): Promise<Response> {
    const { key, named } = readPath(called);
    const endpoint = endpointOf(key);
    const handler = this.handlers.get(key);
    if (!endpoint || !handler) throw new Error(`Nothing answers ${key}`);
    const query = { ...readQuery(url.searchParams), ...named };
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    if (endpoint.query) check(endpoint.query, query, `The query of ${key}`, queryAjv);
    if (endpoint.body) check(endpoint.body, body, `The body of ${key}`);
    const seen = { query, body, headers: new Headers(init.headers) } as unknown as FakeCall;
    this.made.set(key, [...(this.made.get(key) ?? []), seen]);
    const reply = await Promise.race([Promise.resolve(handler(seen)), aborted(init.signal)]);
    if (reply instanceof Failure) return failed(reply, endpoint);
    if (reply instanceof FakeFile) return sent(reply, endpoint);
    check(endpoint.reply, reply, `The reply to ${key}`);
    return Response.json(reply, { status: endpoint.status ?? 200 });
  }
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason as Error);
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function sent({ fileName, text }: FakeFile, { key, sends }: Endpoint): Response {
  if (!sends) throw new Error(`${key} answers with JSON, not with a file`);
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`;
  return new Response(text, {
    headers: { 'content-type': sends.types[0], 'content-disposition': disposition },
  });
}

function failed(failure: Failure, endpoint: Endpoint): Response {
  if (failure.status === 0) throw new TypeError('Failed to fetch');
  if (failure.status === 404 && endpoint.emptyStatus)
    return new Response(null, { status: endpoint.emptyStatus });
  if (endpoint.textError) {
    return new Response(failure.errorMessage, {
      status: failure.status,
      headers: { 'content-type': 'text/plain' },
    });
  }
  const { retryAfterS, ...more } = failure.more;
  const reply = { errorMessage: failure.errorMessage, requestId: 'req-1', ...more };
  check(ErrorReply, reply, 'The error');
  const headers = new Headers();
  if (retryAfterS !== undefined) headers.set('retry-after', String(retryAfterS));
  return Response.json(reply, { status: failure.status, headers });
}
