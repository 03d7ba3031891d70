import { readingsOf } from '@headrace/contract/rules/reading-numbers';
import { metricOrder } from '@headrace/device/metrics';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { Pieces } from '../../http/raw-reply.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { describeMetric } from './describe-metric.ts';
import { readDevice } from './device-series.ts';
import { readLatest } from './latest-values.ts';
import { createLines, readingsHead } from './readings-csv.ts';
import { readingPages } from './reading-pages.ts';
import type { Range } from './rollup-query.ts';
import { canBeOf } from './series-limits.ts';
import { seriesPoints } from './series-points.ts';

export type ReadDevice = Pick<DeviceRow, 'id' | 'kind' | 'name' | 'serial_number' | 'settings' | 'mapping'>;
export interface ReadingsFile {
  readonly farm: FarmRow;
  /** In the order of the file. */
  readonly devices: readonly ReadDevice[];
  readonly each: 'reading' | 'hour' | 'day';
  readonly range: Range;
}

/** Devices whose series are looked up together. */
const DEVICES_AT_ONCE = 100;
const DAY_MS = 86_400_000;
/** What is held of a device at a time, days. */
const DAYS_AT_ONCE = { hour: 31, day: 366 } as const;

/**
 * What devices have said as CSV, a piece at a time, however much there is: device by device, and of each its metrics in the order of our
 * tables. A value that its device called invalid, or that can't be, is empty; its time is there.
 */
export const readingsFile = (db: Db, file: ReadingsFile): Pieces =>
  async function* (over) {
    yield readingsHead(file.each);
    const pieces = file.each === 'reading' ? eachReading(db, file) : eachSpan(db, file, file.each);
    for await (const piece of pieces) {
      if (over.aborted) return;
      if (piece !== '') yield piece;
    }
  };

async function* eachReading(db: Db, { farm, devices, range }: ReadingsFile): AsyncGenerator<string> {
  for (let at = 0; at < devices.length; at += DEVICES_AT_ONCE) {
    const some = devices.slice(at, at + DEVICES_AT_ONCE);
    const series = await seriesOf(db, farm, some);
    for await (const { id, numbers } of readingPages(db, farm.id, [...series.keys()], range)) {
      const of = series.get(id);
      if (!of) continue;
      const { line, canBe } = of;
      const lines = await mapInTurns(readingsOf(numbers), ({ at: time, value }) =>
        line(time, canBe(value) ? value : null),
      );
      yield lines.join('');
    }
  }
}

async function seriesOf(db: Db, farm: FarmRow, devices: readonly ReadDevice[]) {
  const latest = await readLatest(
    db,
    farm.id,
    devices.map(({ id }) => id),
  );
  const series = new Map<
    number,
    { line: ReturnType<typeof createLines>; canBe: (value: number) => boolean }
  >();
  for (const device of devices) {
    const values = latest.get(device.id) ?? new Map<string, never>();
    for (const metric of inOrder([...values.keys()])) {
      const [line, id] = [lineOf(farm, device, metric), values.get(metric)?.seriesId];
      if (line && id !== undefined) series.set(id, { line, canBe: canBeOf(device, metric) });
    }
  }
  return series;
}

async function* eachSpan(
  db: Db,
  { farm, devices, range }: ReadingsFile,
  span: 'hour' | 'day',
): AsyncGenerator<string> {
  const step = DAYS_AT_ONCE[span] * DAY_MS;
  for (let at = 0; at < devices.length; at += DEVICES_AT_ONCE) {
    const some = devices.slice(at, at + DEVICES_AT_ONCE);
    const latest = await readLatest(
      db,
      farm.id,
      some.map(({ id }) => id),
    );
    for (const device of some) {
      const metrics = inOrder([...(latest.get(device.id)?.keys() ?? [])]);
      if (metrics.length === 0) continue;
      for (let from = range.from; from < range.to; from += step)
        yield await readSpan(db, farm, device, metrics, span, { from, to: Math.min(range.to, from + step) });
    }
  }
}

async function readSpan(
  db: Db,
  farm: FarmRow,
  device: ReadDevice,
  metrics: readonly string[],
  span: 'hour' | 'day',
  range: Range,
): Promise<string> {
  const { series } = await readDevice(db, { ...device, farm_id: farm.id }, metrics, span, range);
  return metrics
    .flatMap((metric) => {
      const [line, described] = [lineOf(farm, device, metric), describeMetric(device, metric)];
      if (!line || !described) return [];
      const { rows } = series(metric);
      const points = seriesPoints(described.kind, rows, canBeOf(device, metric));
      return rows.map(({ at, n }, index) => {
        const { value = null, lowest = null, highest = null } = points[index] ?? {};
        return line(at, value, lowest, highest, n);
      });
    })
    .join('');
}

const inOrder = (metrics: readonly string[]) => metrics.toSorted((one, other) => metricOrder(one, other));

/** Null of what is no metric any more. */
function lineOf(farm: FarmRow, device: ReadDevice, metric: string) {
  const described = describeMetric(device, metric);
  if (!described) return null;
  const { kind, name, serial_number: serialNumber } = device;
  return createLines(toZone(farm), { kind, name, serialNumber, metric, unit: described.unit });
}
