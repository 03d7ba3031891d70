import { commandTypes } from '@headrace/device/commands';
import type { SqlClient } from '../../db/sql-client.ts';
import { wantAsBefore, wantProgrammes } from '../programmes/wanted-writer.ts';
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

const currentText = `update farm f set current_set_id = $2 from farm old
  where f.id = $1 and old.id = f.id returning old.current_set_id as "setId"`;
const replacedText = 'update command set replaced_set_id = $3 where farm_id = $1 and id = $2';

/** Keeps what a send makes its units water by, in its transaction. */
export async function wantSent(
  client: SqlClient,
  { farmId, commandId }: CommandKey,
  { setId, cycleDays, isWholeFarm }: SentSchedules,
  { units, at }: { units: readonly NewUnit[]; at: Date },
): Promise<void> {
  if (setId === null) return;
  const wanted = units.flatMap(({ deviceId, entries, crc, scheduleGroup = '' }) =>
    entries && crc !== undefined ? [{ deviceId, entries, crc, scheduleGroup }] : [],
  );
  await wantProgrammes(client, { farmId, commandId, setId, cycleDays, at }, wanted);
  if (!isWholeFarm) return;
  const { rows } = await client.query<{ setId: number | null }>({
    text: currentText,
    values: [farmId, setId],
  });
  await client.query({ text: replacedText, values: [farmId, commandId, rows[0]?.setId ?? null] });
}

const againText = `update farm f set current_set_id = c.replaced_set_id
  from command c join schedule_set s on s.farm_id = c.farm_id and s.uid = c.payload->>'setUID'
  where c.farm_id = $1 and c.id = $2 and f.id = c.farm_id and f.current_set_id = s.id
    and c.type = ${commandTypes.SendScheduleSet} and coalesce(c.payload->>'groupUID', 'FARM') = 'FARM'`;

/** Takes it back for units that nothing was sent to. */
export async function wantBefore(
  client: SqlClient,
  key: CommandKey,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  await wantAsBefore(client, key, deviceIds);
  await client.query({ text: againText, values: [key.farmId, key.commandId] });
}
