import { mailAddress } from './features/messages/addresses.ts';
import { type MailSettings, senderOf } from './features/outbox/mail-sender.ts';
import { smsProviderNames, smsProviders } from './features/outbox/sms-providers.ts';
import type { SmsSettings } from './features/outbox/sms-sender.ts';

export interface SendingConfig {
  /** Null: mail waits in the outbox. */
  readonly mail: MailSettings | null;
  /** Null: SMS wait in the outbox. */
  readonly sms: SmsSettings | null;
  /** In the addresses that the SMS provider calls; null: it tells nothing. */
  readonly smsSecret: string | null;
  /** Hosts of push services besides those of the usual browsers. */
  readonly pushHosts: readonly string[];
}

/** How `readConfig` reads one variable; a fault is added to its list. */
export interface Reader {
  text(name: string): string | null;
  integer(name: string, fallback: number, min: number, max: number): number;
  url(name: string, protocols: string[]): string | null;
  pem(name: string): string | undefined;
  fault(sentence: string): void;
}

/** Mail, SMS and push messages. docs/configuration.md describes each variable. */
export function readSending(read: Reader): SendingConfig {
  return {
    mail: readMail(read),
    sms: readSms(read),
    smsSecret: readSmsSecret(read),
    pushHosts: readPushHosts(read),
  };
}

function readMail(read: Reader): MailSettings | null {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = read.text('MAIL_FROM');
  const ca = read.pem('SMTP_CA_FILE');
  const perMinute = read.integer('MAIL_PER_MINUTE', 60, 1, 10_000);
  if (url === null) return null;
  if (!isAddress(from)) {
    read.fault('MAIL_FROM is missing or no address: give one like Headrace <water@example.com>.');
    return null;
  }
  return { url, from: from ?? '', ca, perMinute };
}

/** The address of whoever runs the machine. */
export function readOperatorMail(read: Reader): string | null {
  const address = read.text('OPERATOR_MAIL');
  if (address === null || (isAddress(address) && !address.includes('<'))) return address;
  read.fault(`OPERATOR_MAIL is "${address}": give an address like you@example.com.`);
  return null;
}

function isAddress(from: string | null): boolean {
  try {
    return from !== null && mailAddress(senderOf(from).address) !== '' && !/[\r\n]/.test(from);
  } catch {
    return false;
  }
}

const METHODS = ['GET', 'POST', 'PUT'] as const;

function readSms(read: Reader): SmsSettings | null {
  const name = read.text('SMS_PROVIDER')?.toLowerCase() ?? null;
  if (name !== null) return readProvider(read, name);
  const url = read.url('SMS_URL', ['https:', 'http:']);
  const method = METHODS.find((name) => name === (read.text('SMS_METHOD') ?? 'POST').toUpperCase());
  if (!method) read.fault(`SMS_METHOD is "${read.text('SMS_METHOD')}": give GET, POST or PUT.`);
  const headers = readHeaders(read);
  const body = read.text('SMS_BODY') ?? '{"to":"{to}","text":"{text}"}';
  const token = read.text('SMS_TOKEN');
  const perMinute = read.integer('SMS_PER_MINUTE', 30, 1, 10_000);
  if (url === null || !method) return null;
  const all = [url, ...Object.values(headers), method === 'GET' ? '' : body].join(' ');
  if (!(all.includes('{to}') && all.includes('{text}')))
    read.fault('SMS_URL and SMS_BODY have no {to} or no {text}: say where the number and the text go.');
  if (all.includes('{token}') && token === null)
    read.fault('The SMS settings have {token} in them: give SMS_TOKEN too.');
  if (url.startsWith('http:') && !/^http:\/\/(localhost|127\.|\[::1\])/.test(url))
    read.fault('SMS_URL begins with http: give an https address, or one of this machine.');
  return { url, method, headers, body, token: token ?? '', perMinute };
}

/** One of the providers whose calls are known. */
function readProvider(read: Reader, name: string): SmsSettings | null {
  const provider = smsProviderNames.find((one) => one === name);
  if (!provider) {
    read.fault(`SMS_PROVIDER is "${name}": give ${smsProviderNames.join(', ')}, or SMS_URL of another.`);
    return null;
  }
  const [user, token] = [read.text('SMS_USER'), read.text('SMS_TOKEN')];
  const from = read.text('SMS_FROM') ?? '';
  const perMinute = read.integer('SMS_PER_MINUTE', 30, 1, 10_000);
  if (user === null || token === null) {
    read.fault('SMS_PROVIDER needs SMS_USER and SMS_TOKEN: what its calls are signed in with.');
    return null;
  }
  if (provider === 'twilio' && from === '')
    read.fault('SMS_PROVIDER twilio needs SMS_FROM: the number that it sends from.');
  const { url, headers, body } = smsProviders[provider];
  return { provider, user, token, from, url, headers, body, method: 'POST', perMinute };
}

/** Who knows it is taken for the SMS provider; null: it tells nothing. */
function readSmsSecret(read: Reader): string | null {
  const secret = read.text('SMS_SECRET');
  if (secret === null || /^[\w-]{32,100}$/.test(secret)) return secret;
  read.fault('SMS_SECRET has to be 32 to 100 letters, digits, - or _: openssl rand -hex 32 makes one.');
  return null;
}

/** A JSON object of texts. */
function readHeaders(read: Reader): Record<string, string> {
  const raw = read.text('SMS_HEADERS') ?? '{"content-type":"application/json"}';
  try {
    const value: unknown = JSON.parse(raw);
    const entries = Object.entries(value as Record<string, unknown>);
    const isHeader = ([name, text]: [string, unknown]) =>
      /^[\w-]+$/.test(name) && typeof text === 'string' && !/[\r\n]/.test(text);
    if (!Array.isArray(value) && entries.every(isHeader)) return value as Record<string, string>;
  } catch {
    // Told below.
  }
  read.fault('SMS_HEADERS can\'t be read: give a JSON object, as {"authorization":"Bearer {token}"}.');
  return {};
}

function readPushHosts(read: Reader): string[] {
  const hosts = (read.text('PUSH_HOSTS') ?? '').split(',').map((host) => host.trim().toLowerCase());
  const given = hosts.filter((host) => host !== '');
  for (const host of given)
    if (!/^[a-z0-9.-]+$/.test(host))
      read.fault(`PUSH_HOSTS names "${host}": give host names apart by commas.`);
  return given;
}
