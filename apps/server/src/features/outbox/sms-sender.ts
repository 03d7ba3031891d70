import { SendFailure } from './send-failure.ts';
import type { Sender } from './send-outbox.ts';

/** An HTTP call of the operator's SMS provider. {to}, {text} and {token} stand in address, headers and body. */
export interface SmsSettings {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly token: string;
  readonly perMinute: number;
}

const TIMEOUT_MS = 15_000;
const PER_RECIPIENT_AND_HOUR = 10;

type Values = { to: string; text: string; token: string };
const fill = (template: string, values: Values, escape: (value: string) => string) =>
  template.replace(/\{(to|text|token)\}/g, (_, name: keyof Values) => escape(values[name]));

/** A reply of 2xx says that it was taken. Redirects are not followed: they would carry the token elsewhere. */
export function createSmsSender(settings: SmsSettings): Sender {
  return {
    way: 'sms',
    pace: { perMinute: settings.perMinute, perRecipientAndHour: PER_RECIPIENT_AND_HOUR },
    async send({ recipient, body: text }) {
      const values = { to: recipient, text, token: settings.token };
      const reply = await call(settings, values).catch((error: unknown) => {
        throw new SendFailure(reasonOf(error), 'all', [settings.token]);
      });
      await reply.body?.cancel();
      if (!reply.ok) throw new SendFailure(`The SMS provider answered ${reply.status}.`, 'this');
      return {};
    },
  };
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
      body: fill(settings.body, values, escapeFor(headers['content-type'])),
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** So that no text ends its place in the body early. */
function escapeFor(contentType = ''): (value: string) => string {
  if (contentType.includes('json')) return (value) => JSON.stringify(value).slice(1, -1);
  if (contentType.includes('form-urlencoded')) return encodeURIComponent;
  if (contentType.includes('xml'))
    return (value) => value.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return (value) => value;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The SMS provider did not answer.';
  const cause = error.cause as { code?: string } | undefined;
  return `The SMS provider did not answer: ${cause?.code ?? error.name}.`;
}
