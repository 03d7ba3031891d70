import { all, atMost, isNumber } from '@headrace/contract/rules/form-rules';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { FarmSupply, SupplyEntries, SupplyTime } from '@headrace/contract/supply';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import { minuteOf } from '../../forms/minute-of.ts';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import {
  type EnteredMain,
  enteredMains,
  mainsOf,
  mainText,
  validateMains,
} from '../schedules/main-values.ts';
import type { NamedGroup } from '../schedules/plan-result.ts';

/** A time as it stands in its fields, HH:mm. */
export interface TimeEntry {
  from: string;
  to: string;
  why: string;
}

export const NO_TIME: TimeEntry = { from: '', to: '', why: '' };

/** What the form of a water supply holds. */
export interface SupplyValues {
  maxLps: EnteredNumber;
  windows: readonly TimeEntry[];
  avoid: readonly TimeEntry[];
  mains: readonly EnteredMain[];
  notes: string;
}

export const valuesOf = ({ maxLps, windows, avoid, mains, notes }: FarmSupply): SupplyValues => ({
  maxLps,
  windows: windows.map(toEntry),
  avoid: avoid.map(toEntry),
  mains: enteredMains(mains),
  notes,
});

const toEntry = ({ fromMin, toMin, why }: SupplyTime): TimeEntry => ({
  from: clockText(fromMin),
  to: clockText(toMin),
  why,
});

export const entriesOf = ({ maxLps, windows, avoid, mains, notes }: SupplyValues): SupplyEntries => ({
  maxLps: enteredNumber(maxLps),
  windows: windows.map(toTime),
  avoid: avoid.map(toTime),
  mains: mainsOf(mains),
  notes: notes.trim(),
});

const toTime = ({ from, to, why }: TimeEntry): SupplyTime => ({
  fromMin: minuteOf(from) ?? 0,
  toMin: minuteOf(to) ?? 0,
  why: why.trim(),
});

const ofPump = all(isNumber('Pump flow'), atMost('Pump flow', 100_000, ' L/s'));

export function validateSupply({ maxLps, windows, avoid, mains }: SupplyValues): FieldErrors {
  const ofMains = validateMains(mains);
  const flow = enteredNumber(maxLps);
  const wrong = flow !== null && (ofPump(flow) ?? (flow > 0 ? null : 'Pump flow must be more than 0 L/s.'));
  return {
    ...(wrong && { maxLps: wrong }),
    ...(windows.every(isWhole) ? {} : { windows: MISSING }),
    ...(avoid.every(isWhole) ? {} : { avoid: MISSING }),
    ...(ofMains && { mains: ofMains }),
  };
}

const MISSING = 'Each time needs a beginning and an end.';
const isWhole = ({ from, to }: TimeEntry) => minuteOf(from) !== null && minuteOf(to) !== null;

/** "21:00–07:00, night tariff". */
export const timeText = ({ from, to, why }: TimeEntry): string =>
  `${from}–${to}${why.trim() === '' ? '' : `, ${why.trim()}`}`;
const timesText = (times: readonly TimeEntry[]) => times.map(timeText).join('; ');

export const supplyFieldText = (groups: readonly NamedGroup[]): FieldLabels<SupplyValues> => ({
  maxLps: { label: 'Pump flow', text: (flow) => (flow === null || flow === '' ? '' : `${flow} L/s`) },
  windows: { label: 'Times for water', text: timesText },
  avoid: { label: 'Times to avoid', text: timesText },
  mains: { label: 'Mains', text: (mains) => mains.map((main) => mainText(main, groups)).join('; ') },
  notes: { label: 'Notes' },
});
