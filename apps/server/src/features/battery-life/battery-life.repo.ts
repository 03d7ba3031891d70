import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { readDevice } from '../series/device-series.ts';
import type { Range, Rollup } from '../series/rollup-query.ts';

/** What somebody did to a device's battery, or that another unit came to its place. */
export interface ChangeRow {
  readonly at: Date;
  readonly how: 'battery' | 'unit';
  readonly by: string;
}

/** When it was done, which is before it was written down where it was told later. `l` is the log's row. */
const replacedWhen = sql`coalesce((select (f->>'to')::timestamptz from jsonb_array_elements(l.fields) f
  where l.what = 'replaced battery' and f->>'field' = 'replaceBatteryAt' and f->>'to' is not null limit 1), l.at)`;

export function createBatteryLifeRepo(db: Db) {
  return {
    /** Readings or days of its charge in the range. */
    async charge(device: DeviceRow, span: 'reading' | 'day', range: Range): Promise<readonly Rollup[]> {
      return (await readDevice(db, device, ['charge'], span, range)).series('charge').rows;
    },

    /** Of the unit that stands there now, the oldest first. */
    async changes({ farm_id: farmId, uid, kind }: DeviceRow): Promise<ChangeRow[]> {
      const { rows } = await sql<ChangeRow>`
        select ${replacedWhen} as at, case l.what when 'replaced battery' then 'battery' else 'unit' end as how, coalesce(a.name, '') as by
        from change_log l left join account a on a.id = l.account_id
        where l.farm_id = ${farmId} and l.uid = ${uid} and l.kind = ${kind} and l.what <> 'created'
          and (l.what = 'replaced battery' or l.fields @> '[{"field": "mac"}]')
        order by l.id`.execute(db);
      return rows;
    },
  };
}
export type BatteryLifeRepo = ReturnType<typeof createBatteryLifeRepo>;
