import Type, { type TObject } from 'typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify';
import { bodyMaxOf, type Endpoint, pathNames, splitKey } from '@headrace/contract/endpoint';
import { ErrorReply } from '@headrace/contract/errors';
import { isWithin } from '@headrace/contract/permissions';
import { onBehalfOf } from '../db/fair-pool.ts';
import type { FilesMade } from '../db/files-made.ts';
import type { Once } from '../db/once.ts';
import type { AccessGate } from './access-gate.ts';
import { answerOnce } from './answer-once.ts';
import { type AccessState, asked, authenticate, authorise, isAskedAtOnce } from './authorise.ts';
import { fillBodyFromQuery } from './body-from-query.ts';
import type { Answer, Call } from './call.ts';
import { callLimit, type Guard } from './call-limit.ts';
import { countFile } from './count-file.ts';
import { ApiFailure, forbidden, machineFailure } from './errors.ts';
import { goneSignal } from './gone.ts';
import { needText } from './need-text.ts';
import { nowAndThen } from './now-and-then.ts';
import type { OperatorGuard } from './operator.ts';
import { sendRaw } from './raw-reply.ts';
import { createRefusedCalls } from './refused-log.ts';
import { createTurns } from './turns.ts';

export type { Caller, FarmAccess } from './access-gate.ts';
export type { Call } from './call.ts';

export type Mount = <E extends Endpoint>(endpoint: E, handler: (call: Call<E>) => Promise<Answer<E>>) => void;

const OPERATOR_PER_MINUTE = 120;
/** Of one account. A page asks for some six things, and they share our one thread whether they are begun together or not. */
const READS_AT_ONCE = 3;
const FEWER_RIGHTS_TEXT = 'What you may see of this farm was changed meanwhile. Please ask again.';

/** Turns contract endpoints into routes under `/v1`. One hook authenticates and checks what each endpoint needs. */
export function createMount(
  app: FastifyInstance,
  gate: AccessGate,
  now: () => Date,
  operators: OperatorGuard,
  isDatabaseAway: () => boolean,
  once: Once,
  files: FilesMade,
): Mount {
  const turns = createTurns(READS_AT_ONCE);
  const logRefusedCall = createRefusedCalls();
  /** `authorise`; what is refused is logged. */
  async function isAllowed(request: FastifyRequest, anew = false): Promise<boolean> {
    const at = now();
    const refused = () => {
      const { caller } = request.access;
      const call = request.routeOptions.config.endpoint?.key;
      if (caller && call)
        logRefusedCall(request.log, { account: caller.accountId, call, from: request.ip }, at);
    };
    try {
      const is = await authorise(request, gate, at, anew);
      if (!is) refused();
      return is;
    } catch (error) {
      if (error instanceof ApiFailure && ['forbidden', 'notFound'].includes(error.code)) refused();
      throw error;
    }
  }
  app.decorateRequest('access', null as never);
  app.addHook('onRoute', refuseUndeclared);
  app.addHook('onRequest', async (request) => {
    // Everyone would wait for the same in vain, and hold what others need.
    if (request.routeOptions.config.endpoint && isDatabaseAway()) throw machineFailure('away');
    await authenticate(request, gate, now());
  });
  app.addHook('preHandler', async (request, reply) => {
    if (!(await isAllowed(request))) return reply.status(204).send();
    await countFile(request, files, now());
    return undefined;
  });
  /**
   * What is remembered of the caller's rights is confirmed while the work is done. Where it isn't so any more, they are asked anew and
   * the work is done by what they are now; null: as `isAllowed` answers with nothing.
   */
  async function ifStillAllowed<T>(request: FastifyRequest, work: () => Promise<T>): Promise<Done<T> | null> {
    const { still } = request.access;
    const [done, isStill] = await Promise.all([settled(work()), still ?? true]);
    if (isStill) return done;
    return (await isAllowed(request, true)) ? settled(work()) : null;
  }
  /** As `isAllowed` says now. Throws also where fewer things may be seen than before: what was made may hold the others. */
  async function mayStill(request: FastifyRequest): Promise<boolean> {
    const before = request.access.farm;
    if (!(await isAllowed(request, true))) return false;
    const { farm } = request.access;
    if (before && farm && !isWithin(before.permissions, farm.permissions)) throw forbidden(FEWER_RIGHTS_TEXT);
    return true;
  }
  /** Besides the limit of all calls. */
  function guardsOf({ needs, perMinute }: Endpoint): Guard[] {
    if ('operator' in needs) return [operators.guard(perMinute ?? OPERATOR_PER_MINUTE)];
    return perMinute ? [callLimit(app, perMinute)] : [];
  }
  return (endpoint, handler) => {
    const { method, path } = splitKey(endpoint.key);
    app.route({
      method,
      url: `/v1${path}`,
      config: { endpoint },
      onRequest: guardsOf(endpoint),
      schema: schemaOf(endpoint, pathNames(path)),
      bodyLimit: bodyMaxOf(endpoint),
      // Strangers hear first that they are strangers: authorise refuses what is wrong.
      attachValidation: isAskedAtOnce(endpoint),
      preValidation: async (request) => readQuery(request, endpoint),
      handler: async (request, reply: FastifyReply) => {
        const onBehalf = <T>(what: () => Promise<T>) => onBehalfOf(whomOf(request.access), what);
        const done = await ifStillAllowed(request, () => {
          const { caller, farm, device } = request.access;
          const call = {
            query: asked(request),
            body: request.body,
            caller,
            farm,
            device,
            now: now(),
            request,
            get gone() {
              return goneSignal(reply);
            },
          };
          const work = () => handler(call as never);
          return onBehalf(() => {
            if (method === 'GET' && caller) return turns(caller.accountId, work);
            return endpoint.once && caller
              ? answerOnce(once, endpoint.key, { ...call, caller }, work)
              : work();
          });
        });
        if (!done) return reply.status(204).send();
        if ('failure' in done) throw done.failure;
        // To make a file takes a while: who lost the farm meanwhile doesn't get it.
        if (endpoint.makesFile && !(await mayStill(request))) return reply.status(204).send();
        const { result } = done;
        reply.status(endpoint.status ?? 200);
        if (endpoint.sends)
          return sendRaw(reply, endpoint.sends, result, {
            onBehalf,
            mayHave: nowAndThen(now, () => mayStill(request)),
          });
        return reply.send(result);
      },
    });
  };
}

