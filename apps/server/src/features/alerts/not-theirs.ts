import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Messages } from '../messages/messages.ts';
import { grouped } from './grouped.ts';

interface Waiting {
  readonly farm_id: number;
  readonly account_id: number;
  readonly dedupe_key: string;
}

/** A right that ends takes with it what still waits to be sent of a farm's alerts, as where a mail server is down for hours. */
export async function cancelNotTheirs(db: Db, messages: Pick<Messages, 'cancel'>, now: Date): Promise<void> {
  const waiting = grouped(await waitingMessages(db), ({ farm_id }) => farm_id);
  for (const [farmId, rows] of waiting) {
    const mayHear = new Set(await accountsWithFlag(db, farmId, 'notifications', now));
    for (const { account_id: accountId, dedupe_key: key } of rows)
      if (!mayHear.has(accountId)) await messages.cancel(key, { accountId });
  }
}

/** Their keys name an incident, or a farm for floods and digests. */
const waitingMessages = async (db: Db): Promise<Waiting[]> => {
  const { rows } = await sql<Waiting>`
    with waiting as (select distinct account_id, dedupe_key, string_to_array(dedupe_key, ' ') as words from outbox
      where state = 'queued' and account_id is not null and dedupe_key like 'alert %')
    select i.farm_id, w.account_id, w.dedupe_key from waiting w join alert_incident i on i.uid = w.words[2]
    union all
    select f.id, w.account_id, w.dedupe_key from waiting w join farm f on f.uid = w.words[3]
      where w.words[2] in ('flood', 'digest')`.execute(db);
  return rows;
};
