import { commandTypes } from '@headrace/device/commands';
import type { SqlClient } from '../../db/sql-client.ts';
import { wantAsBefore, wantProgrammes } from '../programmes/wanted-writer.ts';
import { keepSet, waterAsBefore, waterBy } from '../schedules/current-set-writer.ts';
import type { CommandKey } from './answers.ts';
import type { NewUnit } from './commands.repo.ts';

/** What a send of schedules makes its units water by. */
export interface SentSchedules {
  /** Null: of what each is to water by already. */
  readonly setId: number | null;
  /** Until its waterings come round. */
  readonly cycleDays: number;
  /** The farm waters by this set from now on. */
  readonly isWholeFarm: boolean;
}

const replacedText = 'update command set replaced_set_id = $3 where farm_id = $1 and id = $2';

/** Keeps what a send makes its units water by, in its transaction. */
export async function wantSent(
  client: SqlClient,
  { farmId, commandId }: CommandKey,
  { setId, cycleDays, isWholeFarm }: SentSchedules,
  { units, at }: { units: readonly NewUnit[]; at: Date },
): Promise<void> {
  if (setId === null) return;
  await keepSet(client, farmId, setId);
  const wanted = units.flatMap(({ deviceId, entries, crc, scheduleGroup = '' }) =>
    entries && crc !== undefined ? [{ deviceId, entries, crc, scheduleGroup }] : [],
  );
  await wantProgrammes(client, { farmId, commandId, setId, cycleDays, at }, wanted);
  if (!isWholeFarm) return;
  const before = await waterBy(client, farmId, setId);
  await client.query({ text: replacedText, values: [farmId, commandId, before] });
}

const sentText = `select s.id as "setId", c.replaced_set_id as before
  from command c join schedule_set s on s.farm_id = c.farm_id and s.uid = c.payload->>'setUID'
  where c.farm_id = $1 and c.id = $2 and c.type = ${commandTypes.SendScheduleSet} and coalesce(c.payload->>'groupUID', 'FARM') = 'FARM'
    and c.payload->'uids' is null`;

/** Takes it back for units that nothing was sent to. */
export async function wantBefore(
  client: SqlClient,
  key: CommandKey,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  await wantAsBefore(client, key, deviceIds);
  const { rows } = await client.query<{ setId: number; before: number | null }>({
    text: sentText,
    values: [key.farmId, key.commandId],
  });
  if (rows[0]) await waterAsBefore(client, key.farmId, rows[0]);
}
