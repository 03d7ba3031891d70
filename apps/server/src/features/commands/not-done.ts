import type { Db } from '../../db/client.ts';

export interface NotDone {
  payload: Record<string, unknown>;
  /** `crc` of the schedule that each was to get; null: none. */
  units: { deviceId: number; crc: string | null }[];
}

/** What a command was sent with, and who of its units failed or ran out of time. */
export async function readNotDone(db: Db, farmId: number, commandId: number): Promise<NotDone> {
  const command = await db
    .selectFrom('command')
    .select('payload')
    .where('farm_id', '=', farmId)
    .where('id', '=', commandId)
    .executeTakeFirstOrThrow();
  const units = await db
    .selectFrom('command_unit')
    .select(['device_id as deviceId', 'crc'])
    .where('farm_id', '=', farmId)
    .where('command_id', '=', commandId)
    .where('state', 'in', ['failed', 'expired'])
    .execute();
  return { payload: command.payload, units };
}
