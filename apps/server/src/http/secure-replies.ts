import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

const YEAR_S = 365 * 86_400;

interface Origin {
  /** Whether browsers reach it by https. */
  readonly isSecure: boolean;
  /** Where pictures of maps come from. */
  readonly tileOrigins: readonly string[];
}

/**
 * Gives every reply the headers by which browsers keep to what our pages need. They are the same for all: Fastify's plugin of helmet makes
 * them anew for each request, and what it leaves was most of what the server had to collect (decision 367).
 */
export function secureReplies(app: FastifyInstance, { isSecure, tileOrigins }: Origin): void {
  const setHeaders = helmet({
    // Browsers take it from https alone. Names below ours are somebody else's.
    hsts: isSecure ? { maxAge: YEAR_S, includeSubDomains: false } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        // WebAssembly: browsers without a bar code reader get ours. It allows no eval of text.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileOrigins],
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
  app.addHook('onRequest', (request, reply, done) => setHeaders(request.raw, reply.raw, () => done()));
}
