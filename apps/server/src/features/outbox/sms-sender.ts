import { PERHAPS_SENT, SendFailure } from './send-failure.ts';
import type { Sender } from './send-outbox.ts';
import { type SmsProviderName, smsProviders } from './sms-providers.ts';

/** An HTTP call of the operator's SMS provider. {to}, {text} and {token} stand in address, headers and body. */
export interface SmsSettings {
  /** Null: one that is described by the settings alone, and tells nothing of what became of it. */
  readonly provider?: SmsProviderName | null;
  /** {user}, {from}, and {receipt}, where it tells what became of a message. */
  readonly user?: string;
  readonly from?: string;
  readonly receipt?: string;
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly token: string;
  readonly perMinute: number;
}

const TIMEOUT_MS = 15_000;
const PER_RECIPIENT_AND_HOUR = 10;

type Values = Readonly<Record<'to' | 'text' | 'token' | 'user' | 'from' | 'receipt' | 'basic', string>>;
const fill = (template: string, values: Values, escape: (value: string) => string) =>
  template.replace(/\{(to|text|token|user|from|receipt|basic)\}/g, (_, name: keyof Values) =>
    escape(values[name]),
  );

/** A reply of 2xx says that it was taken. Redirects are not followed: they would carry the token elsewhere. */
export function createSmsSender(settings: SmsSettings): Sender {
  return {
    way: 'sms',
    pace: { perMinute: settings.perMinute, perRecipientAndHour: PER_RECIPIENT_AND_HOUR },
    async send({ recipient, body: text }) {
      const values = valuesOf(settings, recipient, text);
      const reply = await call(settings, values).catch((error: unknown) => {
        throw new SendFailure(reasonOf(error), 'all', [settings.token]);
      });
      const said = await readSaid(reply, settings);
      if (!reply.ok) throw refusalOf(reply.status, settings.provider, said);
      return said === undefined || !settings.provider ? {} : takenAs(settings.provider, said);
    },
  };
}

function valuesOf(
  { token, user = '', from = '', receipt = '' }: SmsSettings,
  to: string,
  text: string,
): Values {
  const basic = Buffer.from(`${user}:${token}`).toString('base64');
  return { to, text, token, user, from, receipt, basic };
}

const SAID_MAX_BYTES = 20_000;

/** What a provider whose words are known says of it; undefined for another, or where that can't be read. */
async function readSaid(reply: Response, { provider }: SmsSettings): Promise<unknown> {
  if (!provider || Number(reply.headers.get('content-length') ?? 0) > SAID_MAX_BYTES) {
    await reply.body?.cancel();
    return undefined;
  }
  try {
    return await reply.json();
  } catch {
    return undefined;
  }
}

/** One that took the call and not the message says why: it is not tried again. */
function takenAs(name: SmsProviderName, said: unknown): { providerId: string } {
  const taken = smsProviders[name].takenAs(said);
  if ('id' in taken) return { providerId: taken.id };
  throw new SendFailure(
    `The SMS provider did not take it: ${taken.reason || 'it did not say why'}.`,
    'for ever',
  );
}

/** Of a number that there is not, or that wants no more, trying again helps nobody. */
function refusalOf(status: number, name: SmsSettings['provider'], said: unknown): SendFailure {
  const reason = name ? smsProviders[name].refusalIn?.(said) : undefined;
  if (reason === undefined) return new SendFailure(`The SMS provider answered ${status}.`, 'this');
  return new SendFailure(`The SMS provider did not take it: ${reason}`, 'for ever');
}

function call(settings: SmsSettings, values: Values): Promise<Response> {
  const headers = Object.fromEntries(
    Object.entries(settings.headers).map(([name, value]) => [
      name.toLowerCase(),
      fill(value, values, (word) => word.replace(/[^\x20-\x7e]/g, '')),
    ]),
  );
  return fetch(fill(settings.url, values, encodeURIComponent), {
    method: settings.method,
    headers,
    ...(settings.method !== 'GET' && {
      body: fill(bodyOf(settings), values, escapeFor(headers['content-type'])),
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Providers refuse an empty address or number where they would take none. */
const bodyOf = ({ body, from = '', receipt = '' }: SmsSettings): string =>
  body
    .replace(receipt === '' ? /,"callback_url":"\{receipt\}"|&StatusCallback=\{receipt\}/ : '', '')
    .replace(from === '' ? '"from":"{from}",' : '', '');

/** So that no text ends its place in the body early. */
function escapeFor(contentType = ''): (value: string) => string {
  if (contentType.includes('json')) return (value) => JSON.stringify(value).slice(1, -1);
  if (contentType.includes('form-urlencoded')) return encodeURIComponent;
  if (contentType.includes('xml'))
    return (value) => value.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return (value) => value;
}

/** It was there, and may have taken the call. */
const lostAnswers = ['TimeoutError', 'ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'];

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The SMS provider did not answer.';
  const code = (error.cause as { code?: string } | undefined)?.code ?? error.name;
  const reason = `The SMS provider did not answer: ${code}.`;
  return lostAnswers.includes(code) ? `${reason} ${PERHAPS_SENT}` : reason;
}
