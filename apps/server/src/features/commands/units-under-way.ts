import { sql } from 'kysely';
import type { unitsUnderWay } from '@headrace/contract/commands';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { commandInfo, commandTypes } from '@headrace/device/commands';
import type { Db } from '../../db/client.ts';

type UnderWay = ReplyOf<typeof unitsUnderWay>;
interface Row {
  _id: string;
  type: number;
  units: string[];
}

/** What is under way for the sprinklers of a farm. */
export async function readUnitsUnderWay(db: Db, farmId: number): Promise<UnderWay> {
  const [{ rows: commands }, { rows: taken }] = await Promise.all([
    live(farmId).execute(db),
    answered(farmId).execute(db),
  ]);
  return { commands: commands.map(toCommand), taken: taken.map(({ uid }) => uid) };
}

function toCommand({ type, ...row }: Row): UnderWay['commands'][number] {
  const info = commandInfo(type);
  return { ...row, title: info?.title ?? String(type), isSchedule: info?.topic === 'schedules' };
}

const live = (farmId: number) => sql<Row>`
  select c.uid as _id, c.type, array_agg(d.uid order by u.position) as units
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join device d on d.farm_id = u.farm_id and d.id = u.device_id and d.kind = 'sprinkler' and d.deleted_at is null
  where u.farm_id = ${farmId} and u.state in ('queued', 'sent', 'accepted') and c.type <> ${commandTypes.Ping}
  group by c.id, c.uid, c.type order by c.id desc`;

/** It took what it is to hold, by its answer; what it said that it holds is from before that. */
const answered = (farmId: number) => sql<{ uid: string }>`
  select d.uid from unit_held h
  join unit_program w on w.farm_id = h.farm_id and w.device_id = h.device_id and w.crc = h.crc
  join device d on d.farm_id = h.farm_id and d.id = h.device_id and d.deleted_at is null
  join device_fact f on f.farm_id = h.farm_id and f.device_id = h.device_id and f.name = 'ipcCrc' and f.value <> h.crc
  where h.farm_id = ${farmId} and h.until is null and h.how = 'answered' order by d.id`;
