import { mailAddress } from './features/messages/addresses.ts';
import { type MailSettings, senderOf } from './features/outbox/mail-sender.ts';
import type { SmsSettings } from './features/outbox/sms-sender.ts';

export interface SendingConfig {
  /** Null: mail waits in the outbox. */
  readonly mail: MailSettings | null;
  /** Null: SMS wait in the outbox. */
  readonly sms: SmsSettings | null;
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
  return { mail: readMail(read), sms: readSms(read), pushHosts: readPushHosts(read) };
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
