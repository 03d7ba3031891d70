import { sql } from 'kysely';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmContents } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import type { DeviceKind } from '../../db/schema.ts';

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

    async counts(farmId: number): Promise<{ gateways: number; gatewaysOffline: number; sprinklers: number }> {
      return db
        .selectFrom('device')
        .leftJoin('gateway_state as state', (join) =>
          join.onRef('state.farm_id', '=', 'device.farm_id').onRef('state.device_id', '=', 'device.id'),
        )
        .where('device.farm_id', '=', farmId)
        .where('device.deleted_at', 'is', null)
        .select([
          sql<number>`count(*) filter (where kind = 'gateway')::int`.as('gateways'),
          sql<number>`count(*) filter (where kind = 'gateway' and state.online is not true)::int`.as(
            'gatewaysOffline',
          ),
          sql<number>`count(*) filter (where kind = 'sprinkler')::int`.as('sprinklers'),
        ])
        .executeTakeFirstOrThrow();
    },

    /** What goes with the farm when it is deleted. */
    async contents(farmId: number): Promise<ReplyOf<typeof farmContents>> {
      const devices = (kind: DeviceKind) =>
        sql<number>`(select count(*)::int from device where farm_id = ${farmId} and kind = ${kind} and deleted_at is null)`.as(
          `${kind}s`,
        );
      const rows = (table: 'device_group' | 'schedule_set') =>
        sql<number>`(select count(*)::int from ${sql.table(table)} where farm_id = ${farmId})`;
      return db
        .selectNoFrom([
          devices('sprinkler'),
          devices('gateway'),
          devices('repeater'),
          devices('sensor'),
          devices('poi'),
          rows('device_group').as('groups'),
          rows('schedule_set').as('schedules'),
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
