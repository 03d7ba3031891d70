import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { atMost } from '../../at-most.ts';
import type { Db } from '../../db/client.ts';
import type { Job } from '../../jobs/run-every.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import type { MqttTransport } from '../../mqtt/transport.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { sendTime } from './send-time.ts';

interface Options {
  readonly db: Db;
  readonly publish: MqttTransport['publish'];
  readonly now: () => Date;
  /** Not while our own clock may be wrong: nobody is told the time by it. */
  readonly mayTell: () => boolean;
  readonly log: { warn(details: object, message: string): void };
}

/** A broker is handed so many at a time: on the night of a clock change all gateways of a country are told together. */
const AT_ONCE = 20;

/**
 * Tells the time to connected gateways that were told another offset than the farm's clock has now: daylight saving began or ended,
 * a person changed the zone, or the hello came while our clock was in doubt. One that is away is told by its next hello.
 */
async function tellClocks(options: Options): Promise<void> {
  const { db, now, mayTell, log } = options;
  if (!mayTell()) return;
  const at = now();
  for (const { zone, told } of await sentOffsets(db)) {
    if (farmOffsetSeconds(zone, at.getTime()) === told) continue;
    const inTurn = atMost(AT_ONCE);
    const gateways = await connectedBy(db, zone, told);
    const outcomes = await Promise.allSettled(
      gateways.map((gateway) => inTurn(() => sendTime(options, { ...gateway, zone }, now))),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // They are told by the next turn.
    if (failed) log.warn({ err: failed.reason as unknown }, 'gateways not told the time');
  }
}

export function createClocksJob(options: Options) {
  let wake = () => {};
  const job: Job = {
    name: 'clocks of gateways',
    everyMs: EACH_MINUTE / 2,
    run: () => tellClocks(options),
    wakes: (given) => {
      wake = given;
    },
  };
  return {
    job,
    /** The clock of a farm may be another one: looked at soon. */
    changed: () => wake(),
  };
}
export type ClocksJob = ReturnType<typeof createClocksJob>;

const zoneColumns = ['f.time_zone_id', 'f.raw_offset', 'f.dst_offset', 'f.dst_enabled'] as const;

const connected = (db: Db) =>
  db
    .selectFrom('gateway_state as g')
    .innerJoin('farm as f', 'f.id', 'g.farm_id')
    .where('g.online', '=', true)
    .where('f.deleted_at', 'is', null);

/** The few clocks that farms with connected gateways go by, with what these were told. */
async function sentOffsets(db: Db): Promise<{ zone: Timezone; told: number | null }[]> {
  const rows = await connected(db)
    .select([...zoneColumns, 'g.told_offset_s'])
    .distinct()
    .execute();
  return rows.map((row) => ({ zone: toZone(row), told: row.told_offset_s }));
}

function connectedBy(db: Db, zone: Timezone, told: number | null) {
  return connected(db)
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'g.farm_id').onRef('d.id', '=', 'g.device_id'),
    )
    .where('d.deleted_at', 'is', null)
    .where('d.mac', 'is not', null)
    .where('f.time_zone_id', '=', zone.timeZoneId)
    .where('f.raw_offset', '=', zone.rawOffset)
    .where('f.dst_offset', '=', zone.dstOffset)
    .where('f.dst_enabled', '=', zone.dstEnabled)
    .where('g.told_offset_s', 'is not distinct from', told)
    .select(['g.farm_id as farmId', 'g.device_id as deviceId', 'd.mac'])
    .$narrowType<{ mac: string }>()
    .execute();
}
