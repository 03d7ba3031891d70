import { randomUUID } from 'node:crypto';
import zlib from 'node:zlib';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BODY_BYTES } from '@headrace/contract/endpoint';
import { takeDeclaredBodies } from './body-types.ts';
import { callLimit } from './call-limit.ts';
import {
  answerNoRequest,
  type ConnectionLimits,
  guardConnections,
  HEADERS_WITHIN_MS,
  REQUEST_WITHIN_MS,
} from './connection-guard.ts';
import { errorReply } from './error-reply.ts';
import { compressAtOnce, THRESHOLD_BYTES } from './compress-at-once.ts';
import { isOurProxy, type TrustedProxies } from './trusted-proxies.ts';
import { compileAtFirstUse } from './schemas-at-first-use.ts';
import { upgradeConstraint } from './upgrade-constraint.ts';
import { ApiFailure, invalid, TextFailure } from './errors.ts';
import { isOperator } from './operator.ts';
import { readJson } from './read-json.ts';
import { secureReplies } from './secure-replies.ts';

export interface HttpOptions {
  log: FastifyBaseLogger;
  trustedProxies: TrustedProxies;
  /** Origins of map tiles, for the content security policy. */
  tileOrigins: string[];
  operatorToken: string | null;
  /** People reach us by https. */
  isSecure: boolean;
  /** Requests a minute from one address. */
  requestsPerMinute?: number;
  connectionLimits?: Partial<ConnectionLimits>;
}

/** What is away is asked for anew this soon by those who keep to it. */
const RETRY_AFTER_S = 5;
/** What our pages use of a browser; the rest is shut for whatever finds its way into them. */
const PERMISSIONS_POLICY =
  'camera=(self), geolocation=(self), display-capture=(), fullscreen=(self), microphone=(), midi=(), payment=(), serial=(), usb=()';

const GZIP_LEVEL = 1;
const BROTLI_QUALITY = 5;
/** That a compressed reply is made in: each costs a way to another thread and back. */
const CHUNK_BYTES = 64 * 1024;

/** Fastify with what every reply has in common: limits, headers, request ids, one shape of error. */
export async function createHttpApp(options: HttpOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_BYTES.stranger,
    requestTimeout: REQUEST_WITHIN_MS,
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: HEADERS_WITHIN_MS / 3 },
    frameworkErrors: (error, request, reply) => void tellFailure(error, request, reply as FastifyReply),
    clientErrorHandler: answerNoRequest,
    trustProxy: isOurProxy(options.trustedProxies),
    // The documents give paths with and without a leading slash: `/v1//farms` is `/v1/farms`.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/v1\/{2,}/, '/v1/'),
    routerOptions: { ignoreTrailingSlash: true, constraints: { upgrade: upgradeConstraint } },
    forceCloseConnections: true,
  });
  compileAtFirstUse(app);
  readJson(app);
  takeDeclaredBodies(app);
  app.setErrorHandler(tellFailure);
  guardConnections(app, options);
  secureReplies(app, options);
  await app.register(rateLimit, { global: false });
  const everyCall = callLimit(app, options.requestsPerMinute ?? 3000);
  app.addHook('onRequest', async (request, reply) => {
    refuseTwoHosts(request);
    // The operator's calls have limits of their own: a broker asks for all its devices from one address.
    if (!isOperator(request, options.operatorToken)) await everyCall(request, reply);
  });
  // Without TLS, which is on the farm's own network, browsers ask for gzip only: there time counts more than bytes. A list of 3.4 MB
  // becomes 235 kB in 6 ms at level 1 and 203 kB in 12 ms at level 4; brotli makes 114 kB in 20 ms at quality 5, 151 kB in 17 ms at 4.
  compressAtOnce(app, { gzip: GZIP_LEVEL, brotli: BROTLI_QUALITY });
  await app.register(compress, {
    threshold: THRESHOLD_BYTES,
    encodings: ['br', 'gzip'],
    zlibOptions: { level: GZIP_LEVEL, chunkSize: CHUNK_BYTES },
    brotliOptions: {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      chunkSize: CHUNK_BYTES,
    },
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id).header('permissions-policy', PERMISSIONS_POLICY);
    if (request.url.startsWith('/v1')) reply.header('cache-control', 'no-store');
  });
  return app;
}

function tellFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof TextFailure)
    return reply.status(error.status).type('text/plain; charset=utf-8').send(error.message);
  const { status, body } = errorReply(error as FastifyError, request);
  const seconds = error instanceof ApiFailure ? error.retryAfterS : undefined;
  if (seconds) reply.header('retry-after', seconds);
  else if (status === 503) reply.header('retry-after', RETRY_AFTER_S);
  return reply.status(status).send(body);
}

/** Of two names one proxy would go by one and we by the other. RFC 9112, 3.2. */
function refuseTwoHosts({ raw: { rawHeaders } }: FastifyRequest): void {
  const names = rawHeaders.filter((_text, place) => place % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1)
    throw invalid('The request names two hosts: send one Host header.');
}
