import { LINES_MAX, TEMPLATE_GROUPS_MAX, TEMPLATE_NAME_MAX, WINDOWS_MAX } from '@headrace/contract/limits';
import {
  all,
  atLeast,
  atMost,
  isNumber,
  line,
  required,
  type Rule,
} from '@headrace/contract/rules/form-rules';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { EnteredHours } from '../../forms/hours-field.tsx';
import { minuteOf } from '../../forms/minute-of.ts';
import { validateMains } from './main-values.ts';
import type { ChosenGroup, TemplateValues } from './template-values.ts';

/** On numbers that may be left out. */
const whole =
  (label: string): Rule =>
  (value) =>
    Number.isInteger(Number(value)) ? null : `${label} must be a whole number.`;

const minutes = (label: string) =>
  all(isNumber(label), atLeast(label, 1, ' min'), atMost(label, 1440, ' min'), whole(label));
const nameRule = all(required('Name'), line('Name', TEMPLATE_NAME_MAX));
const durationRule = all(required('Duration'), minutes('Duration'));
const DEPTH = 'Water application';
const depthRule = all(required(DEPTH), isNumber(DEPTH), atLeast(DEPTH, 1, ' mm'), atMost(DEPTH, 1000, ' mm'));
const linesRule = all(
  required('Lines'),
  isNumber('Lines'),
  atLeast('Lines', 1),
  atMost('Lines', LINES_MAX),
  whole('Lines'),
);
const ownDurationRule = minutes('Duration');
const flowRule = all(isNumber('Most flow'), atMost('Most flow', 100_000, ' L/s'));

/** Duration or depth, as entered. */
export const validateWatering = (entered: { duration?: EnteredNumber; wal?: EnteredNumber }): string | null =>
  ('duration' in entered ? durationRule(entered.duration) : null) ??
  ('wal' in entered ? depthRule(entered.wal) : null);

export const linesField = (uid: string) => `groups.${uid}.lines`;
export const durationField = (uid: string) => `groups.${uid}.duration`;

/** By the same bounds as the server's. That the name is free, the server says. */
export function validateTemplate(values: TemplateValues): FieldErrors {
  const { name, duration, wal, groups, start, maxLps } = values;
  return found({
    name: nameRule(name),
    duration: validateWatering({ duration }),
    wal: validateWatering({ wal }),
    groups: validateCount(groups.length),
    ...Object.fromEntries(groups.flatMap(validateGroup)),
    start: isTime(start) ? null : 'Start must be a time of the day, as 21:30.',
    maxLps: validateFlow(maxLps),
    windows: validateWindows(values.windows),
    avoid: validateWindows(values.avoid),
    mains: validateMains(values.mains),
  });
}

const found = (fieldErrors: Record<string, string | null>): FieldErrors =>
  Object.fromEntries(Object.entries(fieldErrors).filter(([, sentence]) => sentence !== null)) as FieldErrors;

function validateCount(count: number): string | null {
  if (count === 0) return 'Please choose at least one group.';
  return count > TEMPLATE_GROUPS_MAX ? `A template can have at most ${TEMPLATE_GROUPS_MAX} groups.` : null;
}

const validateGroup = ({ uid, lines, duration }: ChosenGroup): [string, string | null][] => [
  [linesField(uid), linesRule(lines)],
  [durationField(uid), enteredNumber(duration) === null ? null : ownDurationRule(duration)],
];

function validateFlow(maxLps: EnteredNumber): string | null {
  const flow = enteredNumber(maxLps);
  if (flow === null) return null;
  return (
    flowRule(maxLps) ?? (flow > 0 ? null : 'Most flow must be more than 0 L/s. Leave it empty for any flow.')
  );
}

function validateWindows(windows: readonly EnteredHours[]): string | null {
  if (windows.length > WINDOWS_MAX) return `At most ${WINDOWS_MAX} can be entered.`;
  const isWhole = windows.every(({ from, to }) => isTime(from) && isTime(to));
  return isWhole ? null : 'Each needs a beginning and an end.';
}

const isTime = (text: string) => minuteOf(text) !== null;
