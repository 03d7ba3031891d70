import type { PoolClient } from 'pg';
import type { CommandKey } from './answers.ts';
import { writeSteps } from './command-writer.ts';
import { openMinutesText } from './open-minutes.ts';
import { closedByOff, openedAgain } from './valve-close.ts';
import { valveOffTypes } from './valve-types.ts';

/** A unit of a command whose valve was opened or closed at a time. `mac`: of the unit that did it; null: not noted. */
interface Moved extends CommandKey {
  readonly deviceId: number;
  readonly mac: string | null;
  readonly at: Date;
}

const offText = `update command_unit u set closed_at = k.at, closed_why = $5
  from unnest($1::int[], $2::int[], $3::timestamptz[], $4::text[]) as k (farm_id, device_id, at, mac)
  where u.farm_id = k.farm_id and u.device_id = k.device_id and u.opened_at <= k.at and u.closed_at is null
    and coalesce(u.mac = k.mac, true)
  returning u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId", u.closed_at as at`;

/** Units of one command carried out a Valve Off: what was open is closed. Returns the commands that had opened it. */
export async function noteClosedByOff(
  client: PoolClient,
  units: readonly Omit<Moved, 'commandId'>[],
): Promise<CommandKey[]> {
  const { rows } = await client.query<CommandKey & { deviceId: number; at: Date }>({
    name: 'valve-offs',
    text: offText,
    values: [
      units.map(({ farmId }) => farmId),
      units.map(({ deviceId }) => deviceId),
      units.map(({ at }) => at),
      units.map(({ mac }) => mac),
      closedByOff,
    ],
  });
  await writeSteps(
    client,
    rows.map((row) => ({ ...row, state: 'closed', note: closedByOff })),
  );
  return rows;
}

// Answers and reports come in any order: what ended the opening may be known before the opening is.
const openText = `update command_unit u set opened_at = $4, closed_at = e.at, closed_why = e.why,
    closes_by = $4::timestamptz + make_interval(mins => ${openMinutesText})
  from command c join gateway_state g on g.farm_id = c.farm_id left join lateral (select x.at, case when o.type in (${valveOffTypes}) then $6 else $7 end as why
    from command_unit x join command o on o.farm_id = x.farm_id and o.id = x.command_id
    where x.farm_id = $1 and x.device_id = $3 and x.command_id <> $2 and x.at > $4 and x.state = 'done'
      and (o.type in (${valveOffTypes}) or x.opened_at > $4) and coalesce(x.mac = $5, true)
    order by x.at limit 1) e on true
  where u.farm_id = $1 and u.command_id = $2 and u.device_id = $3 and c.farm_id = u.farm_id and c.id = u.command_id
    and g.device_id = u.gateway_id and u.opened_at is null
  returning u.closed_at as at, u.closed_why as note`;

const againText = `update command_unit set closed_at = $4, closed_why = $5
  where farm_id = $1 and device_id = $3 and command_id <> $2 and opened_at <= $4 and closed_at is null
    and coalesce(mac = $6, true)`;

/**
 * A valve is open since `at`; an earlier opening that was still under way goes over into this one. A later Valve Off or
 * opening that is known already ends this one.
 */
export async function noteOpened(
  client: PoolClient,
  { farmId, commandId, deviceId, mac, at }: Moved,
): Promise<void> {
  await client.query({
    name: 'valve-open-again',
    text: againText,
    values: [farmId, commandId, deviceId, at, openedAgain, mac],
  });
  const { rows } = await client.query<{ at: Date | null; note: string }>({
    name: 'valve-open',
    text: openText,
    values: [farmId, commandId, deviceId, at, mac, closedByOff, openedAgain],
  });
  await writeSteps(
    client,
    rows.flatMap(({ at: ended, note }) =>
      ended ? [{ farmId, commandId, deviceId, at: ended, state: 'closed', note }] : [],
    ),
  );
}