type Done<T> = { result: T } | { failure: unknown };

const settled = <T>(work: Promise<T>): Promise<Done<T>> =>
  work.then(
    (result) => ({ result }),
    (failure: unknown) => ({ failure }),
  );

/** As validation and the OpenAPI pages have it. */
function schemaOf(endpoint: Endpoint, namesInPath: string[]): FastifySchema {
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${needText(endpoint.needs)}${endpoint.needsFor ? ' What is asked for may need more.' : ''}`,
    ...schemasOfQuery(endpoint, namesInPath),
    ...(endpoint.body && { body: endpoint.body }),
    ...(endpoint.takes && { consumes: [...endpoint.takes] }),
    ...('public' in endpoint.needs ? { security: [] } : {}),
    response: {
      [endpoint.status ?? 200]: endpoint.sends
        ? rawSchema(endpoint.sends.types, endpoint.reply)
        : endpoint.reply,
      ...(endpoint.emptyStatus && {
        [endpoint.emptyStatus]: { type: 'null', description: 'There is none' },
      }),
      ...(endpoint.textError ? {} : { '4xx': ErrorReply }),
      '5xx': ErrorReply,
    },
  };
}

const rawSchema = (types: readonly string[], schema: object) => ({
  description: 'A file',
  content: Object.fromEntries(types.map((type) => [type, { schema }])),
});

/** Who has to share the database with others: the farm, else the account, else all who are not known. */
function whomOf({ farm, caller }: AccessState): string {
  if (farm) return `farm ${farm.farmId}`;
  return caller ? `account ${caller.accountId}` : 'strangers';
}

/** Names in the path are members of the endpoint's query that don't stand after the question mark. */
function schemasOfQuery(endpoint: Endpoint, names: string[]): object {
  const query = querySchema(endpoint);
  if (!query) return {};
  if (names.length === 0) return { querystring: query };
  return { params: Type.Pick(query, names), querystring: Type.Omit(query, names) };
}

/** Routes under /v1 that are no contract endpoints; each guards itself. */
const OTHER_ROUTES = /^\/v1\/(docs|live|notifications)(\/|$)/;

/** Closed by default: what is not in the contract can't be mounted under /v1 by mistake. */
function refuseUndeclared(route: RouteOptions): void {
  if (!route.url.startsWith('/v1') || route.config?.endpoint || OTHER_ROUTES.test(route.url)) return;
  throw new Error(`${route.url} is not in the contract: declare it in packages/contract/src/api.ts.`);
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
  const spelled = new Map<string, unknown>();
  for (const [given, value] of Object.entries(request.query as Record<string, unknown>)) {
    const name = declared.get(given.toLowerCase()) ?? given;
    // Given twice, if in two spellings: no schema takes that for one value, and none of both is chosen.
    spelled.set(name, spelled.has(name) ? [spelled.get(name), value].flat() : value);
  }
  request.query = Object.fromEntries(spelled);
}
