import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { ReportedMetric } from '@headrace/contract/headlines';
import { hourStart } from '@headrace/contract/rules/farm-time';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { series, SeriesNow } from '@headrace/contract/series';
import { metricOrder } from '@headrace/device/metrics';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { type Described, describeMetric } from './describe-metric.ts';
import { chartSpan, daysBetween } from './history-range.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import type { Pieces } from '../../http/raw-reply.ts';
import type { ReadingsFile } from './readings-file.ts';
import { canBeOf } from './series-limits.ts';
import { seriesPoints } from './series-points.ts';
import type { SeriesRepo } from './series.repo.ts';

const HOUR = 3_600_000;
const LATELY_HOURS = 24;

export type MetricNow = Described & { value: number | null; at: string | null };

/** Everything that sensors say: also what no other page knows. */
export function createSeriesService(repo: SeriesRepo) {
  return {
    /** What sensors of the farm have ever reported: in the order of our metrics, then by the sensor's name. */
    async reported(farm: FarmRow): Promise<ReportedMetric[]> {
      const rows = await repo.reported(farm.id);
      return rows
        .flatMap(({ uid, name, mapping, metric }) => {
          const described = describeMetric({ mapping }, metric);
          const { label = '', unit = '' } = described ?? {};
          return described ? [{ sensorUid: uid, sensorName: name, metric, label, unit }] : [];
        })
        .toSorted((a, b) =>
          a.metric === b.metric
            ? compareNatural(a.sensorName, b.sensorName)
            : metricOrder(a.metric, b.metric),
        );
    },

    /** All that devices have said, a piece at a time. */
    file: (of: ReadingsFile): Pieces => repo.file(of),

    /** One metric of a sensor now; `at` is null when it was never reported. Throws notFound for what is no metric or no sensor. */
    async now(device: DeviceRow, metric: string): Promise<MetricNow> {
      const described = describeMetric(device, metric);
      if (device.kind !== 'sensor' || !described) throw notFound();
      const newest = (await repo.latest(device)).get(metric);
      const { value = null } = newest ?? {};
      return {
        ...described,
        value: value !== null && canBeOf(device, metric)(value) ? value : null,
        at: newest ? isoTime(newest.at) : null,
      };
    },

    /** In the order of our metrics, then those that the mapping names itself, by name. */
    async list(farm: FarmRow, device: DeviceRow, now: Date): Promise<SeriesNow[]> {
      if (device.kind !== 'sensor') throw notFound();
      const latest = await repo.latest(device);
      const metrics = [...latest.keys()].toSorted((a, b) => metricOrder(a, b));
      const from = hourStart(toZone(farm), now.getTime() - (LATELY_HOURS - 1) * HOUR);
      const hours = await repo.series(device, latest, metrics, 'hour', { from, to: now.getTime() + 1 });
      return metrics.flatMap((metric) => {
        const [described, newest] = [describeMetric(device, metric), latest.get(metric)];
        if (!described || !newest) return [];
        const canBe = canBeOf(device, metric);
        const lately = seriesPoints(described.kind, hours(metric).rows, canBe);
        return {
          ...described,
          time: isoTime(newest.at),
          value: newest.value !== null && canBe(newest.value) ? newest.value : null,
          lately: lately.flatMap(({ time, value }) => (value === null ? [] : [{ time, value }])),
        };
      });
    },

    /**
     * None of what the sensor never said. Throws invalid for days that don't exist, or that end before they begin; notFound for what
     * is no metric.
     */
    async points(
      farm: FarmRow,
      device: DeviceRow,
      { metric, startDate, endDate }: QueryOf<typeof series>,
      now: Date,
    ): Promise<ReplyOf<typeof series>> {
      const described = describeMetric(device, metric);
      if (device.kind !== 'sensor' || !described) throw notFound();
      const range = daysBetween(
        toZone(farm),
        { name: 'startDate', text: startDate },
        { name: 'endDate', text: endDate },
        now.getTime(),
      );
      const span = chartSpan(range);
      const found = await repo.device(device, [metric], span, range);
      return {
        ...described,
        span,
        points: seriesPoints(described.kind, found.series(metric).rows, canBeOf(device, metric)),
      };
    },
  };
}
export type SeriesService = ReturnType<typeof createSeriesService>;
