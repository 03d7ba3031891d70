import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { DatabaseClient } from './db/client.ts';
import { createPushSender } from './features/notifications/push-sender.ts';
import { createMailSender, senderOf } from './features/outbox/mail-sender.ts';
import { createOutboxRepo, type Way } from './features/outbox/outbox.repo.ts';
import { sendOutbox, type Sender } from './features/outbox/send-outbox.ts';
import type { SmsCallbacks } from './features/sms-replies/sms-replies.routes.ts';
import { createSmsSender } from './features/outbox/sms-sender.ts';
import { runJobs } from './jobs/run-every.ts';

const EVERY_MS = 5000;

export interface SendingOptions {
  readonly config: Pick<Config, 'sending' | 'publicUrl'>;
  readonly database: Pick<DatabaseClient, 'db' | 'pool'>;
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
  readonly onNotificationsChanged: (accountId: number) => void;
}

/** Sends what waits in the outbox, on one server at a time; jobs of its own, since a mail server may let it wait. */
export function startSending(options: SendingOptions): { stop(): Promise<void> } {
  const { database, now, log } = options;
  const { mail, sms } = options.config.sending;
  const mailSender = mail && createMailSender(mail);
  const senders: Sender[] = [
    ...(mailSender ? [mailSender] : []),
    ...(sms ? [createSmsSender({ ...sms, receipt: receiptAddress(options.config) })] : []),
    pushSender(options),
  ];
  const stopping = new AbortController();
  const outbox = createOutboxRepo(database.db);
  const run = () => sendOutbox({ outbox, senders, now, log, signal: stopping.signal });
  const jobs = runJobs(database.pool, [{ name: 'outbox', everyMs: EVERY_MS, run }], log);
  return {
    async stop() {
      stopping.abort();
      await jobs.stop();
      mailSender?.close();
    },
  };
}

/** Whose words of SMS are taken. */
export const smsCallbacksOf = ({ sms, smsSecret }: Config['sending']): SmsCallbacks | null =>
  sms?.provider && smsSecret !== null ? { name: sms.provider, secret: smsSecret, token: sms.token } : null;

/** Where the provider tells what became of an SMS; empty: nowhere. */
function receiptAddress({ publicUrl, sending: { sms, smsSecret } }: SendingOptions['config']): string {
  if (!sms?.provider || smsSecret === null || !publicUrl) return '';
  return `${publicUrl.replace(/\/+$/, '')}/sms/receipt/${sms.provider}/${smsSecret}`;
}

/** Ways of sending that are set up; a browser's push service needs no settings. */
export const waysOf = ({ mail, sms }: Config['sending']): Way[] => [
  ...(mail ? (['mail'] as const) : []),
  ...(sms ? (['sms'] as const) : []),
  'push',
];

/** Where push services find the operator; null: nowhere, and Apple's takes nothing from us. */
function pushSubject({ publicUrl, sending }: SendingOptions['config']): string | null {
  if (publicUrl?.startsWith('https:')) return publicUrl;
  return sending.mail ? `mailto:${senderOf(sending.mail.from).address}` : null;
}

function pushSender({ config, database, log, onNotificationsChanged }: SendingOptions): Sender {
  const { sending } = config;
  const subject = pushSubject(config);
  if (subject === null)
    log.warn(
      'Push messages to Apple devices are not sent: set PUBLIC_URL to an https address, or MAIL_FROM.',
    );
  return createPushSender({
    db: database.db,
    subject,
    pushHosts: sending.pushHosts,
    onChanged: onNotificationsChanged,
  });
}
