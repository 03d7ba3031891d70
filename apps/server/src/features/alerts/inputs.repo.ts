import { type Selectable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { AlertTables } from '../../db/schema/alerts.ts';

/** Of one input at one look; a device that says more in a few seconds has its newest looked at. */
const INPUT_READINGS = 1000;

/** An input of a gateway or a switch, as it last said. `at` in epoch ms. */
export interface InputRow {
  readonly device_id: number;
  readonly series_id: number;
  readonly name: string;
  readonly kind: DeviceRow['kind'];
  /** 1 to 6; 0: a switch sensor's own. */
  readonly part: number;
  readonly title: string | null;
  readonly at: number;
}

export type KnownInputRow = Selectable<AlertTables['alert_input']>;

/** Inputs of gateways and switches, word by word. */
export function createInputsRepo(db: Db) {
  return {
    async inputs(farmId: number): Promise<InputRow[]> {
      const { rows } = await sql<InputRow>`
        select d.id as device_id, s.id as series_id, d.name, d.kind,
          case when d.kind = 'gateway' then substr(s.metric, 6)::int else 0 end as part,
          io.settings->s.metric->>'title' as title, date_part('epoch', l.at) * 1000 as at
        from device d
        join series s on s.farm_id = d.farm_id and s.device_id = d.id
          and s.metric = any(${['switch', ...[1, 2, 3, 4, 5, 6].map((port) => `input${port}`)]}::text[])
        join latest l on l.farm_id = s.farm_id and l.series_id = s.id and l.at is not null
        left join gateway_io io on io.farm_id = d.farm_id and io.device_id = d.id
        where d.farm_id = ${farmId} and d.kind in ('gateway', 'sensor') and d.deleted_at is null`.execute(db);
      return rows;
    },

    /** What an input said after a time, oldest first; `at` in epoch ms. */
    async inputReadings(
      farmId: number,
      seriesId: number,
      after: number,
    ): Promise<{ at: number; isOn: boolean }[]> {
      const rows = await db
        .selectFrom('reading')
        .select(['at', 'value'])
        .where('farm_id', '=', farmId)
        .where('series_id', '=', seriesId)
        .where('at', '>', new Date(after))
        .where('value', 'is not', null)
        .orderBy('at', 'desc')
        .limit(INPUT_READINGS)
        .execute();
      return rows
        .toReversed()
        .map(({ at, value }) => ({ at: new Date(at).getTime(), isOn: (value ?? 0) > 0 }));
    },

    knownInputs(farmId: number, ruleId: number) {
      return db
        .selectFrom('alert_input')
        .select(['device_id', 'part', 'at', 'is_on'])
        .where('farm_id', '=', farmId)
        .where('rule_id', '=', ruleId)
        .execute();
    },

    async keepInputs(trx: Db, rows: readonly KnownInputRow[]): Promise<void> {
      if (rows.length === 0) return;
      await trx
        .insertInto('alert_input')
        .values([...rows])
        .onConflict((conflict) =>
          conflict.columns(['farm_id', 'rule_id', 'device_id', 'part']).doUpdateSet(({ ref }) => ({
            at: ref('excluded.at'),
            is_on: ref('excluded.is_on'),
          })),
        )
        .execute();
    },
  };
}
export type InputsRepo = ReturnType<typeof createInputsRepo>;
