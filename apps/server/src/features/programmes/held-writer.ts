import type { PoolClient } from 'pg';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { numberArray } from '../../db/sql-arrays.ts';
import { ofUnits, type UnitKey, unitKeyArrays } from '../../db/unit-keys.ts';
import { type Held, heldAfter, type HeldProgramme, type HeldReport } from './held-after.ts';
import { knownProgrammes } from './known-programmes.ts';
import { saveHeld } from './save-held.ts';

/** What a sprinkler reports or answers about what it holds. */
export type UnitHeldReport = HeldReport & UnitKey;

/** Of a unit: what it holds, whether it is to hold anything or was stopped, and when it last said a checksum (epoch ms). */
interface NowRow extends UnitKey {
  since: number | null;
  crc: string | null;
  how: Held['how'] | null;
  entries: ScheduleEntry[] | null;
  cycleDays: number | null;
  stoppedAt: number | null;
  mayBeStopped: boolean;
  saidAt: number | null;
}

const ms = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;
const nowText = `select k.farm_id as "farmId", k.device_id as "deviceId", ${ms('h.since')} as since, h.crc, h.how, h.entries,
    h.cycle_days as "cycleDays", ${ms('h.stopped_at')} as "stoppedAt", ${ms('f.at')} as "saidAt",
    coalesce(jsonb_array_length(p.entries) > 0, false) or s.since is not null as "mayBeStopped"
  from ${ofUnits}
  left join unit_held h on h.farm_id = k.farm_id and h.device_id = k.device_id and h.until is null
  left join unit_program p on p.farm_id = k.farm_id and p.device_id = k.device_id
  left join unit_stop s on s.farm_id = k.farm_id and s.device_id = k.device_id and s.lifted_by is null
  left join device_fact f on f.farm_id = k.farm_id and f.device_id = k.device_id and f.name = 'ipcCrc'`;

// Two servers that hear a unit for the first time would each write the first row.
const lockText = `select pg_advisory_xact_lock(hashtext('unit_held'), k.device_id)
  from (select * from unnest($1::int[]) as k (device_id) order by 1) k`;

/**
 * Keeps what sprinklers hold by these reports, in ingest's transaction and after what they said is stored. A report that is older
 * than the newest that we have changes nothing. Most reports say what is known: those are read once and write nothing.
 */
export async function writeHeld(client: PoolClient, reports: readonly UnitHeldReport[]): Promise<void> {
  const some = await reportsThatChange(client, reports);
  if (some.length === 0) return;
  await client.query({
    name: 'lock-held',
    text: lockText,
    values: [numberArray(some.map(({ deviceId }) => deviceId))],
  });
  const units = await readNow(client, some);
  const known = await knownProgrammes(client, some);
  const changes = units.flatMap((unit) => {
    const said = reportsOf(unit, some).map((report) => ({
      ...report,
      programme: report.programme ?? known(report),
    }));
    const rows = rowsAfter(unit, said);
    return rows.length > 0 ? [{ ...unit, rows }] : [];
  });
  await saveHeld(client, changes);
}

/** Reports that change something, as far as is known before it is known what their checksums stand for. */
async function reportsThatChange(
  client: PoolClient,
  reports: readonly UnitHeldReport[],
): Promise<UnitHeldReport[]> {
  if (reports.length === 0) return [];
  const units = await readNow(client, reports);
  return units.flatMap((unit) => {
    const said = reportsOf(unit, reports);
    return rowsAfter(unit, said).length > 0 ? said : [];
  });
}

async function readNow(client: PoolClient, units: readonly UnitKey[]): Promise<NowRow[]> {
  const keys = [...new Map(units.map((unit) => [unit.deviceId, unit])).values()];
  const { rows } = await client.query<NowRow>({
    name: 'held-now',
    text: nowText,
    values: unitKeyArrays(keys),
  });
  return rows;
}

/** In the order of their times, without reports that an earlier batch had a newer one of. */
const reportsOf = ({ deviceId, saidAt }: NowRow, reports: readonly UnitHeldReport[]): UnitHeldReport[] =>
  reports
    .filter(
      (report) => report.deviceId === deviceId && (report.how === 'answered' || report.at >= (saidAt ?? 0)),
    )
    .toSorted((one, other) => one.at - other.at);

/** What it holds after each report that changes that. */
function rowsAfter(unit: NowRow, reports: readonly HeldReport[]): Held[] {
  const rows: Held[] = [];
  let now = heldNow(unit);
  for (const report of reports) {
    const next = heldAfter(now, report, unit.mayBeStopped);
    if (next && next !== now) rows.push(next);
    now = next;
  }
  return rows;
}

function heldNow({ since, crc, how, entries, cycleDays, stoppedAt }: NowRow): Held | null {
  if (since === null || crc === null || how === null) return null;
  const programme: HeldProgramme | null = entries && { entries, cycleDays: cycleDays ?? 1 };
  return { since, crc, how, programme, stoppedAt };
}
