import { randomUUID } from 'node:crypto';
import zlib from 'node:zlib';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { ErrorReply } from '@headrace/contract/errors';
import { createGzipInParts } from './gzip-in-parts.ts';
import { subscriberNetwork } from './subscriber-network.ts';
import { isOurProxy, type TrustedProxies } from './trusted-proxies.ts';
import { upgradeConstraint } from './upgrade-constraint.ts';
import { ApiFailure, TextFailure, tooMany } from './errors.ts';
import { isUnkeptText, unkeptMember } from './unkept-text.ts';

export interface HttpOptions {
  log: FastifyBaseLogger;
  trustedProxies: TrustedProxies;
  /** Origins of map tiles, for the content security policy. */
  tileOrigins: string[];
  /** Requests a minute from one address. */
  requestsPerMinute?: number;
}

const BODY_MAX_BYTES = 1024 * 1024;
/** That a compressed reply is made in: each costs a way to another thread and back. */
const CHUNK_BYTES = 64 * 1024;

/** Fastify with what every reply has in common: limits, headers, request ids, one shape of error. */
export async function createHttpApp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: isOurProxy(options.trustedProxies),
    // The documents give paths with and without a leading slash: `/v1//farms` is `/v1/farms`.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/v1\/{2,}/, '/v1/'),
    routerOptions: { ignoreTrailingSlash: true, constraints: { upgrade: upgradeConstraint } },
    forceCloseConnections: true,
    // Devices by the thousand: member by member takes four times as long.
    serializerOpts: { largeArraySize: 1000, largeArrayMechanism: 'json-stringify' },
  });
  useStrictValidation(app);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof TextFailure)
      return reply.status(error.status).type('text/plain; charset=utf-8').send(error.message);
    const { status, body } = errorReply(error as FastifyError, request);
    return reply.status(status).send(body);
  });
  await app.register(rateLimit, {
    max: options.requestsPerMinute ?? 3000,
    timeWindow: '1 minute',
    keyGenerator: ({ ip }) => subscriberNetwork(ip),
    errorResponseBuilder: () => tooMany('Too many requests. Please wait a minute and try again.'),
  });
  await app.register(helmet, {
    hsts: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // WebAssembly: browsers without a bar code reader get ours. It allows no eval of text.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...options.tileOrigins],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  // Browsers ask for gzip alone where there is no TLS, which is on the farm's own network: there time counts more than bytes. Of
  // 3.4 MB of a list of thousands it makes 235 kB in 6 ms at level 1 and 203 kB in 12 ms at 4; brotli 114 kB in 20 ms at
  // quality 5, where 4 makes 151 kB in 17 ms.
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    zlib: { ...zlib, createGzip: createGzipInParts },
    zlibOptions: { level: 1, chunkSize: CHUNK_BYTES },
    brotliOptions: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 }, chunkSize: CHUNK_BYTES },
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/v1')) reply.header('cache-control', 'no-store');
  });
  return app;
}

/** Text becomes numbers only in queries, where all is text; bodies must be what they say. Unknown members are let be. */
function useStrictValidation(app: FastifyInstance): void {
  const settings = {
    allErrors: false,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
    verbose: true,
  } as const;
  const body = new Ajv({ ...settings, coerceTypes: false });
  const query = new Ajv({ ...settings, coerceTypes: true });
  addFormats.default(body);
  addFormats.default(query);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? body : query).compile(schema as object),
  );
}

function errorReply(error: FastifyError, request: FastifyRequest): { status: number; body: ErrorReply } {
  if (error instanceof ApiFailure) {
    return {
      status: error.status,
      body: {
        errorMessage: error.message,
        code: error.code,
        ...(error.field && { field: error.field }),
        ...(error.current !== undefined && { current: error.current }),
      },
    };
  }
  if (error.validation) return validationReply(error);
  if (error.statusCode === 413)
    return {
      status: 413,
      body: { errorMessage: 'The request is too large: the limit is 1 MB.', code: 'tooLarge' },
    };
  if (error.statusCode && error.statusCode < 500) {
    return { status: error.statusCode, body: { errorMessage: error.message, code: 'invalid' } };
  }
  if (isUnkeptText(error)) {
    const field = unkeptMember(request.body) ?? unkeptMember(request.query);
    if (field !== null) return unkeptReply(field);
  }
  request.log.error(
    { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
    'request failed',
  );
  const body = {
    errorMessage: 'Something went wrong on the server. Please try again.',
    code: 'internal',
    requestId: request.id,
  };
  return { status: 500, body };
}

const unkeptReply = (field: string): { status: number; body: ErrorReply } => ({
  status: 400,
  body: {
    errorMessage: `${field || 'The request'} holds a character that can't be kept. Please type it again.`,
    code: 'invalid',
    ...(field && { field }),
  },
});

type Fault = NonNullable<FastifyError['validation']>[number];

/** Names the member that is wrong and what it must be. */
function validationReply(error: FastifyError): { status: number; body: ErrorReply } {
  const fault = error.validation?.findLast(describedForm) ?? error.validation?.[0];
  const missing = fault?.params?.missingProperty;
  const path = fault?.instancePath.split('/').filter(Boolean) ?? [];
  const field = [...path, ...(typeof missing === 'string' ? [missing] : [])].join('.');
  const errorMessage = `${field || `The ${error.validationContext ?? 'request'}`} ${requirement(fault)}.`;
  return { status: 400, body: { errorMessage, code: 'invalid', ...(field && { field }) } };
}

/** What a value must look like, in the schema's own words: a pattern or a list of ranges tells nobody. */
function describedForm({ keyword, parentSchema }: Fault & { parentSchema?: { description?: string } }) {
  return keyword === 'pattern' || keyword === 'anyOf' ? parentSchema?.description : undefined;
}

function requirement(fault: Fault | undefined): string {
  if (fault?.keyword === 'required') return 'is required';
  const described = fault && describedForm(fault);
  if (described) return `must be ${described}`;
  const allowed = fault?.params?.allowedValues;
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`;
  return fault?.message ?? 'is not valid';
}
