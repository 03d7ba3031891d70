import type { PoolClient } from 'pg';
import type { ValveObservation, WateringRun } from '@headrace/contract/rules/watering-runs';
import { numberArray } from '../../db/sql-arrays.ts';
import type { UnitKey } from '../../db/unit-keys.ts';
import { newestValveReportAt } from '../series/newest-valve-report.ts';
import type { UnitRates } from './unit-rates.ts';

/** A run as it is stored, with what its sprinkler gave then; times in epoch ms. */
export type StoredRun = WateringRun & UnitKey & UnitRates;

/** A unit and the time that new reports of it span, epoch ms. */
export interface Span extends UnitKey {
  readonly from: number;
  readonly to: number;
}

/** A unit's stored runs that new reports may change, and the reports among which late ones stand. */
export interface Neighbours {
  readonly runs: readonly StoredRun[];
  readonly reports: readonly (ValveObservation & UnitKey)[];
}

export async function readNeighbours(client: PoolClient, spans: readonly Span[]): Promise<Neighbours> {
  const runs = await readRuns(client, spans);
  const late = await lateSpans(client, spans);
  return {
    runs,
    reports:
      late.length > 0
        ? await readReports(
            client,
            late.map((span) => widened(span, runs)),
          )
        : [],
  };
}

const ms = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;
const spansText =
  'unnest($1::int[], $2::int[], $3::float8[], $4::float8[]) as k (farm_id, device_id, from_ms, to_ms)';
const spanArrays = (spans: readonly Span[]) => [
  numberArray(spans.map(({ farmId }) => farmId)),
  numberArray(spans.map(({ deviceId }) => deviceId)),
  numberArray(spans.map(({ from }) => from)),
  numberArray(spans.map(({ to }) => to)),
];

// Those that the span touches, and the next one: an earlier word may be its beginning.
const runsText = `select r.farm_id as "farmId", r.device_id as "deviceId", ${ms('r.opened_at')} as "openedAt",
    r.opened_how as "openedHow", ${ms('r.open_until')} as "openUntil", ${ms('r.closed_at')} as "closedAt",
    r.closed_how as "closedHow", r.lps, r.mm_per_min as "mmPerMin", r.is_part as "isPart"
  from ${spansText}
  join watering_run r on r.farm_id = k.farm_id and r.device_id = k.device_id
    and coalesce(r.closed_at, 'infinity') >= to_timestamp(k.from_ms / 1000)
    and r.opened_at <= coalesce((select min(n.opened_at) from watering_run n where n.farm_id = k.farm_id
      and n.device_id = k.device_id and n.opened_at > to_timestamp(k.to_ms / 1000)), 'infinity')
  order by r.farm_id, r.device_id, r.opened_at
  for update of r`;

async function readRuns(client: PoolClient, spans: readonly Span[]): Promise<StoredRun[]> {
  const { rows } = await client.query<StoredRun>({
    name: 'watering-runs-near',
    text: runsText,
    values: spanArrays(spans),
  });
  return rows;
}

// A unit's first reports wait for nothing; what was answered is no reading, so a run may be newer than all of those.
const lateText = `select k.farm_id as "farmId", k.device_id as "deviceId", k.from_ms as from, k.to_ms as to
  from ${spansText}
  where exists (select from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
      where s.farm_id = k.farm_id and s.device_id = k.device_id and s.metric = 'valve'
        and ${newestValveReportAt} > to_timestamp(k.to_ms / 1000))
    or exists (select from watering_run r where r.farm_id = k.farm_id and r.device_id = k.device_id
      and greatest(r.open_until, r.closed_at) > to_timestamp(k.from_ms / 1000))`;

/** Those of which something is known that is newer than some of the new reports. */
async function lateSpans(client: PoolClient, spans: readonly Span[]): Promise<Span[]> {
  const { rows } = await client.query<Span>({
    name: 'waterings-late',
    text: lateText,
    values: spanArrays(spans),
  });
  return rows;
}

/** By the runs that it touches, which it may divide. */
function widened(span: Span, runs: readonly StoredRun[]): Span {
  const touched = runs.filter(
    ({ farmId, deviceId, openedAt }) =>
      farmId === span.farmId && deviceId === span.deviceId && openedAt <= span.to,
  );
  return {
    ...span,
    from: Math.min(span.from, ...touched.map(({ openedAt }) => openedAt)),
    to: Math.max(span.to, ...touched.map(({ closedAt, openUntil }) => closedAt ?? openUntil)),
  };
}

// With the first report beyond that says closed: without one the next run begins with these.
const reportsText = `select k.farm_id as "farmId", k.device_id as "deviceId", ${ms('w.at')} as at, w.value > 0 as "isOpen",
    'said' as how
  from ${spansText}
  join series s on s.farm_id = k.farm_id and s.device_id = k.device_id and s.metric = 'valve'
  cross join lateral (
    select r.at, r.value from reading r where r.farm_id = s.farm_id and r.series_id = s.id and r.value is not null
      and r.at between to_timestamp(k.from_ms / 1000) and to_timestamp(k.to_ms / 1000)
    union all
    (select r.at, r.value from reading r where r.farm_id = s.farm_id and r.series_id = s.id and r.value = 0
      and r.at > to_timestamp(k.to_ms / 1000) order by r.at limit 1)) w
  union all
  select k.farm_id, k.device_id, ${ms('f.at')}, false, 'answered'
  from ${spansText}
  join device_fact f on f.farm_id = k.farm_id and f.device_id = k.device_id and f.name = 'valveOff'
    and f.at >= to_timestamp(k.from_ms / 1000)`;

async function readReports(
  client: PoolClient,
  spans: readonly Span[],
): Promise<(ValveObservation & UnitKey)[]> {
  const { rows } = await client.query<ValveObservation & UnitKey>({
    name: 'valve-reports-near',
    text: reportsText,
    values: spanArrays(spans),
  });
  return rows;
}
