import { sql } from 'kysely';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { Db } from '../../db/client.ts';
import { speakingGateway } from '../devices/speaking-gateway.ts';

export type RadioPath = Pick<SprinklerInfo, 'gateway' | 'repeater'>;

/** The gateway that speaks for a sprinkler, and the repeater that passed on a report of it last. Times in epoch ms. */
export async function readRadioPath(db: Db, farmId: number, deviceId: number): Promise<RadioPath> {
  const { rows } = await sql<RadioPath>`
    select (select json_build_object('uid', g.uid, 'name', g.name, 'contactAt', date_part('epoch', s.contact_at) * 1000)
        from device g left join gateway_state s on s.farm_id = g.farm_id and s.device_id = g.id
        where g.farm_id = ${farmId} and g.id = ${speakingGateway(farmId)}) as gateway,
      (select json_build_object('uid', p.uid, 'name', p.name, 'at', date_part('epoch', w.at) * 1000)
        from device_fact w
        join device p on p.farm_id = w.farm_id and p.mac = w.value and p.kind = 'repeater' and p.deleted_at is null
        where w.farm_id = ${farmId} and w.device_id = d.id and w.name = 'via') as repeater
    from device d where d.farm_id = ${farmId} and d.id = ${deviceId}`.execute(db);
  return rows[0] ?? { gateway: null, repeater: null };
}
