import type { Db } from '../../db/client.ts';
import { readRollups, type RollupSeries, type Span } from '../tanks/rollup-query.ts';

const flowMetrics = ['flowLpm', 'pulsesTotal', 'pulses'] as const;

export function createFlowRepo(db: Db) {
  return {
    /** Hours or days of what a meter reports, that start in [from, to) (epoch ms); a metric it never reported is absent. */
    async rollups(
      farmId: number,
      deviceId: number,
      span: Span,
      range: { from: number; to: number },
    ): Promise<Map<string, RollupSeries>> {
      const series = await db
        .selectFrom('series')
        .select(['id', 'metric'])
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .where('metric', 'in', [...flowMetrics])
        .execute();
      const ids = series.map(({ id }) => id);
      const rollups = await readRollups(db, span, farmId, ids, range);
      return new Map(
        series.flatMap(({ id, metric }) => {
          const found = rollups.get(id);
          return found ? [[metric, found] as const] : [];
        }),
      );
    },
  };
}
export type FlowRepo = ReturnType<typeof createFlowRepo>;
