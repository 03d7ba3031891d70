import type { WaterApplication } from '@headrace/contract/farms';
import type { DiaryLog } from '@headrace/contract/irr-diary';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { Applied, Bounds } from '@headrace/contract/rules/schedule/applied';
import { entryStart } from '@headrace/contract/rules/schedule/unit-diary';
import { ratesOf, type UnitRates } from '../waterings/unit-rates.ts';
import type { ReasonedEntry } from './unit-days.ts';
import type { DiaryGroup, DiaryUnit, Grouping } from './diary-units.repo.ts';

const MINUTE = 60_000;
const iso = (at: number) => new Date(at).toISOString();
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const DIGITS = { minutes: 1, mm: 2, litres: 0 } as const;

/** What a sprinkler gives as it is set now. */
export interface Setting {
  readonly ratesOf: (unit: DiaryUnit) => UnitRates;
}

export function settingOf(groups: readonly DiaryGroup[], ofFarm: WaterApplication): Setting {
  const byId = new Map(groups.map((group) => [group.id, group]));
  return {
    ratesOf(unit) {
      const set = unit.groupIds.flatMap((id) => byId.get(id)?.water ?? []);
      const [first] = set;
      const isOne = first && set.every((one) => JSON.stringify(one) === JSON.stringify(first));
      return ratesOf(isOne ? first : ofFarm, unit.isPart);
    },
  };
}

/** By name. */
export const groupNames = ({ groups }: Grouping): string =>
  groups
    .map(({ name }) => name)
    .toSorted(compareNatural)
    .join(', ');

/** `day`: the farm's, YYYY-MM-DD. */
export function toLog(entry: ReasonedEntry, day: string, setting: Setting): DiaryLog {
  const { unit, planned, outcome, basis, isPart } = entry;
  return {
    day,
    unitUID: unit.uid,
    sprinkler: unit.name,
    serialNumber: unit.serial,
    group: groupNames(entry.grouping),
    scheduleGroup: entry.grouping.line,
    ...figuresOf(entry, setting),
    basis,
    isPartSprinkler: isPart,
    planned: planned && {
      start: iso(planned.startAt),
      stop: iso(planned.endAt),
      minutes: planned.entry.duration,
      isHeld: entry.span?.holds === 'this',
    },
    outcome,
    isKept: entry.isKept,
    reasons: entry.reasons.map(({ code, at, by, note, value }) => ({
      code,
      // From before anything is known of it.
      at: at ? iso(at) : null,
      by,
      note,
      value,
    })),
  };
}

type Figures = Pick<DiaryLog, 'start' | 'stop' | 'minutes' | 'mm' | 'volume' | 'bounds'>;

function figuresOf(entry: ReasonedEntry, setting: Setting): Figures {
  const { applied, isLengthKnown } = entry;
  if (applied === null) return plannedFigures(entry, setting);
  const start = iso(countedFrom(entry) ?? entryStart(entry));
  const stop = stopOf(entry, applied);
  return {
    start,
    stop: stop === null ? null : iso(stop),
    minutes: isLengthKnown ? rounded(applied.minutes.believed, DIGITS.minutes) : null,
    mm: isLengthKnown ? rounded(applied.mm.believed, DIGITS.mm) : null,
    volume: isLengthKnown ? rounded(applied.litres.believed, DIGITS.litres) : null,
    bounds: boundsOf(applied),
  };
}

/** From when its minutes count: of a watering whose beginning was not heard, from its time on. Null: no valve was heard. */
function countedFrom({ said, planned, reasons, clockS }: ReasonedEntry): number | null {
  if (!said) return null;
  const isLost = planned !== null && reasons.some(({ code }) => code === 'startNotHeard');
  return isLost ? Math.min(said.openedAt, planned.startAt - (clockS ?? 0) * 1000) : said.openedAt;
}

/** When it closed, as far as is believed; null: nothing says that it did. */
function stopOf(entry: ReasonedEntry, { minutes }: Applied): number | null {
  const { said, isLengthKnown, reasons } = entry;
  if (!said) return null;
  const isUnderWay = said.closedAt === null && reasons.some(({ code }) => code === 'notOver');
  if (isUnderWay || (!isLengthKnown && said.closedAt === null)) return null;
  return isLengthKnown ? (countedFrom(entry) ?? said.openedAt) + minutes.believed * MINUTE : said.closedAt;
}

/** What it was to give by its plan, at the rate of now; 0: nothing was planned. */
export function plannedLitres({ unit, planned }: ReasonedEntry, setting: Setting): number {
  if (!planned) return 0;
  return ((planned.endAt - planned.startAt) / 1000) * setting.ratesOf(unit).lps;
}

/** Nothing is known: what was planned stands there, and the entry says so. */
function plannedFigures(entry: ReasonedEntry, setting: Setting): Figures {
  const { unit, planned } = entry;
  const minutes = planned ? (planned.endAt - planned.startAt) / MINUTE : 0;
  const { mmPerMin } = setting.ratesOf(unit);
  return {
    start: iso(planned?.startAt ?? 0),
    stop: iso(planned?.endAt ?? 0),
    minutes,
    mm: rounded(minutes * mmPerMin, DIGITS.mm),
    volume: rounded(plannedLitres(entry, setting), DIGITS.litres),
    bounds: null,
  };
}

function boundsOf({ minutes, mm, litres }: Applied): DiaryLog['bounds'] {
  if (minutes.least === minutes.most) return null;
  const of = ({ least, most }: Bounds, digits: number) => ({
    least: rounded(least, digits),
    most: rounded(most, digits),
  });
  return { minutes: of(minutes, DIGITS.minutes), mm: of(mm, DIGITS.mm), volume: of(litres, DIGITS.litres) };
}
