import type { Timezone } from '@headrace/contract/farms';
import type { BodyOf } from '@headrace/contract/endpoint';
import type { addTake, MeterChoice, Restriction, TakeMeter, WaterTake } from '@headrace/contract/water-takes';
import { atLeast, isNumber } from '@headrace/contract/rules/form-rules';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { dayAndClock, dayFault, momentOf, sentMoment } from './moments.ts';

/** A meter as the form holds it; days YYYY-MM-DD, or as they were typed. */
export interface MeterValues {
  uid: string;
  deviceUID: string;
  metric: TakeMeter['metric'];
  site: string;
  measure: string;
  startDay: string;
  startClock: string;
  /** As they came, of a known one. */
  came: { startsAt: string; endsAt: string | null } | null;
  /** '': it is in place. */
  endDay: string;
  endClock: string;
  verifiedOn: string;
  nextVerification: string;
  pipe: TakeMeter['pipe'];
  m3PerUnit: EnteredNumber;
  isByVolume: boolean;
}

export interface RestrictionValues {
  fromDay: string;
  fromClock: string;
  toDay: string;
  toClock: string;
  kind: Restriction['kind'];
  percent: EnteredNumber;
  note: string;
  /** As it came, of a known one. */
  came: { from: string; to: string } | null;
}

export interface TakeValues {
  consentNo: string;
  holder: string;
  council: string;
  source: string;
  maxLps: EnteredNumber;
  maxM3Day: EnteredNumber;
  maxM37Day: EnteredNumber;
  maxM3Year: EnteredNumber;
  validFrom: string;
  validTo: string;
  restrictionNote: string;
  meters: MeterValues[];
  restrictions: RestrictionValues[];
}

export const limitFields = ['maxLps', 'maxM3Day', 'maxM37Day', 'maxM3Year'] as const;

export const emptyTake: TakeValues = {
  consentNo: '',
  holder: '',
  council: '',
  source: '',
  maxLps: null,
  maxM3Day: null,
  maxM37Day: null,
  maxM3Year: null,
  validFrom: '',
  validTo: '',
  restrictionNote: '',
  meters: [],
  restrictions: [],
};

export function newMeter(choice: MeterChoice | undefined, today: string): MeterValues {
  return {
    uid: '',
    deviceUID: choice?.uid ?? '',
    metric: choice?.metric ?? 'pulsesTotal',
    site: '',
    measure: 'Compliance Volume',
    startDay: today,
    startClock: '00:00',
    endDay: '',
    endClock: '00:00',
    verifiedOn: '',
    nextVerification: '',
    pipe: 'full',
    m3PerUnit: choice?.m3PerUnit ?? null,
    isByVolume: false,
    came: null,
  };
}

export const newRestriction = (today: string): RestrictionValues => ({
  fromDay: today,
  fromClock: '00:00',
  toDay: '',
  toClock: '00:00',
  kind: 'cease',
  percent: null,
  note: '',
  came: null,
});

export function valuesOf(take: WaterTake, zone: Timezone): TakeValues {
  const { uid: _uid, version: _version, updatedAt: _at, validFrom, validTo, ...rest } = take;
  return {
    ...rest,
    validFrom: validFrom ?? '',
    validTo: validTo ?? '',
    meters: take.meters.map((meter) => meterValues(meter, zone)),
    restrictions: take.restrictions.map(({ from, to, ...one }) => {
      const [start, end] = [dayAndClock(zone, Date.parse(from)), dayAndClock(zone, Date.parse(to))];
      return {
        ...one,
        fromDay: start.day,
        fromClock: start.clock,
        toDay: end.day,
        toClock: end.clock,
        came: { from, to },
      };
    }),
  };
}

function meterValues(meter: TakeMeter, zone: Timezone): MeterValues {
  const { startsAt, endsAt, verifiedOn, nextVerification } = meter;
  const start = dayAndClock(zone, Date.parse(startsAt));
  const end = endsAt === null ? { day: '', clock: '00:00' } : dayAndClock(zone, Date.parse(endsAt));
  return {
    uid: meter.uid,
    deviceUID: meter.deviceUID,
    metric: meter.metric,
    site: meter.site,
    measure: meter.measure,
    startDay: start.day,
    startClock: start.clock,
    endDay: end.day,
    endClock: end.clock,
    verifiedOn: verifiedOn ?? '',
    nextVerification: nextVerification ?? '',
    pipe: meter.pipe,
    m3PerUnit: meter.m3PerUnit,
    isByVolume: meter.isByVolume,
    came: { startsAt, endsAt },
  };
}

type Body = Omit<BodyOf<typeof addTake>, 'farmUID'>;
const orNull = (text: string) => (text.trim() === '' ? null : text);

