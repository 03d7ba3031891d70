import Type, { type TObject } from 'typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import {
  type BodyOf,
  type Endpoint,
  needOf,
  pathNames,
  type QueryOf,
  type ReplyOf,
  splitKey,
} from '@headrace/contract/endpoint';
import { ErrorReply } from '@headrace/contract/errors';
import { meets, type Need } from '@headrace/contract/permissions';
import { isExpired } from '@headrace/contract/rules/subscription';
import { ACCOUNT_SUSPENDED_TEXT, NEW_PASSWORD_TEXT } from '@headrace/contract/texts';
import type { DeviceRow } from '../db/schema.ts';
import { type AccessGate, type Caller, type FarmAccess, tokenOf } from './access-gate.ts';
import { fillBodyFromQuery } from './body-from-query.ts';
import { forbidden, notFound, unauthenticated } from './errors.ts';
import { keptTexts } from './kept-texts.ts';
import { isOperator } from './operator.ts';

export type { Caller, FarmAccess } from './access-gate.ts';

/** What a handler is given: everything validated, the caller known, the right checked. */
export interface Call<E extends Endpoint> {
  query: QueryOf<E>;
  body: BodyOf<E>;
  caller: Caller;
  /** Present on endpoints with a target. */
  farm: FarmAccess;
  /** Present on endpoints whose target is a device or a serial number. */
  device: DeviceRow;
  now: Date;
  request: FastifyRequest;
}

export type Mount = <E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyOf<E>>,
  options?: MountOptions<E>,
) => void;

export interface MountOptions<E extends Endpoint> {
  /** A list of thousands, whose members are the same objects from call to call until they change. */
  readonly keepTextsOf?: keyof ReplyOf<E> & string;
}

interface AccessState {
  caller: Caller | null;
  farm: FarmAccess | null;
  device: DeviceRow | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    access: AccessState;
  }
}

/** Turns contract endpoints into routes under `/v1`. One hook authenticates and checks what each endpoint needs. */
export function createMount(
  app: FastifyInstance,
  gate: AccessGate,
  now: () => Date,
  operatorToken: string | null,
): Mount {
  app.decorateRequest('access', null as never);
  app.addHook('onRoute', refuseUndeclared);
  app.addHook('onRequest', (request) => authenticate(request, gate, now(), operatorToken));
  app.addHook('preHandler', async (request, reply) => {
    if (await authorise(request, gate, now())) return;
    await reply.status(204).send();
  });
  return (endpoint, handler, { keepTextsOf } = {}) => {
    const { method, path } = splitKey(endpoint.key);
    const write = keepTextsOf && keptTexts(endpoint.reply as TObject, keepTextsOf);
    app.route({
      method,
      url: `/v1${path}`,
      config: { endpoint, ...rateLimitOf(endpoint) },
      schema: {
        tags: [endpoint.tag],
        summary: endpoint.summary,
        ...schemasOfQuery(endpoint, pathNames(path)),
        ...(endpoint.body && { body: endpoint.body }),
        ...('public' in endpoint.needs ? { security: [] } : {}),
        response: {
          [endpoint.status ?? 200]: endpoint.reply,
          ...(endpoint.emptyStatus && {
            [endpoint.emptyStatus]: { type: 'null', description: 'There is none' },
          }),
          ...(endpoint.textError ? {} : { '4xx': ErrorReply }),
          '5xx': ErrorReply,
        },
      },
      preValidation: async (request) => readQuery(request, endpoint),
      handler: async (request, reply: FastifyReply) => {
        const { caller, farm, device } = request.access;
        const result = await handler({
          query: asked(request),
          body: request.body,
          caller,
          farm,
          device,
          now: now(),
          request,
        } as never);
        // Fastify sends bytes as it sends text; its types know text alone.
        if (write) reply.serializer((what) => write(what, reply) as unknown as string);
        return reply.status(endpoint.status ?? 200).send(result);
      },
    });
  };
}

/** Names in the path are members of the endpoint's query that don't stand after the question mark. */
function schemasOfQuery(endpoint: Endpoint, names: string[]): object {
  const query = querySchema(endpoint);
  if (!query) return {};
  if (names.length === 0) return { querystring: query };
  return { params: Type.Pick(query, names), querystring: Type.Omit(query, names) };
}

/** What a call asks for, in its path and after it. */
const asked = (request: FastifyRequest): Record<string, unknown> => ({
  ...(request.query as object),
  ...(request.params as object),
});

/** Besides the limit of all calls. An outside broker asks for all its devices from one address. */
function rateLimitOf(endpoint: Endpoint): object {
  if ('operator' in endpoint.needs) return { rateLimit: false };
  return endpoint.perMinute ? { rateLimit: { max: endpoint.perMinute, timeWindow: '1 minute' } } : {};
}

