import type { AlertChart } from '@headrace/contract/alert-chart';
import { alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Replayed, ReplayPoint } from '@headrace/contract/rules/alerts/replay';
import type { DeviceRow } from '../../db/schema.ts';
import type { TriedRule } from './observation.ts';
import { triedLimit } from './replayed.ts';
import { thinned } from './thinned.ts';

const CHART_POINTS = 600;

/** What a device said, with the limits of an alert and what it told, or would have told. */
export function alertChart(
  rule: TriedRule,
  { uid, name }: Pick<DeviceRow, 'uid' | 'name'>,
  points: readonly ReplayPoint[],
  notified: readonly Omit<Replayed, 'isNotified'>[],
): AlertChart {
  const { value: limit, clearValue: end } = triedLimit(rule);
  const iso = (at: number) => new Date(at).toISOString();
  return {
    uid,
    name,
    unit: rule.kind === 'LowBattery' ? 'V' : (alertKindInfo[rule.kind].value?.unit ?? ''),
    points: thinned(points, CHART_POINTS).map(({ at, value }) => ({ at: iso(at), value })),
    limit,
    end,
    marks: notified.map(({ since, firedAt, endedAt, peak }) => ({
      since: iso(since),
      firedAt: iso(firedAt),
      endedAt: endedAt === null ? null : iso(endedAt),
      peak,
    })),
  };
}
