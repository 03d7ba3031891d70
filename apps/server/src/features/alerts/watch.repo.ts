import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { AlertTables } from '../../db/schema/alerts.ts';
import { type LatestValues, readLatest } from '../series/latest-values.ts';
import { FARM, type RuleRow } from './observation.ts';
import { createOpenValves } from './open-valves.ts';
import { createSendsRepo } from './sends.repo.ts';
import { createSilenceRepo } from './silence.repo.ts';

export type EpisodeRow = Selectable<AlertTables['alert_episode']>;

/** A sensor with its newest values. */
export interface SensorNow {
  readonly device: DeviceRow;
  readonly latest: LatestValues;
}

/** Episodes that nobody looks at any more: their rule is gone, or was switched off in the same moment. */
const strays = (db: Db) =>
  db
    .selectFrom('alert_episode as e')
    .innerJoin('farm as f', 'f.id', 'e.farm_id')
    .where('f.deleted_at', 'is', null)
    .where('e.state', '!=', 'ended')
    .where('e.incident_id', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_rule as r')
            .select('r.id')
            .whereRef('r.farm_id', '=', 'e.farm_id')
            .whereRef('r.id', '=', 'e.rule_id')
            .where('r.enabled', '=', true),
        ),
      ),
    );

export function createWatchRepo(db: Db) {
  return {
    ...createSilenceRepo(db),
    ...createSendsRepo(db),
    openValves: createOpenValves(db),

    /** Of all farms that are there, with their farms. */
    rules(): Promise<RuleRow[]> {
      return db
        .selectFrom('alert_rule as r')
        .innerJoin('farm as f', 'f.id', 'r.farm_id')
        .selectAll('r')
        .where('r.enabled', '=', true)
        .where('f.deleted_at', 'is', null)
        .execute();
    },

    farm(farmId: number): Promise<FarmRow | undefined> {
      return db
        .selectFrom('farm')
        .selectAll()
        .where('id', '=', farmId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
    },

    /** What waited for its hold, or is asked again, with the newest time at which it was due. */
    due(now: Date): Promise<{ farm_id: number; rule_id: number; due_at: Date }[]> {
      return db
        .selectFrom('alert_episode')
        .select(({ fn }) => ['farm_id', 'rule_id', fn.max<Date>('due_at').as('due_at')])
        .where('due_at', '<=', now)
        .groupBy(['farm_id', 'rule_id'])
        .execute();
    },

    /** Which versions of a farm's rules hold now, by their ids. */
    async versions(trx: Db, farmId: number): Promise<ReadonlyMap<number, number>> {
      const rows = await trx
        .selectFrom('alert_rule')
        .select(['id', 'version'])
        .where('farm_id', '=', farmId)
        .where('enabled', '=', true)
        .execute();
      return new Map(rows.map(({ id, version }) => [id, version]));
    },

    /** Farms with something that is told as so still, and whose rule is gone or off. */
    async withStrays(): Promise<number[]> {
      const rows = await strays(db).select('e.farm_id').distinct().execute();
      return rows.map(({ farm_id }) => farm_id);
    },

    strays: (trx: Db, farmId: number) =>
      strays(trx)
        .where('e.farm_id', '=', farmId)
        .innerJoin('alert_incident as i', (join) =>
          join.onRef('i.farm_id', '=', 'e.farm_id').onRef('i.id', '=', 'e.incident_id'),
        )
        .selectAll('e')
        .select(['i.rule_name', 'i.kind'])
        .execute(),

    open(farmId: number, ruleIds: readonly number[]): Promise<EpisodeRow[]> {
      return db
        .selectFrom('alert_episode')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('rule_id', 'in', [...ruleIds])
        .where('state', '!=', 'ended')
        .execute();
    },

    /** How often each fired since a time, by rule, device and part. */
    async firedSince(farmId: number, ruleIds: readonly number[], since: Date): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('alert_episode')
        .select(['rule_id', 'device_id', 'part', sql<number>`count(*)::int`.as('count')])
        .where('farm_id', '=', farmId)
        .where('rule_id', 'in', [...ruleIds])
        .where('fired_at', '>', since)
        .groupBy(['rule_id', 'device_id', 'part'])
        .execute();
      return new Map(
        rows.map(({ rule_id, device_id, part, count }) => [`${rule_id} ${device_id} ${part}`, count]),
      );
    },

    /** When each part of the farm as a whole was last told by a rule, since a time; epoch ms. */
    async noticesOfFarm(farmId: number, ruleId: number, since: Date): Promise<Map<number, number>> {
      const rows = await db
        .selectFrom('alert_episode')
        .select(({ fn }) => ['part', fn.max<Date>('fired_at').as('at')])
        .where('farm_id', '=', farmId)
        .where('rule_id', '=', ruleId)
        .where('device_id', '=', FARM)
        .where('fired_at', '>=', since)
        .groupBy('part')
        .execute();
      return new Map(rows.map(({ part, at }) => [part, at.getTime()]));
    },

    async sensors(farmId: number): Promise<SensorNow[]> {
      const devices = await db
        .selectFrom('device')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sensor')
        .where('deleted_at', 'is', null)
        .execute();
      const latest = await readLatest(
        db,
        farmId,
        devices.map(({ id }) => id),
      );
      return devices.map((device) => ({ device, latest: latest.get(device.id) ?? new Map() }));
    },
  };
}
export type WatchRepo = ReturnType<typeof createWatchRepo>;
