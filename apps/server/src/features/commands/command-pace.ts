import { sql } from 'kysely';
import { perMinuteOf } from '@headrace/contract/rules/radio-pace';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import type { CommandKey } from './answers.ts';

/** How many units a minute answer a command through the gateways that are still at it; null: that is not known. */
export async function readPerMinute(
  db: Db,
  { farmId, commandId }: CommandKey,
  now: Date,
): Promise<number | null> {
  const { rows } = await sql<{ times: number[] | null }>`
    select array_agg((extract(epoch from u.at) * 1000)::float8)
      filter (where u.state in ('done', 'failed') and u.cmd_id is not null) as times
    from command_unit u where u.farm_id = ${farmId} and u.command_id = ${commandId} and u.device_id <> u.gateway_id
    group by u.gateway_id having bool_or(${sql.raw(unitIsLive('u'))})`.execute(db);
  const perMinute = perMinuteOf(
    rows.map(({ times }) => times ?? []),
    now.getTime(),
  );
  return perMinute === null ? null : Math.round(perMinute * 100) / 100;
}
