import type { SqlClient } from '../../db/sql-client.ts';

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
