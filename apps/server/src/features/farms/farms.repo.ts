import { type RawBuilder, sql } from 'kysely';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmContents, FarmSummary } from '@headrace/contract/farms';
import { meterTypes, sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceKind } from '../../db/schema.ts';

/** A farm's devices by kind; `others` are switches. */
export type UnitCounts = Pick<
  FarmSummary,
  'tanks' | 'meters' | 'sites' | 'gateways' | 'repeaters' | 'sprinklers' | 'others'
>;
export const noUnits: UnitCounts = {
  tanks: 0,
  meters: 0,
  sites: 0,
  gateways: 0,
  repeaters: 0,
  sprinklers: 0,
  others: 0,
};

export function createFarmsRepo(db: Db) {
  return {
    async owners(ids: number[]): Promise<Map<number, { uid: string; subscriptionValidUntil: Date }>> {
      if (ids.length === 0) return new Map();
      const rows = await db
        .selectFrom('account')
        .select(['id', 'uid', 'subscription_valid_until as subscriptionValidUntil'])
        .where('id', 'in', [...new Set(ids)])
        .execute();
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** How many devices of each kind these farms have, by farm; one without devices has no entry. */
    async counts(farmIds: readonly number[]): Promise<Map<number, UnitCounts>> {
      if (farmIds.length === 0) return new Map();
      const count = (is: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${is})::int`;
      const ofType = (types: readonly number[]) => sql`kind = 'sensor' and type = any(${[...types]}::int[])`;
      const rows = await db
        .selectFrom('device')
        .where('farm_id', 'in', [...farmIds])
        .where('deleted_at', 'is', null)
        .select([
          'farm_id',
          count(ofType(tankTypes)).as('tanks'),
          count(ofType(meterTypes)).as('meters'),
          count(ofType([sensorTypes.SOIL_MOISTURE])).as('sites'),
          count(sql`kind = 'gateway'`).as('gateways'),
          count(sql`kind = 'repeater'`).as('repeaters'),
          count(sql`kind = 'sprinkler'`).as('sprinklers'),
          count(ofType([sensorTypes.SWITCH])).as('others'),
        ])
        .groupBy('farm_id')
        .execute();
      return new Map(rows.map(({ farm_id, ...counts }) => [farm_id, counts]));
    },

    /** What goes with the farm when it is deleted. */
    async contents(farmId: number): Promise<ReplyOf<typeof farmContents>> {
      const devices = (kind: DeviceKind) =>
        sql<number>`(select count(*)::int from device where farm_id = ${farmId} and kind = ${kind} and deleted_at is null)`.as(
          `${kind}s`,
        );
      return db
        .selectNoFrom([
          devices('sprinkler'),
          devices('gateway'),
          devices('repeater'),
          devices('sensor'),
          devices('poi'),
          sql<number>`(select count(*)::int from device_group where farm_id = ${farmId})`.as('groups'),
          sql<number>`(select count(*)::int from schedule_set where farm_id = ${farmId} and deleted_at is null)`.as(
            'schedules',
          ),
          sql<number>`(select count(distinct agent_id)::int from share s join farm f on f.id = ${farmId}
            where s.owner_id = f.owner_id and (s.farm_id = f.id or s.farm_id is null) and s.state = 'accepted')`.as(
            'people',
          ),
        ])
        .executeTakeFirstOrThrow();
    },
  };
}
export type FarmsRepo = ReturnType<typeof createFarmsRepo>;