export function bodyOf(values: TakeValues, zone: Timezone): Body {
  const { consentNo, holder, council, source, restrictionNote } = values;
  return {
    consentNo,
    holder,
    council,
    source,
    maxLps: enteredNumber(values.maxLps),
    maxM3Day: enteredNumber(values.maxM3Day),
    maxM37Day: enteredNumber(values.maxM37Day),
    maxM3Year: enteredNumber(values.maxM3Year),
    validFrom: orNull(values.validFrom),
    validTo: orNull(values.validTo),
    restrictionNote,
    restrictions: values.restrictions.map(({ kind, percent, note, came, ...one }) => ({
      from: sentMoment(zone, { day: one.fromDay, clock: one.fromClock }, came?.from ?? null),
      to: sentMoment(zone, { day: one.toDay, clock: one.toClock }, came?.to ?? null),
      kind,
      percent: kind === 'cease' ? 0 : (enteredNumber(percent) ?? 0),
      note,
    })),
    meters: values.meters.map(({ uid, startDay, startClock, endDay, endClock, came, ...meter }) => ({
      ...(uid !== '' && { uid }),
      ...meter,
      startsAt: sentMoment(zone, { day: startDay, clock: startClock }, came?.startsAt ?? null),
      endsAt: endDay === '' ? null : sentMoment(zone, { day: endDay, clock: endClock }, came?.endsAt ?? null),
      verifiedOn: orNull(meter.verifiedOn),
      nextVerification: orNull(meter.nextVerification),
      m3PerUnit: enteredNumber(meter.m3PerUnit) ?? 0,
    })),
  };
}

const limitRule = (value: EnteredNumber): string | null => {
  const entered = enteredNumber(value);
  if (entered === null) return null;
  return isNumber('The limit')(entered) ?? atLeast('The limit', 0, '')(entered);
};

export function validateTake(values: TakeValues, zone: Timezone): FieldErrors {
  const errors: FieldErrors = {};
  const note = (name: string, fault: string | null) => {
    if (fault) errors[name] = fault;
  };
  note('consentNo', values.consentNo.trim() === '' ? 'Please enter the number of the consent.' : null);
  for (const name of limitFields) note(name, limitRule(values[name]));
  for (const name of ['validFrom', 'validTo'] as const)
    if (values[name].trim() !== '') note(name, dayFault(values[name]));
  if (!errors['validTo'] && values.validFrom && values.validTo && values.validTo < values.validFrom)
    note('validTo', 'The last day is before the first.');
  for (const [index, meter] of values.meters.entries()) meterFaults(meter, zone, `meter${index}`, note);
  for (const [index, one] of values.restrictions.entries())
    restrictionFaults(one, zone, `restriction${index}`, note);
  return errors;
}

type Note = (name: string, fault: string | null) => void;

function meterFaults(meter: MeterValues, zone: Timezone, at: string, note: Note): void {
  note(`${at}.deviceUID`, meter.deviceUID === '' ? 'Please choose a meter.' : null);
  note(`${at}.site`, meter.site.trim() === '' ? 'Please enter what the council calls the place.' : null);
  note(`${at}.measure`, meter.measure.trim() === '' ? 'Please enter what the council calls it.' : null);
  const count = enteredNumber(meter.m3PerUnit);
  note(
    `${at}.m3PerUnit`,
    count === null || Number.isNaN(count) || count <= 0 || count > 1000
      ? 'Please enter how many m³ one count stands for: 0.001 is a litre.'
      : null,
  );
  momentFaults(
    { day: meter.startDay, clock: meter.startClock },
    [`${at}.startDay`, `${at}.startClock`],
    zone,
    note,
  );
  if (meter.endDay !== '')
    momentFaults(
      { day: meter.endDay, clock: meter.endClock },
      [`${at}.endDay`, `${at}.endClock`],
      zone,
      note,
    );
  for (const name of ['verifiedOn', 'nextVerification'] as const)
    if (meter[name].trim() !== '') note(`${at}.${name}`, dayFault(meter[name]));
}

function restrictionFaults(one: RestrictionValues, zone: Timezone, at: string, note: Note): void {
  momentFaults({ day: one.fromDay, clock: one.fromClock }, [`${at}.fromDay`, `${at}.fromClock`], zone, note);
  momentFaults({ day: one.toDay, clock: one.toClock }, [`${at}.toDay`, `${at}.toClock`], zone, note);
  const [from, to] = [momentOf(zone, one.fromDay, one.fromClock), momentOf(zone, one.toDay, one.toClock)];
  if (from !== null && to !== null && to <= from) note(`${at}.toDay`, 'It ends before it begins.');
  if (one.kind === 'cease') return;
  const percent = enteredNumber(one.percent);
  const isShare = percent !== null && percent >= 0 && percent <= 100;
  note(`${at}.percent`, isShare ? null : 'Please enter how much is left, 0 to 100 %.');
}

function momentFaults(
  { day, clock }: { day: string; clock: string },
  [dayName, clockName]: readonly [string, string],
  zone: Timezone,
  note: Note,
): void {
  const fault = dayFault(day);
  if (fault) note(dayName, fault);
  else if (momentOf(zone, day, clock) === null) note(clockName, 'Please enter a time as HH:mm.');
}

const withUnit = (unit: string) => (value: EnteredNumber) =>
  value === null || value === '' ? '' : `${value} ${unit}`;
export const takeLabels: FieldLabels<TakeValues> = {
  consentNo: { label: 'Consent number' },
  holder: { label: 'Holder' },
  council: { label: 'Council' },
  source: { label: 'Source' },
  maxLps: { label: 'Highest rate', text: withUnit('L/s') },
  maxM3Day: { label: 'A day', text: withUnit('m³') },
  maxM37Day: { label: 'In 7 days', text: withUnit('m³') },
  maxM3Year: { label: 'A water year', text: withUnit('m³') },
  validFrom: { label: 'Valid from' },
  validTo: { label: 'Valid until' },
  restrictionNote: { label: 'Conditions' },
  meters: { label: 'Meters', text: (meters) => meters.map(({ site }) => site).join(', ') },
  restrictions: { label: 'Restrictions', text: (list) => `${list.length}` },
};