/** Routes under /v1 that are no contract endpoints; each guards itself. */
const OTHER_ROUTES = /^\/v1\/(docs|live|notifications)(\/|$)/;

/** Closed by default: what is not in the contract can't be mounted under /v1 by mistake. */
function refuseUndeclared(route: RouteOptions): void {
  if (!route.url.startsWith('/v1') || route.config?.endpoint || OTHER_ROUTES.test(route.url)) return;
  throw new Error(`${route.url} is not in the contract: declare it in packages/contract/src/api.ts.`);
}

async function authenticate(
  request: FastifyRequest,
  gate: AccessGate,
  now: Date,
  operatorToken: string | null,
): Promise<void> {
  request.access = { caller: null, farm: null, device: null };
  const { endpoint } = request.routeOptions.config;
  if (!endpoint) return;
  if ('operator' in endpoint.needs && isOperator(request, operatorToken)) return;
  const token = tokenOf(request.headers.authorization);
  if (token) request.access.caller = await gate.callerOf(token, now);
  if ('public' in endpoint.needs) return;
  if (!request.access.caller) throw unauthenticated();
  if ('operator' in endpoint.needs) throw forbidden();
}

/** Throws where the caller may not. False: what was asked for isn't there, and the endpoint answers that with nothing. */
async function authorise(request: FastifyRequest, gate: AccessGate, now: Date): Promise<boolean> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || 'public' in endpoint.needs || 'operator' in endpoint.needs) return true;
  const { caller } = request.access;
  if (!caller) throw unauthenticated();
  if (caller.mustChangePassword && !endpoint.beforeNewPassword) throw forbidden(NEW_PASSWORD_TEXT);
  if (endpoint.target) {
    await resolveTarget(request, endpoint, gate, caller, now);
    if (!request.access.farm && endpoint.emptyStatus) return false;
    if (!request.access.farm) throw notFound();
  }
  if (!('anyOf' in endpoint.needs || 'allOf' in endpoint.needs)) {
    checkAccount(caller, endpoint.needs, now);
    return true;
  }
  const { farm } = request.access;
  const needed = [endpoint.needs, needOf(endpoint, request.body)];
  if (!farm || !needed.every((need) => meets(farm.permissions, need))) throw forbidden();
  return true;
}

/** What an account itself has to be, whatever the farm. */
function checkAccount(caller: Caller, need: Need, now: Date): void {
  if ('staff' in need && !caller.isStaff) throw forbidden();
  if (!('subscriber' in need)) return;
  if (caller.type !== 'SUBSCRIBER') throw forbidden();
  if (need.paying && isExpired(caller.subscriptionValidUntil, now)) throw forbidden(ACCOUNT_SUSPENDED_TEXT);
}

async function resolveTarget(
  request: FastifyRequest,
  endpoint: Endpoint,
  gate: AccessGate,
  caller: Caller,
  now: Date,
): Promise<void> {
  const target = endpoint.target;
  if (!target) return;
  const read = (place: { in: 'query' | 'body'; name: string }) =>
    String((place.in === 'body' ? (request.body as Record<string, unknown>) : asked(request))[place.name]);
  if ('farm' in target) {
    request.access.farm = await gate.farmByUid(caller, read(target.farm).toLowerCase(), now);
  } else if ('group' in target) {
    request.access.farm = await gate.farmByGroup(caller, read(target.group).toLowerCase(), now);
  } else {
    const found =
      'device' in target
        ? await gate.deviceByUid(caller, read(target.device).toLowerCase(), now)
        : await gate.deviceBySerial(caller, read(target.serial), now);
    request.access.farm = found?.farm ?? null;
    request.access.device = found?.device ?? null;
  }
}

function querySchema({ query, body, bodyInQuery }: Endpoint): TObject | undefined {
  return bodyInQuery ? Type.Partial(body as TObject) : query;
}

function readQuery(request: FastifyRequest, endpoint: Endpoint): void {
  const names = Object.keys(querySchema(endpoint)?.properties ?? {});
  spellAsDeclared(request, names);
  if (endpoint.bodyInQuery) fillBodyFromQuery(request, names);
}

/** The documents spell one parameter in several ways (farmUID, farmUid): names are read without regard to case. */
function spellAsDeclared(request: FastifyRequest, names: readonly string[]): void {
  if (names.length === 0) return;
  const declared = new Map(names.map((name) => [name.toLowerCase(), name]));
  const given = request.query as Record<string, unknown>;
  request.query = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [declared.get(name.toLowerCase()) ?? name, value]),
  );
}
