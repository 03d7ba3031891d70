import zlib from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';

/** Less isn't worth it. */
export const THRESHOLD_BYTES = 1024;
/** Compressing this takes about a millisecond. A stream, which uses another thread, would cost more. A month's chart has 72 kB. */
const AT_ONCE_BYTES = 96 * 1024;

interface Levels {
  readonly gzip: number;
  readonly brotli: number;
}

/** Compresses replies from THRESHOLD_BYTES to AT_ONCE_BYTES in one go. Larger ones and streams are left to the next hook. */
export function compressAtOnce(app: FastifyInstance, { gzip, brotli }: Levels): void {
  const negotiator = new Negotiator({ supportedValues: ['br', 'gzip'] });
  const compress = {
    gzip: (text: Buffer) => zlib.gzipSync(text, { level: gzip }),
    br: (text: Buffer) =>
      zlib.brotliCompressSync(text, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: brotli,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        },
      }),
  };
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const asked = request.headers['accept-encoding'];
    if (typeof payload !== 'string' || asked === undefined || reply.hasHeader('content-encoding'))
      return payload;
    const text = Buffer.from(payload);
    if (text.length < THRESHOLD_BYTES || text.length > AT_ONCE_BYTES) return payload;
    reply.header('vary', 'accept-encoding');
    const encoding = negotiator.negotiate(asked);
    if (encoding === null) return payload;
    reply.removeHeader('content-length').header('content-encoding', encoding);
    return compress[encoding](text);
  });
}
