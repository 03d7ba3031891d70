import { OPERATING_DAYS, type OperatedUnit, type OperatingTimes } from '@headrace/contract/reports';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { type OperatedEntry, operatingTime } from '@headrace/contract/rules/schedule/operating-time';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { diaryDays, type IrrDiaryService, type WateredDays } from '../irr-diary/irr-diary.service.ts';
import type { SetProgrammes, SetProgrammesReader } from '../schedules/set-programmes.ts';

type WateredEntry = WateredDays['entries'][number];
type WateredUnit = WateredDays['units'][number];

interface Parts {
  readonly diary: Pick<IrrDiaryService, 'watered'>;
  readonly programmesOf: SetProgrammesReader;
}

/**
 * What sprinklers of a set were to water while they held it, and did, by the diary. A set stays as it is stored, so its checksum tells
 * which of what a sprinkler held or was sent was this one.
 */
export function createOperatingTimes({ diary, programmesOf }: Parts) {
  return {
    /** Throws notFound where the farm has no such set. */
    async of(farm: FarmRow, setUid: string, now: Date): Promise<OperatingTimes> {
      const set = await programmesOf(farm.id, setUid);
      if (!set) throw notFound('This farm has no such schedule set.');
      const days = diaryDays(farm, {}, now).slice(-OPERATING_DAYS);
      const [start = '', stop = start] = [days[0], days.at(-1)];
      const units = new Map<number, WateredUnit>();
      const entries = new Map<number, OperatedEntry[]>();
      for await (const some of diary.watered(farm, { start, stop }, now)) {
        for (const unit of some.units) if (set.units.has(unit.id)) units.set(unit.id, unit);
        for (const entry of some.entries) note(entries, entry, set);
      }
      const operated = await mapInTurns(byName(units), (unit) =>
        toUnit(unit, set.units.get(unit.id)?.line ?? '', entries.get(unit.id) ?? [], now),
      );
      const gone = set.units.size - units.size;
      return {
        setUID: set.uid,
        name: set.name,
        isDeleted: set.isDeleted,
        start,
        stop,
        units: operated,
        gone,
      };
    },
  };
}
export type OperatingTimesReader = ReturnType<typeof createOperatingTimes>;

const byName = (units: ReadonlyMap<number, WateredUnit>): WateredUnit[] =>
  [...units.values()].toSorted((one, other) => compareNatural(one.name, other.name));

function note(entries: Map<number, OperatedEntry[]>, entry: WateredEntry, set: SetProgrammes): void {
  const { unit, span } = entry;
  const programme = set.units.get(unit.id);
  if (!programme) return;
  const isOfSet = span?.crc === programme.crc && span.programme.cycleDays === set.cycleDays;
  const { planned, said, applied, isLengthKnown, outcome, reasons, isKept } = entry;
  const list = entries.get(unit.id) ?? [];
  list.push({ planned, said, applied, isLengthKnown, outcome, reasons, isKept, isOfSet });
  entries.set(unit.id, list);
}

const tenth = (value: number) => Math.round(value * 10) / 10;

function toUnit(unit: WateredUnit, line: string, entries: readonly OperatedEntry[], now: Date): OperatedUnit {
  const time = operatingTime(entries, now.getTime());
  return {
    unitUID: unit.uid,
    sprinkler: unit.name,
    serialNumber: unit.serial,
    scheduleGroup: line,
    planned: tenth(time.planned),
    unknown: tenth(time.unknown),
    actual: time.actual === null ? null : tenth(time.actual),
    share: time.share === null ? null : tenth(time.share),
    kept: tenth(time.kept),
    other: time.other === null ? null : tenth(time.other),
    waterings: time.waterings,
    lastWatered: time.lastWatered === null ? null : new Date(time.lastWatered).toISOString(),
    isRunning: time.isRunning,
  };
}
