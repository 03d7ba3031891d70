import type { Db } from '../../db/client.ts';
import type { OperatorNotices } from '../../machine/operator-notices.ts';
import { noteOpened } from './kept-session.ts';

interface Opened {
  db: Db;
  isNew: boolean;
  now: Date;
  notices: OperatorNotices;
}

/** The session is open. Where the broker had lost it, what devices said in between is lost too, and somebody should know. */
export async function noteSession({ db, isNew, now, notices }: Opened): Promise<void> {
  const unkeptSince = await noteOpened(db, isNew, now);
  if (!unkeptSince) return;
  await notices.tell('the broker had lost what it keeps for the servers', [
    `The MQTT broker came back without the session in which it keeps what devices say while no server takes it. What it acknowledged between ${unkeptSince.toISOString()} and ${now.toISOString()} may be lost.`,
    'Its data has to be on a disk that lasts, and written often (autosave_interval 30).',
  ]);
}
