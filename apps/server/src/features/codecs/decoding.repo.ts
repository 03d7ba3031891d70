import type { Db } from '../../db/client.ts';

/** How messages of a sensor are decoded, as its page shows it. */
export function decodingReads(db: Db) {
  return {
    lastUplink(farmId: number, deviceId: number) {
      return db
        .selectFrom('last_uplink')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .executeTakeFirst();
    },

    /** What the network said of the sensor: its facts, and the newest values of its link and power. */
    async network(
      farmId: number,
      deviceId: number,
      metrics: readonly string[],
    ): Promise<{ name: string; value: string; at: Date }[]> {
      const facts = await db
        .selectFrom('device_fact')
        .select(['name', 'value', 'at'])
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .execute();
      const values = await db
        .selectFrom('series as s')
        .innerJoin('latest as l', (join) =>
          join.onRef('l.farm_id', '=', 's.farm_id').onRef('l.series_id', '=', 's.id'),
        )
        .select(['s.metric as name', 'l.value', 'l.at'])
        .where('s.farm_id', '=', farmId)
        .where('s.device_id', '=', deviceId)
        .where('s.metric', 'in', [...metrics])
        .where('l.at', 'is not', null)
        .$narrowType<{ at: Date }>()
        .execute();
      return [...facts, ...values.map((row) => ({ ...row, value: String(row.value) }))].toSorted((a, b) =>
        a.name.localeCompare(b.name),
      );
    },
  };
}
