import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callLimit } from '../../http/call-limit.ts';
import { notFound } from '../../http/errors.ts';
import { type SmsProviderName, smsProviders } from '../outbox/sms-providers.ts';
import { isSignedByTwilio } from './signed-by-twilio.ts';
import type { SmsRepliesService } from './sms-replies.service.ts';

/** Whose words are taken: who knows the secret, and signs with the token where the provider signs. */
export interface SmsCallbacks {
  readonly name: SmsProviderName;
  readonly secret: string;
  readonly token: string;
}

/** Calls without the secret; the provider's own come as fast as SMS are sent. */
const WRONG_PER_MINUTE = 60;
const BODY_MAX_BYTES = 20_000;
const TYPES = ['application/x-www-form-urlencoded', 'application/json'] as const;
type Fields = Readonly<Record<string, unknown>>;

/**
 * `POST /sms/receipt/{driver}/{secret}` and `/sms/reply/{driver}/{secret}`: what the operator's provider says. Without the secret there
 * is no such page. The answer is empty: a provider sends on what we would write.
 */
export function registerSmsReplies(
  http: FastifyInstance,
  { callbacks, publicUrl }: { callbacks: SmsCallbacks | null; publicUrl: string },
  service: SmsRepliesService,
  now: () => Date,
): void {
  const limitWrong = callLimit(http, WRONG_PER_MINUTE);
  const knownTo = ({ params }: FastifyRequest): SmsCallbacks | null => {
    const { driver, secret } = params as { driver: string; secret: string };
    return callbacks && driver === callbacks.name && isSame(secret, callbacks.secret) ? callbacks : null;
  };
  const options = {
    schema: { hide: true },
    config: { takes: TYPES },
    onRequest: async (request: FastifyRequest, response: FastifyReply) => {
      if (knownTo(request)) return;
      await limitWrong(request, response);
      throw notFound();
    },
    bodyLimit: BODY_MAX_BYTES,
  };
  const saidBy = (request: FastifyRequest): { provider: SmsProviderName; said: Fields } => {
    const known = knownTo(request);
    if (!known) throw notFound();
    const said = fieldsOf(request);
    const address = `${publicUrl.replace(/\/+$/, '')}${request.url}`;
    const signature = String(request.headers['x-twilio-signature'] ?? '');
    if (known.name === 'twilio' && !isSignedByTwilio(address, said, signature, known.token)) throw notFound();
    return { provider: known.name, said };
  };
  async function take(request: FastifyRequest, response: FastifyReply): Promise<FastifyReply> {
    const { provider, said } = saidBy(request);
    const receipt = smsProviders[provider].receiptIn(said);
    const reply = receipt ? null : smsProviders[provider].replyIn(said);
    if (receipt) await service.receipt(receipt, now());
    if (reply) await service.reply(provider, reply, now());
    return response.status(204).send();
  }
  // MessageMedia tells replies where it tells receipts.
  for (const path of ['/sms/receipt/:driver/:secret', '/sms/reply/:driver/:secret'])
    http.route({ ...options, method: 'POST', url: path, handler: take });
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** A form comes as bytes. */
function fieldsOf({ body }: FastifyRequest): Fields {
  if (Buffer.isBuffer(body)) return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {};
}
