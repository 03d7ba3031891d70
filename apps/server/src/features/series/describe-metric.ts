import type { SeriesNow } from '@headrace/contract/series';
import { namedBy } from '@headrace/device/field-mapping';
import { metricInfo } from '@headrace/device/metrics';
import type { DeviceRow } from '../../db/schema.ts';

export type Described = Pick<SeriesNow, 'metric' | 'label' | 'unit' | 'kind' | 'isBoolean' | 'digits'>;

/** What is to be known of a metric to show its values; null of what is none. */
export function describeMetric({ mapping }: Pick<DeviceRow, 'mapping'>, metric: string): Described | null {
  const info = metricInfo(metric);
  if (!info) return null;
  const named = namedBy(mapping, metric);
  return {
    metric,
    label: named.name ?? info.label,
    unit: named.unit ?? info.unit,
    kind: info.kind,
    isBoolean: info.type === 'boolean',
    digits: info.digits,
  };
}
