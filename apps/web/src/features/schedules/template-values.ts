import { DAY_MINUTES, type Limits } from '@headrace/contract/rules/schedule/plan';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import { depthOf } from '@headrace/contract/rules/water-application';
import { defaultWaterApplication } from '@headrace/contract/default-farm';
import type { WaterApplication } from '@headrace/contract/farms';
import type { ScheduleTemplate, TemplateDesign } from '@headrace/contract/schedule-templates';
import type { EnteredHours } from '../../forms/hours-field.tsx';
import { minuteOf } from '../../forms/minute-of.ts';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import { type EnteredMain, enteredMains, mainsOf } from './main-values.ts';

/** A group of the template: how many lines its sprinklers hang on, and minutes of its own; empty: as the template has them. */
export interface ChosenGroup {
  readonly uid: string;
  readonly lines: EnteredNumber;
  readonly duration: EnteredNumber;
}

export const NO_HOURS: EnteredHours = { from: '', to: '' };

/** What the form of a template holds. */
export interface TemplateValues {
  name: string;
  groups: readonly ChosenGroup[];
  /** min and mm: each follows from the other. */
  duration: EnteredNumber;
  wal: EnteredNumber;
  /** HH:mm */
  start: string;
  /** Minutes of a round, or of two days; '' a day or two, by need. */
  round: string;
  windy: boolean;
  leveling: boolean;
  maxLps: EnteredNumber;
  windows: readonly EnteredHours[];
  avoid: readonly EnteredHours[];
  mains: readonly EnteredMain[];
}

/** Before the farm's water application is known, and once it is: unless the farm has minutes of its own. spec 2 §5 */
export const PRISTINE_MINUTES = 22;
export const DEFAULT_MINUTES = 28;

/** A new template, within what the farm's water supply allows. `water` undefined: it is still on its way. */
export function newValues(water: WaterApplication | undefined, supply: Limits | null): TemplateValues {
  const duration = water ? firstMinutes(water) : PRISTINE_MINUTES;
  return {
    name: '',
    groups: [],
    duration,
    wal: water ? depthOf(water, duration) : defaultWaterApplication.wal,
    start: '00:00',
    round: '',
    windy: false,
    leveling: false,
    ...limitValues(supply),
  };
}

type LimitField = 'maxLps' | 'windows' | 'avoid' | 'mains';

/** What a farm's water supply or a template allows, in the form's fields. */
export const limitValues = (limits: Limits | null | undefined): Pick<TemplateValues, LimitField> => ({
  maxLps: limits?.maxLps ?? '',
  windows: (limits?.windows ?? []).map(enteredWindow),
  avoid: (limits?.avoid ?? []).map(enteredWindow),
  mains: enteredMains(limits?.mains),
});

/** A farm that was never asked has what every farm begins with, and that says nothing of its own. */
const firstMinutes = ({ duration }: WaterApplication) =>
  duration === defaultWaterApplication.duration ? DEFAULT_MINUTES : duration;

export function valuesOf(template: ScheduleTemplate, water: WaterApplication): TemplateValues {
  const { settings, limits } = template;
  const { cycleLen = DAY_MINUTES } = settings;
  return {
    name: template.name,
    groups: chosenOf(template),
    duration: settings.duration,
    wal: depthOf(water, settings.duration),
    start: clockText(template.startMin),
    round: roundOf(cycleLen),
    windy: template.windy,
    leveling: template.leveling,
    ...limitValues(limits),
  };
}

/** The form's fields of a design, as a remedy changed it. */
export function designValues(
  design: PlanDesign,
  water: WaterApplication,
): Omit<TemplateValues, 'name' | 'start' | 'windy' | 'leveling'> {
  const { duration, cycleLen = DAY_MINUTES } = design.settings;
  return {
    groups: chosenOf(design),
    duration,
    wal: depthOf(water, duration),
    round: roundOf(cycleLen),
    ...limitValues(design.limits),
  };
}

const roundOf = (cycleLen: number) => (cycleLen === DAY_MINUTES ? '' : String(cycleLen));

const chosenOf = ({ groups }: Pick<PlanDesign, 'groups'>): ChosenGroup[] =>
  groups.map(({ uid, lines = 1, duration = '' }) => ({ uid, lines, duration }));

const enteredWindow = ({ fromMin, toMin }: { fromMin: number; toMin: number }): EnteredHours => ({
  from: clockText(fromMin),
  to: clockText(toMin),
});

/** What is saved. Only of values that nothing is wrong with. */
export const templateOf = (values: TemplateValues): TemplateDesign => ({
  name: values.name.trim(),
  ...designOf(values),
});

/** What is planned; the name says nothing to it. */
export function designOf(values: Omit<TemplateValues, 'name'>): PlanDesign {
  const { windy, leveling } = values;
  return {
    groups: values.groups.map(({ uid, lines, duration }) => ({
      uid,
      ...(Number(lines) > 1 && { lines: Number(lines) }),
      ...(enteredNumber(duration) !== null && { duration: Number(duration) }),
    })),
    settings: {
      duration: Number(values.duration),
      ...(values.round !== '' && { cycleLen: Number(values.round) }),
    },
    windy,
    leveling,
    startMin: minuteOf(values.start) ?? 0,
    limits: limitsOf(values),
  };
}

function limitsOf({ maxLps, windows, avoid, mains }: Pick<TemplateValues, LimitField>) {
  const most = enteredNumber(maxLps);
  if (most === null && windows.length + avoid.length + mains.length === 0) return null;
  return {
    maxLps: most,
    windows: windows.map(windowOf),
    avoid: avoid.map(windowOf),
    ...(mains.length > 0 && { mains: mainsOf(mains) }),
  };
}

const windowOf = ({ from, to }: EnteredHours) => ({
  fromMin: minuteOf(from) ?? 0,
  toMin: minuteOf(to) ?? 0,
});
