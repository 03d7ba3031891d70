import { parseDay } from '@headrace/contract/rules/farm-time';
import type { FarmRow } from '../../db/schema.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import { dayAfter } from './advice-days.ts';
import type { AdviceWriter } from './advice-writer.repo.ts';

/** Days that late reports may still change. */
const LATE_DAYS = 3;
/** Days that are read before they are written down: whoever waits sees how far it is. */
const AT_A_TIME = 14;

/** After this day of the farm, late reports may still change what was given. */
export const lateAfter = (farm: FarmRow, now: Date): string =>
  dayAfter(dayText(toZone(farm), now.getTime()), -1 - LATE_DAYS);

/** Of these days (YYYY-MM-DD) of a farm, writes down what its groups were given: of those that late reports may change anew, of older ones what is missing. */
export function createGivenDays(writer: AdviceWriter, diary: Pick<IrrDiaryService, 'applied'>) {
  return async (farm: FarmRow, days: readonly string[], now: Date): Promise<void> => {
    const zone = toZone(farm);
    const missing = await writer.missing(farm.id, days);
    const late = lateAfter(farm, now);
    const due = days.filter((day) => missing.has(day) || day > late).toReversed();
    for (let at = 0; at < due.length; at += AT_A_TIME) {
      const starts = due.slice(at, at + AT_A_TIME).flatMap((day) => parseDay(zone, day) ?? []);
      for (const { day, groups } of await diary.applied(farm, starts, now.getTime())) {
        const open = day > late ? groups : groups.filter(({ groupUid }) => missing.get(day)?.has(groupUid));
        await writer.noteApplied(farm.id, day, open, now);
      }
    }
  };
}
