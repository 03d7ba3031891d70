import { sql } from 'kysely';
import type { unitsUnderWay } from '@headrace/contract/commands';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { commandInfo, commandTypes } from '@headrace/device/commands';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';

type UnderWay = ReplyOf<typeof unitsUnderWay>;
interface Row {
  _id: string;
  type: number;
  units: string[];
}

/** What is under way for the sprinklers of a farm. */
export async function readUnitsUnderWay(db: Db, farmId: number): Promise<UnderWay> {
  const { rows } = await live(farmId).execute(db);
  return { commands: rows.map(toCommand) };
}

function toCommand({ type, ...row }: Row): UnderWay['commands'][number] {
  return { ...row, title: commandInfo(type)?.title ?? String(type) };
}

const live = (farmId: number) => sql<Row>`
  select c.uid as _id, c.type, array_agg(d.uid order by u.position) as units
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join device d on d.farm_id = u.farm_id and d.id = u.device_id and d.kind = 'sprinkler' and d.deleted_at is null
  where u.farm_id = ${farmId} and ${sql.raw(unitIsLive('u'))} and c.type <> ${commandTypes.Ping}
  group by c.id, c.uid, c.type order by c.id desc`;
