import type { AdviceEntries, AdviceSettings } from '@headrace/contract/irrigation-advice';
import { all, atLeast, atMost, isNumber, required } from '@headrace/contract/rules/form-rules';
import {
  validateNumber,
  validateTarget,
  type SoilSettings,
  soilKinds,
  soilLimits,
} from '@headrace/contract/rules/schedule/soil-settings';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';

/** What the form of a soil holds; shares in %. */
export interface SoilValues {
  /** False: as the farm's, or the defaults. */
  isOwn: boolean;
  awcMmPerM: EnteredNumber;
  rootM: EnteredNumber;
  kc: EnteredNumber;
  easy: EnteredNumber;
  trigger: EnteredNumber;
  target: EnteredNumber;
  efficiency: EnteredNumber;
  /** YYYY-MM-DD, or as it was typed. */
  knownDay: string;
  knownMm: EnteredNumber;
  probeUID: string;
  refillKpa: EnteredNumber;
  usualEt0Mm: EnteredNumber;
  rainSiteUID: string;
}

const percent = (share: number) => Math.round(share * 1000) / 10;
const share = (value: EnteredNumber) => (enteredNumber(value) ?? 0) / 100;

/** `otherwise`: what holds where it has none of its own. */
export function valuesOf(settings: AdviceSettings, otherwise: SoilSettings): SoilValues {
  const soil = settings.soil ?? otherwise;
  return {
    isOwn: settings.soil !== null,
    awcMmPerM: soil.awcMmPerM,
    rootM: soil.rootM,
    kc: soil.kc,
    easy: percent(soil.easyShare),
    trigger: percent(soil.triggerShare),
    target: percent(soil.targetShare),
    efficiency: percent(soil.efficiency),
    knownDay: settings.knownDay ?? '',
    knownMm: settings.knownMm,
    probeUID: settings.probeUID ?? '',
    refillKpa: settings.refillKpa,
    usualEt0Mm: settings.usualEt0Mm,
    rainSiteUID: settings.rainSiteUID ?? '',
  };
}

export const soilOf = (values: SoilValues): SoilSettings => ({
  awcMmPerM: enteredNumber(values.awcMmPerM) ?? 0,
  rootM: enteredNumber(values.rootM) ?? 0,
  kc: enteredNumber(values.kc) ?? 0,
  easyShare: share(values.easy),
  triggerShare: share(values.trigger),
  targetShare: share(values.target),
  efficiency: share(values.efficiency),
});

export const entriesOf = (values: SoilValues): AdviceEntries => ({
  soil: values.isOwn ? soilOf(values) : null,
  knownDay: values.knownDay.trim() === '' ? null : values.knownDay,
  knownMm: values.knownDay.trim() === '' ? null : enteredNumber(values.knownMm),
  probeUID: values.probeUID === '' ? null : values.probeUID,
  refillKpa: enteredNumber(values.refillKpa),
  usualEt0Mm: enteredNumber(values.usualEt0Mm),
  rainSiteUID: values.rainSiteUID === '' ? null : values.rainSiteUID,
});

const of100 = ([least, most]: readonly [number, number]) => [least * 100, most * 100] as const;
const rules = {
  awcMmPerM: validateNumber('Water a metre of soil holds', soilLimits.awcMmPerM, ' mm'),
  rootM: validateNumber('Depth of roots', soilLimits.rootM, ' m'),
  kc: validateNumber('Kc', soilLimits.kc, ''),
  easy: validateNumber('Taken without effort', of100(soilLimits.easyShare), ' %'),
  trigger: validateNumber('Irrigate at', of100(soilLimits.triggerShare), ' %'),
  target: validateNumber('Fill up to', of100(soilLimits.targetShare), ' %'),
  efficiency: validateNumber('Efficiency', of100(soilLimits.efficiency), ' %'),
} as const;
const number = (label: string, least: number, most: number, unit: string) =>
  all(isNumber(label), atLeast(label, least, unit), atMost(label, most, unit));
const optional = {
  refillKpa: number('Dry at', 1, 200, ' kPa'),
  usualEt0Mm: number('Usual ET0', 0, 20, ' mm'),
} as const;
const ofKnownMm = all(required('What it lacked'), number('What it lacked', 0, 1000, ' mm'));

/** `today`: the farm's, YYYY-MM-DD. */
export function validateSoil(values: SoilValues, today: string): FieldErrors {
  const errors: FieldErrors = {};
  const note = (name: keyof SoilValues, fault: string | null) => {
    if (fault) errors[name] = fault;
  };
  if (values.isOwn) {
    for (const [name, rule] of Object.entries(rules) as [keyof typeof rules, (typeof rules)['kc']][])
      note(name, rule(enteredNumber(values[name])));
    if (!errors['trigger'] && !errors['target']) note('target', validateTarget(soilOf(values)));
  }
  for (const [name, rule] of Object.entries(optional) as [keyof typeof optional, (typeof rules)['kc']][]) {
    const entered = enteredNumber(values[name]);
    if (entered !== null) note(name, rule(entered));
  }
  if (values.probeUID !== '' && enteredNumber(values.refillKpa) === null)
    note('refillKpa', 'The probe needs the kPa at which the soil is dry.');
  if (values.knownDay.trim() !== '') {
    note('knownDay', dayFault(values.knownDay, today));
    note('knownMm', ofKnownMm(enteredNumber(values.knownMm)));
  }
  return errors;
}

/** Of the calendar. */
const isDay = (day: string) => {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};

/** What is wrong with a day, YYYY-MM-DD, or as it was typed; `today`: the farm's. */
export function dayFault(day: string, today: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return 'Please enter a day as DD/MM/YYYY.';
  if (!isDay(day)) return 'This day does not exist.';
  return day > today ? 'This day is still to come.' : null;
}

/** The kind whose middle value it is; '': none. */
export const kindOf = (awcMmPerM: EnteredNumber): string =>
  soilKinds.find((kind) => kind.awcMmPerM === enteredNumber(awcMmPerM))?.name ?? '';

const withUnit = (unit: string) => (value: EnteredNumber) =>
  value === null || value === '' ? '' : `${value}${unit}`;
export const soilLabels: FieldLabels<SoilValues> = {
  isOwn: { label: 'Soil and crop of its own', text: (is) => (is ? 'Yes' : 'No') },
  awcMmPerM: { label: 'Water a metre of soil holds', text: withUnit(' mm') },
  rootM: { label: 'Depth of roots', text: withUnit(' m') },
  kc: { label: 'Kc', text: withUnit('') },
  easy: { label: 'Taken without effort', text: withUnit(' %') },
  trigger: { label: 'Irrigate at', text: withUnit(' %') },
  target: { label: 'Fill up to', text: withUnit(' %') },
  efficiency: { label: 'Efficiency', text: withUnit(' %') },
  knownDay: { label: 'On the evening of' },
  knownMm: { label: 'What it lacked', text: withUnit(' mm') },
  probeUID: { label: 'Soil probe' },
  refillKpa: { label: 'Dry at', text: withUnit(' kPa') },
  usualEt0Mm: { label: 'Usual ET0', text: withUnit(' mm') },
  rainSiteUID: { label: 'Rain gauge' },
};
