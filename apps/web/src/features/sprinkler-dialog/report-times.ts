import type { MapUnit } from '@headrace/contract/map-units';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';

export type ReportTimes = SprinklerInfo['reportedAt'];

/**
 * When the unit said what the page knows of it. Null: not known yet; the page has newer news of it than what was asked for, and no
 * age is better than that of an older report.
 */
export const reportTimesOf = (
  { statustime }: Pick<MapUnit, 'statustime'>,
  info: SprinklerInfo | undefined,
): ReportTimes | null => (info && info.statustime >= statustime ? info.reportedAt : null);
