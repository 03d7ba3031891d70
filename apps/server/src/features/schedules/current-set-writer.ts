import type { SqlClient } from '../../db/sql-client.ts';
import { conflict } from '../../http/errors.ts';

const keepText =
  'select deleted_at as "deletedAt" from schedule_set where farm_id = $1 and id = $2 for share';

/** Nobody deletes the set until this transaction has sent it. Throws conflict where somebody was quicker. */
export async function keepSet(client: SqlClient, farmId: number, setId: number): Promise<void> {
  const { rows } = await client.query<{ deletedAt: Date | null }>({
    text: keepText,
    values: [farmId, setId],
  });
  if (!rows[0] || rows[0].deletedAt) throw conflict('This schedule set was deleted meanwhile.', 'payload');
}

const currentText = `update farm f set current_set_id = $2 from farm old
  where f.id = $1 and old.id = f.id returning old.current_set_id as "setId"`;

/** The farm waters by this set from now on; in the transaction of the send. The set that it watered by before. */
export async function waterBy(client: SqlClient, farmId: number, setId: number): Promise<number | null> {
  const { rows } = await client.query<{ setId: number | null }>({
    text: currentText,
    values: [farmId, setId],
  });
  return rows[0]?.setId ?? null;
}

const againText = 'update farm set current_set_id = $3 where id = $1 and current_set_id = $2';

/** A send was taken back: the farm waters by the set before again, unless it waters by a newer one. */
export async function waterAsBefore(
  client: SqlClient,
  farmId: number,
  { setId, before }: { setId: number; before: number | null },
): Promise<void> {
  await client.query({ text: againText, values: [farmId, setId, before] });
}
