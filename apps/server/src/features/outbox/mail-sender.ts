import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { SendFailure } from './send-failure.ts';
import type { Claimed } from './outbox.repo.ts';
import type { Sender } from './send-outbox.ts';

export interface MailSettings {
  /** smtp://user:password@host:port or smtps://; `?tls=never` for a server without TLS. */
  readonly url: string;
  /** `Name <address>` or an address alone. */
  readonly from: string;
  /** PEM of the authority that signed the server's certificate, where it is one of the operator's own. */
  readonly ca?: string | undefined;
  readonly perMinute: number;
  /** How long the server may take at each step, ms. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
const PER_RECIPIENT_AND_HOUR = 20;

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/** Texts and passwords travel encrypted, but to this machine itself or with `tls=never`. */
export function transportOptions({ url: address, ca, timeoutMs = TIMEOUT_MS }: MailSettings) {
  const url = new URL(address);
  const isSecure = url.protocol === 'smtps:';
  const isPlain = !isSecure && (isLoopback(url.hostname) || url.searchParams.get('tls') === 'never');
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: !isSecure && !isPlain,
    ignoreTLS: isPlain,
    ...(user && { auth: { user, pass } }),
    ...(ca && { tls: { ca } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Through the operator's mail server. */
export function createMailSender(settings: MailSettings): Sender & { close(): void } {
  const options = transportOptions(settings);
  const transport = createTransport(options);
  const from = senderOf(settings.from);
  return {
    way: 'mail',
    pace: { perMinute: settings.perMinute, perRecipientAndHour: PER_RECIPIENT_AND_HOUR },
    async send(message) {
      const messageId = messageIdOf(message, from.address);
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: message.recipient },
          subject: message.subject,
          text: message.body,
          ...(message.html && { html: message.html }),
          date: message.at,
          messageId,
          ...threadOf(message, from.address),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...unsubscribeHeaders(message),
          },
        });
      } catch (error) {
        throw failureOf(error, options.auth ? [options.auth.pass] : []);
      }
      return { providerId: messageId };
    },
    close: () => transport.close(),
  };
}

/** The same each time it is tried: a mail program that gets it twice can tell. */
function messageIdOf({ id, at }: Claimed, from: string): string {
  const part = createHash('sha256').update(`${id} ${at.toISOString()} ${from}`).digest('hex').slice(0, 32);
  return `<${part}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

/** RFC 8058: mail programs end such mails by one POST, without asking anybody to sign in. */
const unsubscribeHeaders = ({ unsubscribe }: Claimed): Record<string, string> =>
  !unsubscribe
    ? {}
    : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Mails of one incident stand together: each refers to a first that was never sent. */
function threadOf({ thread }: Claimed, from: string): { references?: string; inReplyTo?: string } {
  if (!thread) return {};
  const first = `<${thread}@${from.slice(from.lastIndexOf('@') + 1)}>`;
  return { references: first, inReplyTo: first };
}

/** `Name <address>` apart. */
export function senderOf(text: string): { name: string; address: string } {
  const [, name = '', address = text] = /^(.*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() };
}

/** A refusal by 5xx of this recipient or text is final (RFC 5321 4.2.1); what concerns the server stops the turn. */
function failureOf(error: unknown, secrets: readonly string[]): SendFailure {
  const {
    message,
    code,
    responseCode = 0,
  } = error as Error & {
    code?: string;
    responseCode?: number;
  };
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (isAboutMessage) return new SendFailure(message, responseCode >= 500 ? 'for ever' : 'this', secrets);
  return new SendFailure(message, 'all', secrets);
}
