import { hostname } from 'node:os';
import type { Db } from '../db/client.ts';
import { renderMail } from '../features/messages/render-mail.ts';
import { createMailSender, type MailSettings } from '../features/outbox/mail-sender.ts';
import { createOutboxRepo } from '../features/outbox/outbox.repo.ts';

export interface OperatorNotices {
  /** Whatever happens: a line in the log. With an address also a mail, the same subject at most once a day. Never rejects. */
  tell(subject: string, sentences: readonly string[]): Promise<void>;
}

interface NoticeOptions {
  db: Db;
  /** The operator's address; null: the log alone. */
  to: string | null;
  /** The mail server, for when nothing can be stored; null: there is none. */
  mail: MailSettings | null;
  publicUrl: string;
  now: () => Date;
  log: { error(details: object, message: string): void };
}

const DAY_MS = 86_400_000;

/** What whoever runs the machine has to know: into the outbox, or straight to the mail server where the outbox takes nothing. */
export function createOperatorNotices(options: NoticeOptions): OperatorNotices {
  const { to, mail, now, log } = options;
  const outbox = createOutboxRepo(options.db);
  const sentAt = new Map<string, number>();

  async function write(recipient: string, about: string, paragraphs: readonly string[]): Promise<void> {
    const at = now();
    const subject = `Headrace on ${hostname()}: ${about}`;
    const { text: body, html } = renderMail(
      {
        to: recipient,
        subject,
        name: '',
        paragraphs,
        footnote: 'You get this as the operator (OPERATOR_MAIL).',
      },
      options.publicUrl,
    );
    try {
      if (await outbox.hasSince({ to: recipient, subject }, new Date(at.getTime() - DAY_MS))) return;
      await outbox.add([{ way: 'mail', recipient, subject, body, html, is_awaited: true }], at);
    } catch (error) {
      if (!mail) throw error;
      const sender = createMailSender(mail);
      await sender
        .send({ id: `notice ${subject}`, recipient, subject, body, html, at, expiresAt: null, tries: 1 }, at)
        .finally(() => sender.close());
    }
  }

  return {
    async tell(subject, sentences) {
      const last = sentAt.get(subject) ?? Number.NEGATIVE_INFINITY;
      if (now().getTime() - last < DAY_MS) return;
      sentAt.set(subject, now().getTime());
      log.error({ notice: sentences }, subject);
      if (to === null) return;
      await write(to, subject, sentences).catch((error: unknown) => {
        // Neither stored nor sent: tried again when it is noticed again.
        sentAt.delete(subject);
        log.error({ err: error }, 'the operator could not be told by mail');
      });
    },
  };
}
