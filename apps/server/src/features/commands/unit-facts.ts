import type { Pool } from 'pg';
import { lanes } from '@headrace/device/lanes';
import { reportedStoppedSince, stoppedSince } from '../programmes/must-not-water.ts';
import type { GatewayKey } from './answers.ts';
import type { NewUnit } from './commands.repo.ts';

/** What is known of a unit before something is sent to it. */
export interface UnitFacts {
  readonly deviceId: number;
  readonly name: string;
  /** Its newest word of any kind; null: never heard. */
  readonly heardAt: Date | null;
  readonly isOpen: boolean | null;
  /** Spare or out of service. */
  readonly isShelved: boolean;
  /** A start is on its way to it, or what was opened has not been reported closed. */
  readonly mayOpen: boolean;
  /** The checksum of what it holds, by its own word. */
  readonly reportedCrc: string | null;
  /** Said after everything that was last done to it. */
  readonly isCrcFresh: boolean;
  readonly cycleLen: number | null;
  /** It must not water: somebody stopped it… */
  readonly isStopped: boolean;
  /** …or it says so itself. */
  readonly saysStopped: boolean;
}

// What a unit says counts only where it is newer than the last thing that was done to it; its clock may be 10 minutes ahead.
const factsText = `select d.id as "deviceId", d.name, greatest(v.heard_at, f.at) as "heardAt", v.valve = 1 as "isOpen",
    coalesce((d.settings->>'outOfService')::boolean, false) or coalesce((d.settings->>'isSpareUnit')::boolean, false) as "isShelved",
    exists (select from command_unit x where x.farm_id = d.farm_id and x.device_id = d.id
      and (x.lane = ${lanes.start} and x.state in ('queued', 'sent', 'accepted')
        or x.opened_at is not null and x.closed_at is null)) as "mayOpen",
    f.value as "reportedCrc", v.cycle_len as "cycleLen",
    not exists (select from command_unit x where x.farm_id = d.farm_id and x.device_id = d.id
      and x.at >= f.at - interval '10 minutes' and x.state not in ('queued', 'skipped') and (x.state <> 'cancelled' or x.cmd_id is not null)) as "isCrcFresh",
    ${stoppedSince} is not null as "isStopped", ${reportedStoppedSince} is not null as "saysStopped"
  from device d cross join lateral (select d.farm_id, d.id as device_id) u
  left join lateral (select max(l.at) as heard_at, max(l.value) filter (where s.metric = 'valve') as valve,
      max(l.value) filter (where s.metric = 'cycleLen') as cycle_len
    from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
    where s.farm_id = d.farm_id and s.device_id = d.id) v on true
  left join device_fact f on f.farm_id = d.farm_id and f.device_id = d.id and f.name = 'ipcCrc'
  where d.farm_id = $1 and d.id = any($2)`;

/** By device. */
export async function readUnitFacts(
  pool: Pool,
  farmId: number,
  units: readonly NewUnit[],
): Promise<Map<number, UnitFacts>> {
  const { rows } = await pool.query<UnitFacts>(factsText, [farmId, units.map(({ deviceId }) => deviceId)]);
  return new Map(rows.map((row) => [row.deviceId, row]));
}

/** What a gateway still has to do for units before what is sent now. */
export interface AheadRow extends GatewayKey {
  readonly type: number;
  readonly name: string;
  readonly lane: number;
  readonly units: number;
}

const aheadText = `select u.farm_id as "farmId", u.gateway_id as "gatewayId", c.type, c.name, u.lane, count(*)::int as units
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.farm_id = $1 and u.gateway_id = any($2) and u.state in ('queued', 'sent', 'accepted')
    and u.device_id <> u.gateway_id
  group by u.farm_id, u.gateway_id, c.id, c.type, c.name, u.lane order by c.id`;

/** By command, the oldest first. */
export async function readAhead(
  pool: Pool,
  farmId: number,
  gatewayIds: readonly number[],
): Promise<AheadRow[]> {
  return (await pool.query<AheadRow>(aheadText, [farmId, gatewayIds])).rows;
}
