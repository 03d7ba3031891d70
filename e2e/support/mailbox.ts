import {
  type ReadMail,
  readMail,
  startMailServer,
} from '../../apps/server/src/features/outbox/testing/mail-server.ts';
import { until } from './processes.ts';

export interface Mailbox {
  /** For `SMTP_URL`. */
  url: string;
  /** The first mail to the address with this in its subject that wasn't taken yet; waits for it. */
  take(to: string, subject: string): Promise<ReadMail>;
  stop(): Promise<void>;
}

/** A real SMTP server that keeps what it is sent. */
export async function startMailbox(): Promise<Mailbox> {
  const server = await startMailServer({ noTls: true });
  const isWanted = (mail: ReadMail, to: string, subject: string) =>
    mail.to?.some(({ address }) => address === to) && mail.subject?.includes(subject);
  let left: ReadMail[] = [];
  return {
    url: `smtp://127.0.0.1:${server.port}`,
    async take(to, subject) {
      const found = await until(`a mail to ${to}: ${subject}`, async () => {
        left.push(...(await Promise.all(server.taken.splice(0).map(readMail))));
        return left.find((mail) => isWanted(mail, to, subject));
      });
      left = left.filter((mail) => mail !== found);
      return found;
    },
    stop: () => server.stop(),
  };
}
